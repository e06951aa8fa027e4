import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { columnsOf } from '../../platform/database/statement.ts';
import { smallestId } from '../../platform/identifiers.ts';
import { defineJob, defineTeamJob, enqueue, type JobResult } from '../../platform/jobs/job.ts';
import { disableJob } from './disable.ts';
import { mostWaiting } from './policy.ts';
import { lockJob } from './queries.ts';
import { runJob, type Runs, takePlaces } from './run-job.ts';
import { type RunOver, runsWithSteps, toldErasedIn } from './loop/index.ts';
import { dropOldSteps, dropOrphanedSteps, dropSteps } from './subject-queries.ts';
import * as queries from './schedule-queries.ts';
import { type DueNow, type Missed, staggerOf, wakeOf, whatIsDue } from './schedules/index.ts';

type SchedulerDeps = { database: Database; clock: () => Date; runs: Runs };

/** Switches a job off whose schedule cannot be read any more. */
export const unreadableJob = defineTeamJob(
  'agent-job-unreadable',
  Type.Object({ job: Type.String() }),
  { counted: false },
  (inTeam, { job }) =>
    inTeam((scope) => scope.db.locked(lockJob, { team: scope.team, id: job }, () => disableJob(scope, job, 'schedule_invalid'))),
);

const atATime = 500;

/**
 * Begins what is due, over any number of nodes. In one transaction jobs that are due are locked, which another node passes over, each
 * time gets its one run, and the jobs are moved on: what was not committed is still due.
 */
export async function beginDueJobs({ database, clock, runs }: SchedulerDeps, signal?: AbortSignal): Promise<void> {
  const pass = (tx: Transaction) => beginDue(tx, clock(), runs);
  while ((await database.asSystem('begin the jobs of agents that are due', pass)) === atATime) signal?.throwIfAborted();
}

/** Begins what is due at the time of a job of an agent. Periodic work does so each minute, for times that were lost. */
export const dueJob = defineJob(
  'agent-jobs-due',
  Type.Object({}),
  { counted: false, concurrency: 1 },
  (deps: SchedulerDeps, _data, { signal }): Promise<JobResult> => beginDueJobs(deps, signal),
);

/** Has a job of an agent begin at its time. A later time is found by the passes before it. */
export function wakeInTime(scope: { db: Transaction; team?: string }, wake: Date): void {
  enqueue(scope, dueJob, {}, { runAt: wake, key: wake.toISOString() });
}

async function beginDue(tx: Transaction, now: Date, runs: Runs): Promise<number> {
  const due = await tx.all(queries.dueJobs, { now, limit: atATime });
  const [first, ...others] = due.map((job) => planOf(tx, job, now));
  if (first !== undefined) await beginPlans(tx, [first, ...others], now, runs);
  if (due.length < atATime) {
    const next = await tx.first(queries.nextWake, { now });
    if (next) wakeInTime({ db: tx }, new Date(next.wake_at));
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
  // What waits is in nobody’s hands.
  for (const { team_id: team, id: run, in_hand: inHand } of replaced) if (!inHand) enqueue({ db: tx, team }, runJob, { run });
  tx.send(queries.moveOn, columnsOf([first.moved, ...others.map(({ moved }) => moved)]));
  await takePlaces(tx, [...new Set(begins.map(({ team_id: team }) => team))], atOnce);
}

/** What becomes of a job that is due: its runs, whether those under way are to end, and when it is due next. */
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
  // Of one millisecond identifiers come in no order: what was missed comes before what is due now.
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

/** What is due of a job; nothing where its schedule cannot be read, which is its own fault and nobody else’s. */
function readable(job: queries.DueJob, now: Date): DueNow | undefined {
  try {
    return whatIsDue(job.schedule, new Date(job.due_at), now, { policy: job.misfire_policy, graceSeconds: job.misfire_grace_seconds });
  } catch {
    return undefined;
  }
}

/** Why a run does not begin while others of its job are not over. */
function overlapping({ overlap, begun, waiting, asking }: queries.DueJob): string | undefined {
  if (overlap === 'skip' && begun + waiting > 0) return asking ? 'previous_run_waiting' : 'previous_run_in_progress';
  return overlap === 'queue' && waiting >= mostWaiting ? 'run_queue_full' : undefined;
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
 * Drops what was said in runs that ended 30 days ago, or have read a document that is gone or answers that are erased, and runs that
 * ended a year ago.
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
    const some: RunOver[] = await database.asSystem('find runs of agents whose words are kept', (tx) => tx.all(runsWithSteps, behind));
    for (const { team_id: team, id: run } of some)
      await database.asSystem('delete transcripts with data of erased submissions', async (tx) => {
        if (await toldErasedIn(tx, team, run)) await tx.all(dropSteps, { team, run });
      });
    from = some.at(-1);
  } while (from !== undefined);
}
