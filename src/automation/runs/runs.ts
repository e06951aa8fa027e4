import { randomUUIDv7 } from 'node:crypto';
import { accessTo, type ResourceAccess } from '#access';
import { callerOfAgent, lockedAgent, mayRun } from '#agents';
import { actorToday } from '#documents';
import { largestId, notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Via } from '../../platform/access-reason.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { allowedModels } from './consent/index.ts';
import { deliveriesOf } from './delivery/index.ts';
import { endRuns } from './end-runs.ts';
import { runCancelled, runRequested } from './events.ts';
import { maxQueued } from './policy.ts';
import { callsOf, shownCharacters, stepsOf } from './loop/index.ts';
import { readPayload } from './payload.ts';
import { presentRun, presentTranscript } from './present.ts';
import { runProblems } from './problems.ts';
import { lockRun, type Runs, claimRunSlots } from './run-job.ts';
import { limitsCost } from './policy.ts';
import * as queries from './run-queries.ts';
import type { RequestRun, Requested, Run, Transcript } from './schemas.ts';
import { findJob, findJobForUpdate, personOf } from './service.ts';

export type RunFilters = { jobId?: string | undefined; agentId?: string | undefined };

/** Lists the runs of an existing job, newest first. Throws 404. */
export async function historyOf(scope: ReadScope, id: string, page: { limit: number; before: string | undefined }): Promise<Run[]> {
  const job = await findJob(scope, id);
  return listRuns(scope, { jobId: job.id }, page);
}

/**
 * Lists the runs of the team, newest first: of a job, even a deleted one, or else of an agent, or all. Returns one more run than `limit` if further
 * runs exist.
 */
