import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { columnsOf } from '../../platform/database/statement.ts';
import { smallestId } from '../../platform/identifiers.ts';
import { defineJob, defineTeamJob, enqueue, type JobResult } from '../../platform/jobs/job.ts';
import { disableJob } from './disable.ts';
import { maxQueued } from './policy.ts';
import { lockJob } from './queries.ts';
import { runJob, type Runs, claimRunSlots } from './run-job.ts';
import { type RunOver, runsWithSteps, hasReadErasedIn } from './loop/index.ts';
import { dropOldSteps, dropOrphanedSteps, dropSteps } from './subject-queries.ts';
import * as queries from './schedule-queries.ts';
import { type DueNow, type Missed, staggerOf, wakeOf, dueRunOf } from './schedules/index.ts';

type SchedulerDependencies = { database: Database; clock: () => Date; runs: Runs };

/** Disables a job with an invalid schedule. */
export const unreadableJob = defineTeamJob(
  'agent-job-unreadable',
  Type.Object({ job: Type.String() }),
  { counted: false },
  (inTeam, { job }) =>
    inTeam((scope) => scope.db.locked(lockJob, { team: scope.team, id: job }, () => disableJob(scope, job, 'schedule_invalid'))),
);

const atATime = 500;

/**
 * Starts due jobs on any number of nodes. One transaction locks the due jobs, which other nodes skip, inserts one run per due time, and sets the next
 * due times. After a rollback the jobs stay due.
 */
export async function beginDueJobs({ database, clock, runs }: SchedulerDependencies, signal?: AbortSignal): Promise<void> {
  const pass = (tx: Transaction) => beginDue(tx, clock(), runs);
  while ((await database.asSystem('start due agent jobs', pass)) === atATime) signal?.throwIfAborted();
}

/** Starts due jobs at their time. Periodic work also does so every minute, in case this job is lost. */
export const dueJob = defineJob(
  'agent-jobs-due',
  Type.Object({}),
  { counted: false, concurrency: 1 },
  (deps: SchedulerDependencies, _data, { signal }): Promise<JobResult> => beginDueJobs(deps, signal),
);

/** Schedules a check at the wake time of a job. Each check schedules the next one. */
export function enqueueWake(scope: { db: Transaction; team?: string }, wake: Date): void {
  enqueue(scope, dueJob, {}, { runAt: wake, key: wake.toISOString() });
}

async function beginDue(tx: Transaction, now: Date, runs: Runs): Promise<number> {
  const due = await tx.all(queries.dueJobs, { now, limit: atATime });
  const [first, ...others] = due.map((job) => planOf(tx, job, now));
  if (first !== undefined) await beginPlans(tx, [first, ...others], now, runs);
  if (due.length < atATime) {
    const next = await tx.first(queries.nextWake, { now });
    if (next) enqueueWake({ db: tx }, new Date(next.wake_at));
  }
  return due.length;
}

type Plan = ReturnType<typeof planOf>;

async function beginPlans(tx: Transaction, plans: [Plan, ...Plan[]], now: Date, { atOnce }: Runs): Promise<void> {
  const [first, ...others] = plans;
  const [row, ...rows] = plans.flatMap((plan) => plan.made);
  const made = row === undefined ? [] : await tx.all(queries.insertRuns, { ...columnsOf([row, ...rows]), at: now });
  for (const { team_id: team, id: run, status } of made) if (status === 'skipped') enqueue({ db: tx, team }, runJob, { run });
  const begins = made.filter(({ status }) => status === 'queued');
  const replacing = new Set(plans.filter(({ replaces }) => replaces).map(({ job }) => job.id));
  const [one, ...more] = begins
    .filter(({ job_id: job }) => replacing.has(job))
    .map(({ team_id: team, job_id: job, id: run }) => ({ team, job, run }));
  const replaced = one === undefined ? [] : await tx.all(queries.replaceRuns, columnsOf([one, ...more]));
  // A waiting run has no node, so a job ends it.
  for (const { team_id: team, id: run, in_flight: inFlight } of replaced) if (!inFlight) enqueue({ db: tx, team }, runJob, { run });
  tx.send(queries.moveOn, columnsOf([first.moved, ...others.map(({ moved }) => moved)]));
  await claimRunSlots(tx, [...new Set(begins.map(({ team_id: team }) => team))], atOnce);
}

