import { randomUUIDv7 } from 'node:crypto';
import { createTasks } from '#tasks';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { approvalRequested, outcomeRequested } from '../events.ts';
import { tell } from '../stream/index.ts';
import { approvalExpiry } from './end.ts';
import * as queries from './queries.ts';

/** Calls that wait for somebody at most. */
const maxWaitingOfRun = 20;
const maxWaitingOfTeam = 200;
/** More than this nobody reads before they answer. */
export const maxShown = 32 * 1024;
const dayMs = 24 * 60 * 60 * 1_000;

/** What a person is asked of a call: whether it may be carried out, or whether it was. */
const questions = {
  approval: { type: 'tool_approval', waitsMs: dayMs, ask: queries.askForCall, event: approvalRequested },
  outcome: { type: 'tool_outcome', waitsMs: 7 * dayMs, ask: queries.askForOutcome, event: outcomeRequested },
} as const;

type Asked = {
  question: keyof typeof questions;
  run: { id: string; agent_id: string; on_behalf_of: string };
  call: { id: string; tool: string };
  /** What exactly is asked. */
  hash: string;
  shown: { title: string; text: string };
  /** Who is asked. */
  person: string;
};

/**
 * Asks somebody about a call of a run, by a task that waits for a day, or a week where the call was sent already. The run is held by the
 * caller. Why nobody is asked, by a code, where that is so.
 */
export async function askPerson(
  scope: Scope,
  { question, run, call, hash, shown, person }: Asked,
): Promise<'asked' | 'approval_limit' | 'arguments_too_long'> {
  const { db, team, now } = scope;
  if (shown.text.length > maxShown) return 'arguments_too_long';
  const { of_run: ofRun = 0, of_team: ofTeam = 0 } = (await db.first(queries.waitingCalls, { team, run: run.id })) ?? {};
  if (ofRun >= maxWaitingOfRun || ofTeam >= maxWaitingOfTeam) return 'approval_limit';
  const { type, waitsMs, ask, event } = questions[question];
  const task = randomUUIDv7();
  const expires = new Date(now.getTime() + waitsMs);
  const asked = await db.first(ask, { team, run: run.id, id: call.id, task, hash, expires });
  if (!asked) throw new Error(`the call ${call.id} changed under the lock of its run`);
  await createTasks(
    scope,
    [
      {
        id: task,
        title: shown.title,
        description: shown.text,
        type,
        assigned_to: person,
        created_by: run.agent_id,
        created_by_type: 'agent',
        workflow_id: null,
        step_id: null,
        document_id: null,
        due_at: expires.toISOString(),
        config: {},
      },
    ],
    undefined,
  );
  tell(scope, run.id, 'call.waiting', { callId: call.id, tool: call.tool, taskId: task });
  enqueue({ db, team }, approvalExpiry, { task }, { runAt: expires });
  await record(scope, event, run.id, {
    agentId: run.agent_id,
    callId: call.id,
    tool: call.tool,
    taskId: task,
    assignedTo: person,
    expiresAt: expires.toISOString(),
  });
  return 'asked';
}
