import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import { actorToday } from '#documents';
import { createTasks } from '#tasks';
import { lockMembersAmong } from '#teams';
import { lockForCallback, sendToOne } from '#webhooks';
import { defineTeamJob, enqueue, type JobResult, type TeamDependencies } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { deliveryFailed, runDelivered } from '../events.ts';
import { answersForJobs } from '../policy.ts';
import { findJob } from '../queries.ts';
import * as queries from './queries.ts';
import { firstCharacters } from '../../../platform/text.ts';

type DeliveryDependencies = TeamDependencies & { baseUrl: string };

/** Thrown if a delivery is not possible, with the reason in `code`. */
class Undeliverable extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Delivers the result of a run once: one transaction creates the task or the event and marks the result as delivered. The run stores a failure. */
export const deliveryJob = defineTeamJob(
  'agent-run-delivery',
  Type.Object({ run: Type.String(), name: Type.String() }),
  { counted: false },
  async (inTeam, { run: id, name }, { baseUrl }: DeliveryDependencies): Promise<JobResult> => {
    try {
      await inTeam(async (scope) => {
        const { db, team } = scope;
        const run = await db.first(queries.findPendingDelivery, { team, id });
        if (!run) return;
        const by = run.delivery === 'webhook' ? await deliverToEndpoint(scope, run) : await deliverToPerson(scope, run, name, baseUrl);
        // A concurrent attempt has delivered it: roll back.
        if (!(await db.first(queries.markDelivered, { team, id, by })))
          throw new Error(`the result of run ${id} was delivered concurrently`);
      });
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof Undeliverable)) throw error;
      const { code } = error;
      await inTeam((scope) => recordFailure(scope, id, code));
    }
  },
);

/**
 * Enqueues the delivery of a run that ends. Stores the name of its job, because the job may be deleted before the
 * delivery.
 */
export async function deliverLater(scope: Scope, job: string, run: string): Promise<void> {
  const { db, team } = scope;
  const found = await db.first(findJob, { team, id: job });
  enqueue({ db, team }, deliveryJob, { run, name: found?.name ?? '' });
}

/**
 * Sends the event to the endpoint, with signature and retries like every event. The owner of the run must currently have the right to use the
 * endpoint.
 */
async function deliverToEndpoint(scope: Scope, run: queries.PendingDelivery): Promise<string> {
  const endpoint = run.delivery_endpoint ?? '';
  // Lock order: runs before endpoints.
  await scope.db.first(queries.lockPendingDelivery, { team: scope.team, id: run.id });
  const actor = await actorToday(scope, run.on_behalf_of);
  if (!actor || !(await lockForCallback(scope, actor, { endpoint, scope: runDelivered.scope })))
    throw new Undeliverable('endpoint_not_usable');
  const { job_id: jobId, agent_id: agentId, trigger, due_at: dueAt, status, reason, finished_at: finishedAt } = run;
  const about = { endpointId: endpoint, jobId, agentId, trigger, status, finishedAt };
  const more = { ...(dueAt === null ? {} : { dueAt }), ...(reason === null ? {} : { reason }) };
  const sent = await sendToOne(scope, endpoint, (within) => record(within, runDelivered, run.id, { ...about, ...more }));
  if (!sent) throw new Undeliverable('endpoint_not_usable');
  return sent.id;
}

/**
 * Creates a task with the result of the run and links to its details. The task does not contain the text of the agent, so that only people who may
 * read the run see it.
 */
async function deliverToPerson(scope: Scope, run: queries.PendingDelivery, name: string, baseUrl: string): Promise<string> {
  const person = run.delivery_to ?? run.on_behalf_of;
  const [member] = await scope.db.all(lockMembersAmong, { team: scope.team, ids: [person] });
  if (!answersForJobs(member?.role)) throw new Undeliverable('person_not_usable');
  const id = randomUUIDv7();
  const ended = run.status === 'ok' ? 'The run succeeded.' : `The run failed: ${run.reason ?? 'error'}.`;
  const at = `${baseUrl}/ws/api/agents/runs/${run.id}`;
  await createTasks(
    scope,
    [
      {
        id,
        title: firstCharacters(`Result of an agent job: ${name}`, 250),
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

async function recordFailure(scope: Scope, id: string, error: string): Promise<void> {
  const { db, team } = scope;
  const run = await db.first(queries.findPendingDelivery, { team, id });
  if (!run || !(await db.first(queries.markDeliveryFailed, { team, id, error }))) return;
  await record(scope, deliveryFailed, id, { jobId: run.job_id, agentId: run.agent_id, mode: run.delivery, error });
}
