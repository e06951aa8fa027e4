import { randomUUIDv7 } from 'node:crypto';
import Ajv, { type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { Database, Transaction } from '../database/database.ts';
import type { EventListener } from '../journal/listeners.ts';
import { serviceTeam } from '../journal/record.ts';
import type { Scope } from '../scope.ts';
import { insertJob, withdrawJobs } from './queries.ts';

/** The wait before attempt n + 1 in seconds: `first`, then `factor` times the previous wait, at most `most`. */
export type Backoff = { first: number; factor: number; most: number };

export type JobOptions<Data> = {
  /** Maximum number of retries after a failure. Default: 9. */
  retries?: number;
  backoff?: Backoff;
  /** Time limit of one attempt in seconds. Default: 60. At the limit Chancery aborts the signal of the attempt, and the attempt fails. */
  timeout?: number;
  /** Maximum number of concurrent jobs of this kind on one node. Default: 4. If there are several slots, no team gets all of them. */
  concurrency?: number;
  /** Maximum number of these slots for one team, even if no other team waits. Default: no limit. */
  maxPerTeam?: number;
  /** Minimum time that a job keeps its slot, in milliseconds. It leaves time for other work between fast jobs of one team. Default: 0. */
  minSlotMs?: number;
  /** Whether a waiting job counts against the quota `jobsWaiting` of its team. Default: true. */
  counted?: boolean;
  /** Called in the transaction that discards a job. */
  onDiscard?: (tx: Transaction, data: Data, reason: string) => Promise<unknown>;
};

/** One attempt of a job. */
export type JobAttempt = {
  id: string;
  /** The team of the job; undefined without a team. */
  team: string | undefined;
  /** The number of the attempt, starting with 1. */
  attempt: number;
  /** Aborted at the time limit of the attempt, or when the grace period of a stopping node ends. */
  signal: AbortSignal;
};

/**
 * The result of an attempt. Undefined: the job is done. `later`: the job runs again at that time, and this attempt does not count. `write`: the job
 * is done, and `write` runs in the transaction that removes the job. Chancery retries `write` until it succeeds, because external effects of the job
 * cannot be undone.
 */
export type JobResult = void | { later: Date } | { write: (tx: Transaction) => Promise<unknown> };

/** A kind of job. `Deps` are the dependencies of `run`, which are passed to {@link Jobs.add}. */
export type Job<Data, Deps> = {
  name: string;
  options: Required<Omit<JobOptions<Data>, 'onDiscard'>> & Pick<JobOptions<Data>, 'onDiscard'>;
  /** Validates the data of a job. Throws if they are invalid. */
  check(data: unknown): Data;
  run(deps: Deps, data: Data, attempt: JobAttempt): Promise<JobResult>;
};

/** A kind of job with its dependencies. */
export type OpenedJob = { job: Job<unknown, unknown>; deps: unknown };

/** Combines a kind of job and its dependencies for the manifest of a domain. */
export function openJob<Data, Deps>(job: Job<Data, Deps>, deps: Deps): OpenedJob {
  return { job: job as Job<unknown, unknown>, deps };
}

/** Thrown for a failure that a retry cannot fix. */
export class PermanentFailure extends Error {}

const defaults = {
  retries: 9,
  backoff: { first: 5, factor: 3, most: 3_600 },
  timeout: 60,
  concurrency: 4,
  maxPerTeam: Infinity,
  minSlotMs: 0,
  counted: true,
};

/** Returns a promise that rejects when the signal is aborted. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Shared by all kinds of jobs, because each Ajv instance compiles its schema checks again. */
const ajv = new Ajv.default({ strict: false, validateSchema: false });

/**
 * Defines a kind of job. A job runs at least once: after a node dies, another node repeats it, so `run` must be safe to
 * repeat. The data are stored as JSON and shown to operators, so they contain identifiers and no secrets.
 */
export function defineJob<Schema extends TSchema, Deps>(
  name: string,
  schema: Schema,
  options: JobOptions<Static<Schema>>,
  run: Job<Static<Schema>, Deps>['run'],
): Job<Static<Schema>, Deps> {
  let fits: ValidateFunction | undefined;
  return {
    name,
    options: { ...defaults, ...options },
    check(data) {
      fits ??= ajv.compile(schema);
      if (!fits(data)) throw new PermanentFailure(`The data do not match the schema of the job: ${JSON.stringify(fits.errors?.[0])}`);
      return data as Static<Schema>;
    },
    run,
  };
}

export type TeamDependencies = { database: Database; listeners: readonly EventListener[]; clock: () => Date };
type RunInTeam = <T>(act: (scope: Scope) => Promise<T>) => Promise<T>;

/** Returns a function that runs work in a transaction of a team with the actor `system`. */
export function inTeamAs(requestId: string, team: string, { database, listeners, clock }: TeamDependencies): RunInTeam {
  return (act) => database.inTeam(team, (db) => act({ db, team, actor: { type: 'system' }, now: clock(), requestId, listeners }));
}

/** Defines a kind of job of a team. `run` gets a function that opens transactions of the team. */
export function defineTeamJob<Schema extends TSchema, Deps extends TeamDependencies>(
  name: string,
  schema: Schema,
  options: JobOptions<Static<Schema>>,
  run: (inTeam: RunInTeam, data: Static<Schema>, deps: Deps) => Promise<JobResult>,
): Job<Static<Schema>, Deps> {
  return defineJob(name, schema, options, async (deps: Deps, data, { team }) =>
    team === undefined ? undefined : run(inTeamAs(name, team, deps), data, deps),
  );
}

export type EnqueueOptions = {
  /** The time to run the job. Default: immediately. */
  runAt?: Date;
  /** While a job with this name and key waits for its first attempt, no second job is added. */
  key?: string;
  /** The identifier of the job, so that it can be found later. */
  id?: string;
  /** Whether to notify no node. The job then starts at the next poll, within seconds. */
  lowPriority?: boolean;
};

/** Milliseconds. Nodes are notified of a job that becomes due within this time, because they poll only every few seconds. */
const soonMs = 10_000;

/** The channel for new jobs. The payload is the job name, or empty for a job that becomes due soon. */
export const jobChannel = 'job_due';

/**
 * Adds a job in the transaction of the caller. It runs only if the transaction commits. The job belongs to the team of
 * the transaction; in a system transaction `team` names the team.
 */
export function enqueue<Data>(
  scope: { db: Transaction; team?: string | undefined },
  job: Job<Data, never>,
  data: Data,
  { runAt, key, id = randomUUIDv7(), lowPriority = false }: EnqueueOptions = {},
): void {
  scope.db.send(insertJob, {
    team: scope.team ?? serviceTeam,
    id,
    name: job.name,
    data: JSON.stringify(data),
    key: key ?? null,
    counted: job.options.counted && scope.team !== undefined,
    runAt: runAt ?? null,
  });
  const waits = runAt !== undefined && runAt.getTime() > Date.now();
  if (!lowPriority && (!waits || runAt.getTime() < Date.now() + soonMs)) scope.db.notify(jobChannel, waits ? '' : job.name);
}

/** Deletes, in the transaction of the caller, the job of the team with this key. A job that a worker has already started continues. */
export function withdraw<Data>(scope: { db: Transaction; team: string }, job: Job<Data, never>, key: string): void {
  scope.db.send(withdrawJobs, { name: job.name, key });
}
