import { randomUUIDv7 } from 'node:crypto';
import Ajv, { type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { Database, Transaction } from '../database/database.ts';
import type { EventListener } from '../journal/listeners.ts';
import { serviceTeam } from '../journal/record.ts';
import type { Scope } from '../scope.ts';
import { insertJob, withdrawJobs } from './queries.ts';

/** The wait before try n + 1: `first`, then `factor` times as long each time, at most `most` (seconds). */
export type Backoff = { first: number; factor: number; most: number };

export type JobOptions<Data> = {
  /** How often it is tried again after it failed; 9 by default. */
  retries?: number;
  backoff?: Backoff;
  /** How long one try may take, in seconds; 60 by default. Its signal is aborted then, and the try has failed. */
  timeout?: number;
  /** How many of them one node does at a time; 4 by default. No team gets all of these while there are several. */
  concurrency?: number;
  /** How many of these one team gets at most, however few others want some; as many as there are by default. */
  maxPerTeam?: number;
  /** How long a place is taken at least, in milliseconds, so that quick work of one team leaves the node to others in between; 0 by default. */
  minSlotMs?: number;
  /** Whether a waiting one counts against the quota `jobsWaiting` of its team; it does by default. */
  counted?: boolean;
  /** What is written in the transaction that gives it up. */
  onDiscard?: (tx: Transaction, data: Data, reason: string) => Promise<unknown>;
};

/** One try of a job. */
export type JobAttempt = {
  id: string;
  /** Whose job it is; nothing where it belongs to no team. */
  team: string | undefined;
  /** 1 at the first try. */
  attempt: number;
  /** Aborted when the time of the try is up, or the node stops and waits no longer. */
  signal: AbortSignal;
};

/**
 * What a try comes to. Nothing: it is done. `later`: it was not its turn, and it is tried then; this does not count as a try.
 * `write`: it is done, and this is written in the transaction that ends it, tried again for as long as it fails, since what
 * was done outside cannot be undone.
 */
export type JobResult = void | { later: Date } | { write: (tx: Transaction) => Promise<unknown> };

/** A kind of work. `Deps` is what its run takes, given where it is registered ({@link Jobs.add}). */
export type Job<Data, Deps> = {
  name: string;
  options: Required<Omit<JobOptions<Data>, 'onDiscard'>> & Pick<JobOptions<Data>, 'onDiscard'>;
  /** Throws on what does not fit. */
  check(data: unknown): Data;
  run(deps: Deps, data: Data, attempt: JobAttempt): Promise<JobResult>;
};

/** A kind of work with what its run takes. */
export type OpenedJob = { job: Job<unknown, unknown>; deps: unknown };

/** Puts a kind of work and what its run takes together, for the manifest of a domain. */
export function openJob<Data, Deps>(job: Job<Data, Deps>, deps: Deps): OpenedJob {
  return { job: job as Job<unknown, unknown>, deps };
}

/** A failure that no further try would mend. */
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

/** Rejects when a signal is aborted. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** For all kinds of work: each of its own would compile what checks schemas anew. */
const ajv = new Ajv.default({ strict: false, validateSchema: false });

/**
 * Defines a kind of work. It is done at least once: a node that dies leaves it to another, so a run must bear being done
 * again. Its data are kept as JSON and shown to operators: identifiers, no secrets.
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
      if (!fits(data)) throw new PermanentFailure(`the data do not fit the job: ${JSON.stringify(fits.errors?.[0])}`);
      return data as Static<Schema>;
    },
    run,
  };
}

export type TeamDeps = { database: Database; listeners: readonly EventListener[]; clock: () => Date };
type InTeam = <T>(act: (scope: Scope) => Promise<T>) => Promise<T>;

/** Runs work in a transaction of a team, as the service. */
export function inTeamAs(requestId: string, team: string, { database, listeners, clock }: TeamDeps): InTeam {
  return (act) => database.inTeam(team, (db) => act({ db, team, actor: { type: 'system' }, now: clock(), requestId, listeners }));
}

/** Defines a kind of work of a team. Its run begins transactions of the team. */
export function defineTeamJob<Schema extends TSchema, Deps extends TeamDeps>(
  name: string,
  schema: Schema,
  options: JobOptions<Static<Schema>>,
  run: (inTeam: InTeam, data: Static<Schema>, deps: Deps) => Promise<JobResult>,
): Job<Static<Schema>, Deps> {
  return defineJob(name, schema, options, async (deps: Deps, data, { team }) =>
    team === undefined ? undefined : run(inTeamAs(name, team, deps), data, deps),
  );
}

export type EnqueueOptions = {
  /** When to do it; at once by default. */
  runAt?: Date;
  /** While a job of this name and key waits for its first try, no other is added. */
  key?: string;
  /** Its identifier, for what is found by it. */
  id?: string;
  /** Nobody waits for it: no node is told, and it is found within seconds. */
  lowPriority?: boolean;
};

/** Nodes look for what has become due every few seconds; of work that is due sooner they are told. */
const soonMs = 10_000;

/** The channel on which nodes hear that there is work: its name, or nothing where it is soon due. */
export const jobChannel = 'job_due';

/**
 * Adds a job in the caller's transaction: it is done when that commits, and never when it does not. It belongs to the team of
 * the transaction; a transaction of the system says which.
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

/** Takes back, in the caller's transaction, a job of the team that was added under a key; one that a worker has begun goes on. */
export function withdraw<Data>(scope: { db: Transaction; team: string }, job: Job<Data, never>, key: string): void {
  scope.db.send(withdrawJobs, { name: job.name, key });
}
