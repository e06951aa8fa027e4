import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database.ts';
import { serviceTeam } from '../journal/record.ts';
import type { JobMetrics } from '../telemetry/metrics.ts';
import { hasCode } from '../storage/file-system-errors.ts';
import { StorageError } from '../storage/storage.ts';
import { keptReason } from '../text.ts';
import { type OpenedJob, type JobResult, PermanentFailure, rejectedBy } from './job.ts';
import { giveUp, putBack, removeJobs, type ClaimedJob, tryAgain } from './queries.ts';

type RunnerOptions = { database: Database; log: Logger; metrics: JobMetrics; works: ReadonlyMap<string, OpenedJob> };

const longestPauseMs = 5_000;

/** After so many interruptions a job is given up: it may be what ends the nodes. These do not count against its retries. */
const maxInterruptions = 10;

/** How soon a job is begun again that found no room for a file. */
const roomlessMs = 60_000;

/**
 * Nothing that a job does makes room: it waits for whoever runs the service, and this was none of its tries. A file that is too large for its
 * file system is so at every try, however much room there is.
 */
const waitsForRoom = (error: unknown): boolean =>
  error instanceof StorageError && error.reason === 'no_space' && !hasCode(error.cause, 'EFBIG');

/** Carries out jobs that were taken: the time limit of a try, what is written at its end, and what becomes of one that failed. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Carries out one try of a job. `done`: it remains to be removed; `settled`: what came of it is written down. */
  async carryOut(job: ClaimedJob): Promise<'done' | 'settled'> {
    let outcome: JobResult;
    try {
      const work = this.#options.works.get(job.name);
      if (!work || job.interruptions > maxInterruptions)
        throw new PermanentFailure(`its node ended during ${job.interruptions} tries: it may be what ends the nodes`);
      outcome = await this.#tryOnce(work, job);
    } catch (error) {
      if (this.#stopping.signal.aborted) return this.#settle(job, (tx) => end(tx, job, { later: new Date(0) }));
      return this.#settle(job, (tx) => this.#fail(tx, job, error));
    }
    return outcome ? this.#settle(job, (tx) => end(tx, job, outcome)) : 'done';
  }

  /** Aborts running jobs. They are put back, so that another node takes them. */
  abort(): void {
    this.#stopping.abort(new Error('the node stops'));
  }

  /** Writes nothing down any more. Running jobs keep their leases until these end. */
  close(): void {
    this.#closing.abort();
  }

  async #tryOnce({ job, deps }: OpenedJob, taken: ClaimedJob): Promise<JobResult> {
    const data = job.check(taken.data);
    const team = taken.team_id === serviceTeam ? undefined : taken.team_id;
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    const timer = setTimeout(() => late.abort(new Error(`it took longer than ${job.options.timeout} s`)), job.options.timeout * 1_000);
    try {
      return await Promise.race([job.run(deps, data, { id: taken.id, team, attempt: taken.attempts, signal }), rejectedBy(signal)]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #fail(tx: Transaction, job: ClaimedJob, error: unknown): Promise<void> {
    const { database, log, metrics, works } = this.#options;
    const options = works.get(job.name)?.job.options;
    const reason = keptReason(error);
    const said = { err: error, job: job.name, jobId: job.id, team: job.team_id, attempt: job.attempts };
    tx.afterCommit(() => metrics.failed(job.name));
    if (waitsForRoom(error)) {
      await tx.all(putBack, { ...oneOf(job), at: new Date(database.clock.now() + roomlessMs) });
      tx.afterCommit(() => log.error(said, 'there is no room left for files: a job waits for it'));
      return;
    }
    const failures = job.attempts - job.interruptions;
    if (options && !(error instanceof PermanentFailure) && failures <= options.retries) {
      const { first, factor, most } = options.backoff;
      const waitSeconds = Math.min(most, first * factor ** (failures - 1));
      await tx.all(tryAgain, { ...oneOf(job), error: reason, waitSeconds });
      tx.afterCommit(() => log.warn({ ...said, waitSeconds }, 'a job failed and is tried again'));
      return;
    }
    const kept = await tx.first(giveUp, { ...oneOf(job), error: reason });
    if (kept) await options?.onDiscard?.(tx, job.data, reason);
    tx.afterCommit(() => log.error(said, 'a job failed for good: it is kept, see `chancery jobs list`'));
  }

  /** Writes down what came of a job, for as long as it takes. The job keeps its lease meanwhile, and is not done again. */
  async #settle(job: ClaimedJob, write: (tx: Transaction) => Promise<void>): Promise<'settled'> {
    const { database, log } = this.#options;
    const { signal } = this.#closing;
    for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      try {
        await database.asSystem('write down what came of a job', write);
        break;
      } catch (error) {
        log.warn({ err: error, job: job.name, jobId: job.id }, 'what came of a job could not be written down; trying again');
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    return 'settled';
  }
}

const oneOf = ({ team_id: team, id, attempts: attempt }: ClaimedJob) => ({ team, id, attempt });

async function end(tx: Transaction, job: ClaimedJob, outcome: Exclude<JobResult, void>): Promise<void> {
  if ('later' in outcome) await tx.all(putBack, { ...oneOf(job), at: outcome.later });
  else {
    // The row of a job is locked before any of those that it is about.
    await tx.all(removeJobs, { teams: [job.team_id], ids: [job.id] });
    await outcome.write(tx);
  }
}
