import { randomUUIDv7 } from 'node:crypto';
import { createTasks } from '#tasks';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { approvalRequested, outcomeRequested } from '../events.ts';
import { addRunEvent } from '../stream/index.ts';
import { approvalExpiry } from './end.ts';
import * as queries from './queries.ts';

/** The maximum number of calls that wait for a person. */
const maxWaitingOfRun = 20;
const maxWaitingOfTeam = 200;
/** The maximum number of characters of a task text, because a person would not read more before a decision. */
export const maxShown = 32 * 1024;
const dayMs = 24 * 60 * 60 * 1_000;

/** The question about a call: whether it may be executed, or whether it was executed. */
const questions = {
  approval: { type: 'tool_approval', waitsMs: dayMs, ask: queries.askForCall, event: approvalRequested },
  outcome: { type: 'tool_outcome', waitsMs: 7 * dayMs, ask: queries.askForOutcome, event: outcomeRequested },
} as const;

type QuestionRequest = {
  question: keyof typeof questions;
  run: { id: string; agent_id: string; on_behalf_of: string };
  call: { id: string; tool: string };
  /** The hash of the exact request. */
  hash: string;
  shown: { title: string; text: string };
  /** The assignee of the task. */
  person: string;
};

/** Returns why no person can be asked about one more call of a run. */
export async function reasonNotToRequest(
  { db, team }: Scope,
  run: string,
  { text }: { text: string },
): Promise<'approval_limit' | 'arguments_too_long' | undefined> {
  if (text.length > maxShown) return 'arguments_too_long';
  const { run_count: runCount = 0, team_count: teamCount = 0 } = (await db.first(queries.waitingCalls, { team, run })) ?? {};
  return runCount >= maxWaitingOfRun || teamCount >= maxWaitingOfTeam ? 'approval_limit' : undefined;
}

/**
 * Asks a person about a call of a run, with a task. The task expires after a day, or after a week if the call was sent already. The caller must hold
 * the lock of the run. Returns `asked`, or the reason why no task was created.
 */
export async function askPerson(
  scope: Scope,
  { question, run, call, hash, shown, person }: QuestionRequest,
): Promise<'asked' | 'approval_limit' | 'arguments_too_long'> {
  const { db, team, now } = scope;
  const reason = await reasonNotToRequest(scope, run.id, shown);
  if (reason !== undefined) return reason;
  const { type, waitsMs, ask, event } = questions[question];
  const task = randomUUIDv7();
  const expires = new Date(now.getTime() + waitsMs);
  const updated = await db.first(ask, { team, run: run.id, id: call.id, task, hash, expires });
  if (!updated) throw new Error(`the call ${call.id} changed under the lock of its run`);
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
  addRunEvent(scope, run.id, 'call.waiting', { callId: call.id, tool: call.tool, taskId: task });
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
