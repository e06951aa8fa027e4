import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import { actorToday } from '#documents';
import { createTasks } from '#tasks';
import { holdMembersAmong } from '#teams';
import { holdToAsk, sendToOne } from '#webhooks';
import { defineTeamJob, enqueue, type JobResult, type TeamDeps } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { deliveryFailed, runDelivered } from '../events.ts';
import { answersForJobs } from '../policy.ts';
import { findJob } from '../queries.ts';
import * as queries from './queries.ts';
import { firstCharacters } from '../../../platform/text.ts';

type Deps = TeamDeps & { baseUrl: string };

/** Why nobody was told, by a code. */
class Undeliverable extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Tells whoever the job of a run names what came of it, once: the note that they were told is of the same transaction as the task or the
 * event. What keeps them from being told stands in the run.
 */
export const deliveryJob = defineTeamJob(
  'agent-run-delivery',
  Type.Object({ run: Type.String(), name: Type.String() }),
  { counted: false },
  async (inTeam, { run: id, name }, { baseUrl }: Deps): Promise<JobResult> => {
    try {
      await inTeam(async (scope) => {
        const { db, team } = scope;
        const run = await db.first(queries.findUntold, { team, id });
        if (!run) return;
        const by = run.delivery === 'webhook' ? await tellEndpoint(scope, run) : await tellPerson(scope, run, name, baseUrl);
        // Whoever was faster has told them: nothing of this stays.
        if (!(await db.first(queries.noteTold, { team, id, by }))) throw new Error(`the result of run ${id} was delivered concurrently`);
      });
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof Undeliverable)) throw error;
      const { code } = error;
      await inTeam((scope) => noteFailure(scope, id, code));
    }
  },
);

/** Has somebody be told what came of a run that ends now, while its job still has a name. */
export async function deliverLater(scope: Scope, job: string, run: string): Promise<void> {
  const { db, team } = scope;
  const found = await db.first(findJob, { team, id: job });
  enqueue({ db, team }, deliveryJob, { run, name: found?.name ?? '' });
}

/** An event for the endpoint, signed and tried again as any other. The right to have it told is that of whoever the run was for, as it is now. */
async function tellEndpoint(scope: Scope, run: queries.Untold): Promise<string> {
  const endpoint = run.delivery_endpoint ?? '';
  // Runs are locked before endpoints.
  await scope.db.first(queries.holdUntold, { team: scope.team, id: run.id });
  const actor = await actorToday(scope, run.on_behalf_of);
  if (!actor || !(await holdToAsk(scope, actor, { endpoint, scope: runDelivered.scope }))) throw new Undeliverable('endpoint_not_usable');
  const { job_id: jobId, agent_id: agentId, trigger, due_at: dueAt, status, reason, finished_at: finishedAt } = run;
  const about = { endpointId: endpoint, jobId, agentId, trigger, status, finishedAt };
  const more = { ...(dueAt === null ? {} : { dueAt }), ...(reason === null ? {} : { reason }) };
  const sent = await sendToOne(scope, endpoint, (within) => record(within, runDelivered, run.id, { ...about, ...more }));
  if (!sent) throw new Undeliverable('endpoint_not_usable');
  return sent.id;
}

/** A task that says how the run has ended, and where it is read: what the agent said is shown there alone, as far as whoever looks may read it. */
async function tellPerson(scope: Scope, run: queries.Untold, name: string, baseUrl: string): Promise<string> {
  const person = run.delivery_to ?? run.on_behalf_of;
  const [member] = await scope.db.all(holdMembersAmong, { team: scope.team, ids: [person] });
  if (!answersForJobs(member?.role)) throw new Undeliverable('person_not_usable');
  const id = randomUUIDv7();
  const ended = run.status === 'ok' ? 'It has ended as it should.' : `It has failed: ${run.reason ?? 'error'}.`;
  const at = `${baseUrl}/ws/api/agents/runs/${run.id}`;
  await createTasks(
    scope,
    [
      {
        id,
        title: firstCharacters(`A job of an agent has run: ${name}`, 250),
        description: `${ended}\n\nLast text of the agent: ${at}\nTranscript: ${at}/transcript`,
        type: 'agent_result',
        assigned_to: person,
        created_by: run.agent_id,
        created_by_type: 'agent',
        workflow_id: null,
        step_id: null,
        document_id: null,
        due_at: null,
        config: {},
      },
    ],
    undefined,
  );
  return id;
}

async function noteFailure(scope: Scope, id: string, error: string): Promise<void> {
  const { db, team } = scope;
  const run = await db.first(queries.findUntold, { team, id });
  if (!run || !(await db.first(queries.noteUntold, { team, id, error }))) return;
  await record(scope, deliveryFailed, id, { jobId: run.job_id, agentId: run.agent_id, mode: run.delivery, error });
}