/** Plans the runs of a due job, whether they replace unfinished ones, and its next due time. */
function planOf(tx: Transaction, job: queries.DueJob, now: Date) {
  const stagger = staggerOf(job.schedule, job.id);
  const found = readable(job, new Date(now.getTime() - stagger));
  const key = { team: job.team_id, id: job.id };
  if (found === undefined) {
    enqueue({ db: tx, team: job.team_id }, unreadableJob, { job: job.id });
    return { job, made: [], replaces: false, moved: { ...key, due: null, wake: null, status: null, reason: null } };
  }
  const { run, skipped, next } = found;
  const made: queries.NewRun[] = [];
  const why = run && overlapping(job);
  // Two identifiers of one millisecond have no order: sort them, so that the missed run comes before the due one.
  const [before = '', id = ''] = [randomUUIDv7(), randomUUIDv7()].toSorted();
  if (skipped) made.push(newRun(job, now, { ...skipped, id: before, trigger: 'misfire', skipped: 'missed' }));
  if (run) made.push(newRun(job, now, { ...run, id, ...(why === undefined ? {} : { skipped: why }) }));
  const last = made.at(-1);
  return {
    job,
    made,
    replaces: run !== undefined && job.overlap === 'replace' && job.begun + job.waiting > 0,
    moved: {
      ...key,
      ...wakeOf(next, stagger),
      ...(last?.status === 'skipped' ? { status: 'skipped', reason: last.reason } : { status: null, reason: null }),
    },
  };
}

/** Returns the due times of a job, or nothing for an invalid schedule, so that it does not stop other jobs. */
function readable(job: queries.DueJob, now: Date): DueNow | undefined {
  try {
    return dueRunOf(job.schedule, new Date(job.due_at), now, { policy: job.misfire_policy, graceSeconds: job.misfire_grace_seconds });
  } catch {
    return undefined;
  }
}

/** Returns the reason for skipping a run because other runs of its job have not ended. */
function overlapping({ overlap, begun, waiting, asking }: queries.DueJob): string | undefined {
  if (overlap === 'skip' && begun + waiting > 0) return asking ? 'previous_run_waiting' : 'previous_run_in_progress';
  return overlap === 'queue' && waiting >= maxQueued ? 'run_queue_full' : undefined;
}

function newRun(
  job: queries.DueJob,
  now: Date,
  { id, due, trigger, missed, skipped }: { id: string; due: Date; trigger: string; missed?: Missed; skipped?: string },
): queries.NewRun {
  return {
    team: job.team_id,
    id,
    agent: job.agent_id,
    job: job.id,
    trigger,
    due,
    status: skipped === undefined ? 'queued' : 'skipped',
    reason: skipped ?? null,
    missed: missed === undefined ? null : JSON.stringify(missed),
    onBehalfOf: job.on_behalf_of,
    finishedAt: skipped === undefined ? null : now,
  };
}

const oldAtATime = 1_000;

/**
 * Deletes the transcripts of old runs: 30 days after the end, or if the run has read a deleted document or an erased submission. Deletes runs a year
 * after their end.
 */
export async function dropOldRuns(database: Database): Promise<void> {
  const limit = oldAtATime;
  const dropAll = async (why: string, some: (tx: Transaction) => Promise<readonly unknown[]>): Promise<void> => {
    while ((await database.asSystem(why, some)).length > 0);
  };
  await dropAll('delete old transcripts of agent runs', (tx) => tx.all(dropOldSteps, { limit }));
  await dropAll('delete transcripts with data of deleted documents', (tx) => tx.all(dropOrphanedSteps, { limit }));
  await dropAll('drop old runs of agents', (tx) => tx.all(queries.dropOldRuns, { limit }));
  await dropErased(database);
}

const readAtATime = 20;

async function dropErased(database: Database): Promise<void> {
  let from: RunOver | undefined;
  do {
    const behind = { after: from?.finished_at ?? null, id: from?.id ?? smallestId, limit: readAtATime };
    const some: RunOver[] = await database.asSystem('find agent runs that have a transcript', (tx) => tx.all(runsWithSteps, behind));
    for (const { team_id: team, id: run } of some)
      await database.asSystem('delete transcripts with data of erased submissions', async (tx) => {
        if (await hasReadErasedIn(tx, team, run)) await tx.all(dropSteps, { team, run });
      });
    from = some.at(-1);
  } while (from !== undefined);
}
