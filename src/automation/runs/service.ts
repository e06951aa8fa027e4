import { randomUUIDv7 } from 'node:crypto';
import { lockedAgent, seesAllAgents, usableAgent } from '#agents';
import { zoneOfTeam } from '#teams';
import type { ChangePage, Placed } from '../../platform/database/sorted-page.ts';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { readDelivery } from './delivery/index.ts';
import { endRuns } from './end-runs.ts';
import { jobCreated, jobDeleted, jobPaused, jobResumed, jobTakenOver, jobUpdated } from './events.ts';
import { readPayload } from './payload.ts';
import { presentJob } from './present.ts';
import { runProblems } from './problems.ts';
import * as queries from './queries.ts';
import { enqueueWake } from './scheduler-jobs.ts';
import { dueAfter, nextTimes, readSchedule, staggerOf } from './schedules/index.ts';
import type { CreateJob, Job, RunStatus, UpdateJob } from './schemas.ts';

const anyVersion: VersionCheck = () => undefined;

/** Lists the jobs of the team, or of one agent. An agent that does not exist has none. */
export async function listJobs(
  { db, team, actor }: ReadScope,
  { sort, ...page }: ChangePage,
  agentId: string | undefined,
): Promise<Placed<Job>[]> {
  if (!seesAllAgents(actor) || (agentId !== undefined && !isUuid(agentId))) return [];
  const rows = await db.all(queries.listJobs[sort], { team, ...page, agent: agentId ?? null });
  return rows.map((row) => ({ thing: presentJob(row), place: [row.sort_time, row.id] }));
}

/** Returns a job, for callers that can read all agents of the team. Throws 404. */
export async function findJob({ db, team, actor }: ReadScope | Scope, id: string): Promise<queries.JobRow> {
  const row = await db.first(queries.findJob, { team, id: pathId(id, 'job') });
  if (!row || !seesAllAgents(actor)) throw notFound('job');
  return row;
}

/** Returns a job as responses show it. */
export async function getJob(scope: ReadScope | Scope, id: string): Promise<Versioned<Job>> {
  const row = await findJob(scope, id);
  return { value: presentJob(row), version: row.version };
}

/** Locks a job and returns it; the scheduler and its runs wait. Throws 404 and 412. */
export async function findJobForUpdate(scope: Scope, id: string, expect = anyVersion): Promise<queries.JobRow> {
  const found = await scope.db.locked(queries.lockJob, { team: scope.team, id: pathId(id, 'job') }, () => findJob(scope, id));
  expect(found.version);
  return found;
}

/** Returns the next start times of a job, also of a paused one. Throws 404. */
export async function upcomingTimes(scope: ReadScope, id: string, count: number): Promise<{ jobId: string; times: string[] }> {
  const { schedule, id: jobId } = await findJob(scope, id);
  const stagger = staggerOf(schedule, jobId);
  await yieldToEventLoop(scope.team).next();
  const due = nextTimes(schedule, new Date(scope.now.getTime() - stagger), count);
  return { jobId, times: due.map((time) => new Date(time.getTime() + stagger).toISOString()) };
}

/** Returns the status of the scheduler for the team. */
export async function schedulerStatus(scope: ReadScope): Promise<RunStatus> {
  const { db, team, actor, now } = scope;
  if (!seesAllAgents(actor))
    throw problems.forbidden(
      'The scheduler status requires access to all agents of the team. Ask the owner or an administrator of the team.',
    );
  // The row of each agent has the time at which all agents of the team were stopped.
  const { team_stopped_at: stopped } = await usableAgent(scope, 'main');
  const row = await db.first(queries.statusOfTeam, { team, now });
  const { jobs = 0, running = 0, queued = 0, next_wake_at: next = null, lag_ms: lagMs = 0, nodes = 0 } = row ?? {};
  return { enabled: nodes > 0 && stopped === null, jobs, running, queued, ...(next === null ? {} : { nextWakeAt: next }), lagMs, nodes };
}