export async function listRuns(
  { db, team, actor }: ReadScope,
  { jobId, agentId }: RunFilters,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Run[]> {
  if (!accessTo(actor, 'run', { relations: [] })) return [];
  const page = { team, person: personIn(actor), before: before ?? largestId, limit };
  let rows: queries.RunRow[];
  if (jobId !== undefined) rows = await db.all(queries.runsOfJob, { ...page, job: jobId });
  else if (agentId !== undefined) rows = await db.all(queries.runsOfAgent, { ...page, agent: agentId });
  else rows = await db.all(queries.runsOfTeam, page);
  const deliveries = await deliveriesOf({ db, team }, rows);
  return rows.map((row) => presentRun(row, deliveries.get(row.id), { whole: false }));
}

/** Returns the person for the check of barriers, or null for an API client, which is a member of no barrier. */
const personIn = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

type ViewedRun = { row: queries.SeenRun; access: ResourceAccess<'run'> };

/** Returns a run that the actor may view. Throws 404. */
export async function viewableRun({ db, team, actor }: ReadScope | Scope, id: string): Promise<ViewedRun> {
  const row = await db.first(queries.seenRun, { team, id: pathId(id, 'run'), person: personIn(actor) });
  if (!row) throw notFound('run');
  const relations = 'id' in actor && actor.id === row.owner_id ? ['owner'] : [];
  const access = accessTo(actor, 'run', { relations, excluded: row.excluded });
  if (!access) throw notFound('run');
  return { row, access };
}

async function shownRun(scope: ReadScope, row: queries.SeenRun): Promise<Run> {
  return presentRun(row, (await deliveriesOf(scope, [row])).get(row.id), { whole: !row.erasing });
}

/** Returns a run. Throws 404. */
export async function getRun(scope: ReadScope, id: string): Promise<Run> {
  return shownRun(scope, (await viewableRun(scope, id)).row);
}

/** Returns a run of a job. Throws 404. */
export async function getRunOf(scope: ReadScope, jobId: string, id: string): Promise<Run> {
  const { id: job } = await findJob(scope, jobId);
  const { row } = await viewableRun(scope, id);
  if (row.job_id !== job) throw notFound('run');
  return shownRun(scope, row);
}

/** Returns the run for a stream of its events. Throws 404. */
export async function followedRun(scope: ReadScope, id: string): Promise<{ id: string; over: boolean; via: Via }> {
  const { row, access } = await viewableRun(scope, id);
  if (row.erasing) throw notFound('run');
  return { id: row.id, over: row.finished_at !== null, via: access.via };
}

/** Returns the transcript of a run. Throws 404. */
export async function getTranscript(scope: ReadScope, id: string): Promise<{ transcript: Transcript; via: Via }> {
  const { db, team } = scope;
  const { row, access } = await viewableRun(scope, id);
  const steps = row.erasing ? [] : await db.all(stepsOf, { team, run: row.id });
  const calls = row.erasing ? [] : await db.all(callsOf, { team, run: row.id, most: shownCharacters });
  return { transcript: presentTranscript(row, steps, calls), via: access.via };
}

/**
 * Cancels a run: its node ends it within a second, and its approval tasks are withdrawn. Does not change a run that has ended or that must already
 * end. Throws 403 and 404.
 */
export async function cancelRun(scope: Scope, id: string): Promise<Requested> {
  const { row, access } = await viewableRun(scope, id);
  if (!access.can('cancel')) throw problems.forbidden('Only the owner of a run and administrators can cancel it. Ask one of them.');
  const lockedRun = await lockRun(scope, row.job_id, row.id);
  const status = lockedRun?.status ?? row.status;
  if (lockedRun?.finished_at === null && lockedRun.cancel_reason === null) {
    await endRuns(scope, { run: row.id, reason: 'cancelled' });
    await recordAudit(scope, runCancelled, row.id, {});
  }
  return { runId: row.id, status };
}

/** The maximum number of queued runs of one team that users requested without a job. */
const maxRequested = 100;

/**
 * Returns the scope of a run: that of the caller, or of the member with a consent to the API client. The journal names the client.
 * Throws 403 and 404.
 */
async function onBehalf(scope: Scope, agentId: string): Promise<Scope> {
  const { actor } = scope;
  if (actor.type !== 'client') return scope;
  const { id } = await lockedAgent(scope, agentId);
  const member = await callerOfAgent(scope, id, actor.id);
  const person = member === undefined ? undefined : await actorToday(scope, member);
  if (!person)
    throw problems.forbidden(
      'No member lets this API client start the agent on their behalf. A member does so with PUT /ws/api/agents/{agentId}/callers.',
    );
  return { ...scope, actor: person, recordedAs: actor };
}

/**
 * Starts a run of an agent with the rights of the caller, or of the member who consented to the API client. Throws 403, 404, and 409
 * `agent_not_running`, `no_model`, `model_not_enabled` or `run_queue_full`.
 */
export async function requestAgentRun({ atOnce, model }: Runs, caller: Scope, agentId: string, input: RequestRun): Promise<Requested> {
  const scope = await onBehalf(caller, agentId);
  const { db, team, now } = scope;
  const person = personOf(scope);
  const by = 'id' in caller.actor ? caller.actor.id : person;
  const agent = await lockedAgent(scope, agentId);
  if (!mayRun(agent)) throw runProblems.agent_not_running('The agent is disabled or stopped. Check its members `enabled` and `stopped`.');
  const allowed = await allowedModels(scope, model);
  if (allowed === 'no_model_configured')
    throw runProblems.no_model(
      'The operator of the service has configured no model for agents. Ask the operator to set `AGENT_MODEL_URL`.',
    );
  if (allowed === 'model_not_enabled')
    throw runProblems.model_not_enabled(
      'No administrator has allowed sending content of the team to the model. Ask an administrator to allow it in the agent settings.',
    );
  const modelName = input.model ?? agent.model ?? allowed.models[0] ?? '';
  if (limitsCost(agent, allowed) && !model?.prices.has(modelName))
    throw runProblems.model_price_unknown(
      'The cost of this agent or of the team is limited, and the selected model has no price. Choose a model with a price, or remove the limit.',
    );
  const payload = readPayload({ message: input.message });
  const waiting = (await db.first(queries.waitingRequests, { team }))?.waiting ?? 0;
  if (waiting >= maxRequested)
    throw runProblems.run_queue_full(`${waiting} requested runs are already queued. Wait until some of them end.`);
  const runId = randomUUIDv7();
  const settings = { message: payload?.message ?? '', model: input.model ?? null, timeout: input.timeoutSeconds ?? null };
  db.send(queries.insertRequested, { team, id: runId, agent: agent.id, onBehalfOf: person, by, ...settings, at: now });
  await claimRunSlots(db, [team], atOnce);
  await recordAudit(scope, runRequested, runId, { agentId: agent.id });
  return { runId, status: 'queued' };
}

/**
 * Starts a run of a job, even if the job is paused, with the rights of the responsible person. Its schedule does not change. Throws 404, 409
 * `run_in_progress` or `run_queue_full`, and 422 `model_price_unknown`.
 */
export async function requestRun({ atOnce }: Runs, scope: Scope, id: string): Promise<Requested> {
  const { db, team, now } = scope;
  const job = await findJobForUpdate(scope, id);
  const { begun = 0, waiting = 0 } = (await db.first(queries.liveRuns, { team, job: job.id })) ?? {};
  if (job.overlap === 'skip' && begun + waiting > 0)
    throw runProblems.run_in_progress('A run of this job is running or queued. Wait until it ends.');
  if (job.overlap === 'queue' && waiting >= maxQueued)
    throw runProblems.run_queue_full(`${waiting} runs of this job are already queued. Wait until some of them end.`);
  if (job.overlap === 'replace') await endRuns(scope, { jobs: [job.id], reason: 'replaced' });
  const runId = randomUUIDv7();
  const by = personOf(scope);
  db.send(queries.insertManual, { team, id: runId, job: job.id, agent: job.agent_id, onBehalfOf: job.on_behalf_of, by, at: now });
  await claimRunSlots(db, [team], atOnce);
  await recordAudit(scope, runRequested, runId, { jobId: job.id });
  return { runId, status: 'queued' };
}
