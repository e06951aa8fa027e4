import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database.ts';
import { serviceTeam } from '../journal/record.ts';
import type { JobMetrics } from '../telemetry/metrics.ts';
import { markFailed, SpanKind, traced, type Tracer } from '../telemetry/tracing.ts';
import { hasCode } from '../storage/file-system-errors.ts';
import { StorageError } from '../storage/storage.ts';
import { keptReason } from '../text.ts';
import { type OpenedJob, type JobResult, PermanentFailure, rejectedBy } from './job.ts';
import { giveUp, putBack, removeJobs, type ClaimedJob, tryAgain } from './queries.ts';

type RunnerOptions = {
  database: Database;
  log: Logger;
  metrics: JobMetrics;
  tracer?: Tracer | undefined;
  works: ReadonlyMap<string, OpenedJob>;
};

const longestPauseMs = 5_000;

/** Maximum number of interruptions before a job is discarded, because it may crash the nodes. They do not count as retries. */
const maxInterruptions = 10;

/** Wait in milliseconds before a job runs again after the storage was full. */
const roomlessMs = 60_000;

/**
 * Returns whether the storage is full. The job then waits for the operator, and the attempt does not count. A file above the size limit of the
 * file system fails at every attempt, so it is excluded.
 */
const waitsForRoom = (error: unknown): boolean =>
  error instanceof StorageError && error.reason === 'no_space' && !hasCode(error.cause, 'EFBIG');

/** Runs claimed jobs: enforces the time limit of an attempt, records its result, and schedules a retry or discards the job. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Runs one attempt of a job. `done`: the job must still be removed; `settled`: the result is recorded. */
  carryOut(job: ClaimedJob): Promise<'done' | 'settled'> {
    const attributes = { 'chancery.job.id': job.id, 'chancery.job.attempt': job.attempts, 'chancery.team.id': job.team_id };
    const span = { name: `job ${job.name}`, kind: SpanKind.CONSUMER, attributes, traceparent: job.traceparent };
    return traced(this.#options.tracer, span, () => this.#carryOut(job));
  }

  async #carryOut(job: ClaimedJob): Promise<'done' | 'settled'> {
    let outcome: JobResult;
    try {
      const work = this.#options.works.get(job.name);
      if (!work || job.interruptions > maxInterruptions)
        throw new PermanentFailure(`the job was interrupted ${job.interruptions} times by the end of its node and may crash the nodes`);
      outcome = await this.#tryOnce(work, job);
    } catch (error) {
      if (this.#stopping.signal.aborted) return this.#settle(job, (tx) => end(tx, job, { later: new Date(0) }));
      markFailed(error);
      return this.#settle(job, (tx) => this.#fail(tx, job, error));
    }
    return outcome ? this.#settle(job, (tx) => end(tx, job, outcome)) : 'done';
  }

  /** Aborts running jobs. They return to the queue, so that another node runs them. */
  abort(): void {
    this.#stopping.abort(new Error('the node is stopping'));
  }

  /** Stops recording results. Running jobs keep their leases until these expire. */
  close(): void {
    this.#closing.abort();
  }

  async #tryOnce({ job, deps }: OpenedJob, taken: ClaimedJob): Promise<JobResult> {
    const data = job.check(taken.data);
    const team = taken.team_id === serviceTeam ? undefined : taken.team_id;
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    const timer = setTimeout(() => late.abort(new Error(`the job took longer than ${job.options.timeout} s`)), job.options.timeout * 1_000);
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
      tx.afterCommit(() => log.error(said, 'the file storage is full; a job waits'));
      return;
    }
    const failures = job.attempts - job.interruptions;
    if (options && !(error instanceof PermanentFailure) && failures <= options.retries) {
      const { first, factor, most } = options.backoff;
      const waitSeconds = Math.min(most, first * factor ** (failures - 1));
      await tx.all(tryAgain, { ...oneOf(job), error: reason, waitSeconds });
      tx.afterCommit(() => log.warn({ ...said, waitSeconds }, 'a job failed and will be retried'));
      return;
    }
    const kept = await tx.first(giveUp, { ...oneOf(job), error: reason });
    if (kept) await options?.onDiscard?.(tx, job.data, reason);
    tx.afterCommit(() => log.error(said, 'a job failed permanently and is kept; see `chancery jobs list`'));
  }

  /** Records the result of a job and retries until it succeeds. In the meantime the job keeps its lease, so no other node repeats it. */
  async #settle(job: ClaimedJob, write: (tx: Transaction) => Promise<void>): Promise<'settled'> {
    const { database, log } = this.#options;
    const { signal } = this.#closing;
    for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      try {
        await database.asSystem('record the result of a job', write);
        break;
      } catch (error) {
        log.warn({ err: error, job: job.name, jobId: job.id }, 'the result of a job could not be recorded; retrying');
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
    // The row of a job is locked before the rows of its resources.
    await tx.all(removeJobs, { teams: [job.team_id], ids: [job.id] });
    await outcome.write(tx);
  }
}