/** Creates a job, which runs with the rights of its creator. Throws 404 for the agent, 409 `quota_exceeded`, and 422. */
export async function createJob(scope: Scope, input: CreateJob): Promise<Versioned<Job>> {
  const { db, team, now } = scope;
  const id = randomUUIDv7();
  const by = personOf(scope);
  const agent = await lockedAgent(scope, input.agentId ?? 'main');
  const schedule = readSchedule(input, { now, zone: await zone(scope) });
  const payload = readPayload(input);
  if (schedule === undefined) throw incomplete('schedule', 'The schedule is missing: send `schedule` or `cron`.');
  if (payload === undefined) throw incomplete('payload', 'The instruction is missing: send `payload` or `message`.');
  const enabled = input.enabled ?? true;
  const settings: queries.JobSettings = {
    ...payload,
    agent: agent.id,
    name: cleanName(input.name),
    description: input.description ?? null,
    enabled,
    schedule: JSON.stringify(schedule),
    policy: input.misfire?.policy ?? 'run_once',
    grace: input.misfire?.graceSeconds ?? 3_600,
    overlap: input.overlap ?? 'skip',
    deleteAfterRun: input.deleteAfterRun ?? false,
    ...(await readDelivery(scope, input.delivery ?? { mode: 'none' })),
    onBehalfOf: by,
    ...(enabled ? dueAfter(schedule, id, now) : notDue),
  };
  db.send(queries.insertJob, { team, id, ...settings, by, at: now });
  wakeIfSoon(scope, settings.wake);
  await record(scope, jobCreated, id, { name: settings.name, agentId: agent.id });
  return getJob(scope, id);
}

/**
 * Changes the given members of a job. A schedule and an instruction are each replaced as a whole. A running run continues unchanged. Throws the
 * errors of {@link createJob}, and 412.
 */
export async function updateJob(scope: Scope, id: string, input: UpdateJob, expect: VersionCheck): Promise<Versioned<Job>> {
  const { db, team, now } = scope;
  const agent = input.agentId === undefined ? undefined : await lockedAgent(scope, input.agentId);
  const delivery = input.delivery === undefined ? undefined : await readDelivery(scope, input.delivery);
  const kept = await findJobForUpdate(scope, id, expect);
  const schedule = readSchedule(input, { now, zone: await zone(scope) });
  const payload = readPayload(input);
  const kind = settingsOf(kept);
  const enabled = input.enabled ?? kept.enabled;
  const settings: queries.JobSettings = {
    ...kind,
    ...payload,
    agent: agent?.id ?? kind.agent,
    name: input.name === undefined ? kind.name : cleanName(input.name),
    description: input.description === undefined ? kind.description : input.description,
    enabled,
    schedule: schedule === undefined ? kind.schedule : JSON.stringify(schedule),
    policy: input.misfire?.policy ?? kind.policy,
    grace: input.misfire?.graceSeconds ?? kind.grace,
    overlap: input.overlap ?? kind.overlap,
    deleteAfterRun: input.deleteAfterRun ?? kind.deleteAfterRun,
    ...delivery,
    // A person who changes the schedule, the instruction or the agent becomes responsible for the job.
    onBehalfOf: (schedule ?? payload ?? agent) ? personOf(scope) : kind.onBehalfOf,
    ...dueOf(kept, enabled, schedule, now),
  };
  db.send(queries.updateJob, { team, id: kept.id, ...settings, at: now });
  wakeIfSoon(scope, settings.wake);
  const said = { name: settings.name, agentId: settings.agent };
  const members = Object.keys(input).filter((member) => member !== 'enabled');
  if (members.length > 0) await record(scope, jobUpdated, kept.id, { ...said, members });
  if (enabled !== kept.enabled) await record(scope, enabled ? jobResumed : jobPaused, kept.id, said);
  return getJob(scope, kept.id);
}

/** Pauses or resumes a job. Times during the pause do not count as missed. Does nothing if the job is in that state. Throws 404 and 412. */
export async function switchJob(scope: Scope, id: string, enabled: boolean, expect: VersionCheck): Promise<Versioned<Job>> {
  const kept = await findJobForUpdate(scope, id, expect);
  if (kept.enabled === enabled) return { value: presentJob(kept), version: kept.version };
  const due = dueOf(kept, enabled, undefined, scope.now);
  await change(scope, kept, { enabled, ...due });
  await record(scope, enabled ? jobResumed : jobPaused, kept.id, { name: kept.name, agentId: kept.agent_id });
  return getJob(scope, kept.id);
}

/**
 * Makes the actor responsible for a job: later runs have the actor’s rights. Resumes a job that was disabled because no person was responsible.
 * Throws 404 and 412.
 */
export async function takeOver(scope: Scope, id: string, expect: VersionCheck): Promise<Versioned<Job>> {
  const kept = await findJobForUpdate(scope, id, expect);
  const by = personOf(scope);
  const enabled = kept.enabled || kept.disabled_reason === 'owner_inactive';
  await change(scope, kept, { enabled, onBehalfOf: by, ...dueOf(kept, enabled, undefined, scope.now) });
  await recordAudit(scope, jobTakenOver, kept.id, { from: kept.on_behalf_of });
  return getJob(scope, kept.id);
}

/** Deletes a job and ends its runs. The list of runs keeps them. Throws 404 and 412. */
export async function deleteJob(scope: Scope, id: string, expect: VersionCheck): Promise<{ id: string; deleted: true }> {
  const { db, team } = scope;
  const kept = await findJobForUpdate(scope, id, expect);
  await endRuns(scope, { jobs: [kept.id], reason: 'job_deleted' });
  db.send(queries.deleteJob, { team, id: kept.id });
  await record(scope, jobDeleted, kept.id, { name: kept.name, agentId: kept.agent_id });
  return { id: kept.id, deleted: true };
}

const notDue = { due: null, wake: null };

/** Returns the due time of a job, which is unchanged if neither its schedule nor `enabled` changes. */
function dueOf(kept: queries.JobRow, enabled: boolean, schedule: queries.JobRow['schedule'] | undefined, now: Date) {
  if (!enabled) return notDue;
  if (kept.enabled && schedule === undefined && kept.due_at !== null && kept.wake_at !== null)
    return { due: new Date(kept.due_at), wake: new Date(kept.wake_at) };
  return dueAfter(schedule ?? kept.schedule, kept.id, now);
}

async function change(scope: Scope, kept: queries.JobRow, members: Partial<queries.JobSettings>): Promise<void> {
  const settings = { ...settingsOf(kept), ...members };
  scope.db.send(queries.updateJob, { team: scope.team, id: kept.id, ...settings, at: scope.now });
  wakeIfSoon(scope, settings.wake);
}

const settingsOf = (row: queries.JobRow): queries.JobSettings => ({
  agent: row.agent_id,
  name: row.name,
  description: row.description,
  enabled: row.enabled,
  schedule: JSON.stringify(row.schedule),
  message: row.message,
  model: row.model,
  timeout: row.timeout_seconds,
  policy: row.misfire_policy,
  grace: row.misfire_grace_seconds,
  overlap: row.overlap,
  deleteAfterRun: row.delete_after_run,
  delivery: row.delivery,
  deliveryEndpoint: row.delivery_endpoint,
  deliveryTo: row.delivery_to,
  onBehalfOf: row.on_behalf_of,
  due: row.due_at === null ? null : new Date(row.due_at),
  wake: row.wake_at === null ? null : new Date(row.wake_at),
});

/** Nodes check for due jobs every minute. A job that is due earlier than the next check gets a separate check. */
const soonMs = 120_000;
function wakeIfSoon(scope: Scope, wake: Date | null): void {
  if (wake !== null && wake.getTime() - scope.now.getTime() < soonMs) enqueueWake(scope, wake);
}

const zone = async ({ db, team }: Scope): Promise<string> => (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC';

const incomplete = (name: string, detail: string) =>
  runProblems.job_incomplete(detail, { errors: [{ name, pointer: `/${name}`, reason: 'is missing', rule: 'required' }] });

/** Returns the person who changes a job. Only persons can use these operations. */
export function personOf({ actor }: Scope): string {
  if (actor.type !== 'user') throw new Error('only a person can change agent jobs');
  return actor.id;
}
