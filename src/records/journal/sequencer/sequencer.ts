import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../../platform/database/errors.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { WakeLoop } from '../../../platform/jobs/wake-loop.ts';
import { auditDue, type BulkListener } from '../../../platform/journal/record.ts';
import { type Checkpoint, isSignedBy, logVerifiers, signCheckpoint, type WitnessKeys } from '../tree/checkpoint.ts';
import { BrokenTree, type Integrated, integrateEntries, readLog, releaseLease, teamsDue } from './jobs.ts';
import { CheckpointPublisher } from './publisher.ts';
import { createTeamRests } from './team-backoff.ts';
import type { TreeHead } from '../tree/merkle.ts';
import type { TeamFilter } from '../tree/queries.ts';
import type { Witness } from './witness.ts';

export type SequencerOptions = {
  database: Database;
  listener: Listener;
  keys: WitnessKeys;
  /** The log's name in its checkpoints. */
  origin: string;
  witnesses: readonly Witness[];
  /** Called with the entries in bulk, in the transaction that makes them leaves. */
  announce: BulkListener;
  log: Logger;
  clock?: () => Date;
  /** The polling interval without notifications, in milliseconds. */
  pollMs?: number;
  /** Minimum time between two batches that are not full, in milliseconds. */
  pauseMs?: number;
  /** Maximum entries of a batch. */
  batch?: number;
  /** Seconds that this process keeps the lease of the tree after a batch. */
  leaseSeconds?: number;
  witnessTimeoutMs?: number;
  /** Called after each pass, also after one that found nothing or failed. */
  onPass?: () => void;
};

/**
 * Adds the journal’s entries to one Merkle tree in batches, each with a signed checkpoint. External witnesses cosign it before it is published. Any
 * number of sequencers may share a database; one works at a time.
 */
export class Sequencer {
  readonly #options: Required<Omit<SequencerOptions, 'onPass'>> & Pick<SequencerOptions, 'onPass'>;
  readonly #publisher: CheckpointPublisher;
  readonly #leaseOwner = randomUUID();
  readonly #rests = createTeamRests();
  /** The head after the last batch of this process. */
  #head: TreeHead | undefined;
  /** The text of the last verified checkpoint. */
  #verified = '';
  readonly #loop = new WakeLoop(
    () => this.#pass().finally(() => this.#options.onPass?.()),
    (error) => this.#report(error),
  );
  /** Ends the pauses between batches. */
  readonly #stopping = new AbortController();
  #lastError = '';

  constructor(options: SequencerOptions) {
    const defaults = { clock: () => new Date(), pollMs: 500, pauseMs: 100, batch: 1_000, leaseSeconds: 5, witnessTimeoutMs: 5_000 };
    this.#options = { ...defaults, ...options };
    this.#publisher = new CheckpointPublisher({ ...this.#options, owner: this.#leaseOwner });
  }

  async start(): Promise<void> {
    await this.#options.listener.on(auditDue, () => this.#loop.wake());
    this.#loop.poll(this.#options.pollMs);
  }

  /** Adds the waiting entries, completes work in progress and releases the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#loop.wake();
    await this.#loop.stop();
    await this.#publisher.stop();
    await releaseLease(this.#options.database, this.#leaseOwner).catch((error: unknown) => this.#report(error));
  }

  /** Adds a batch, unless another process has the lease. */
  async #pass(): Promise<void> {
    const { database, batch, pauseMs } = this.#options;
    const { signal } = this.#stopping;
    const state = await readLog(database);
    if (state.due || state.checkpoint === null) {
      const done = await this.#integrate();
      if (!done) return;
      if (done.integrated === batch || (signal.aborted && done.integrated > 0)) return this.#loop.wake();
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    this.#lastError = '';
    if (this.#publisher.isNeeded && !signal.aborted) this.#publisher.start();
  }

  /** Adds the next entries of all teams. If that fails because of one team, adds the entries of each team separately. */
  async #integrate(): Promise<Integrated | undefined> {
    const teams = { only: null, except: this.#rests.resting() };
    try {
      const done = await this.#integrateOf(teams);
      if (done) this.#rests.allWell();
      return done;
    } catch (error) {
      if (isOfNoTeam(error)) throw error;
      return this.#integrateEach(await teamsDue(this.#options.database, teams, this.#options.batch), error);
    }
  }

  /**
   * Adds the entries of each team separately. If a team fails, it is retried later and does not delay others. If all teams fail, the cause is not a
   * team.
   */
  async #integrateEach(teams: readonly string[], cause: unknown): Promise<Integrated | undefined> {
    let done: Integrated | undefined;
    const failed: string[] = [];
    for (const team of teams) {
      try {
        done = (await this.#integrateOf({ only: team, except: [] })) ?? done;
        this.#rests.wellAgain(team);
      } catch (error) {
        if (isOfNoTeam(error)) throw error;
        failed.push(team);
      }
    }
    if (!done) throw cause;
    for (const team of failed) {
      if (this.#rests.rest(team) === 1)
        this.#options.log.error(
          { err: cause, teamId: team },
          'audit entries of a team could not be added to the tree; other teams continue',
        );
    }
    return done;
  }

  async #integrateOf(teams: TeamFilter): Promise<Integrated | undefined> {
    const { database, leaseSeconds, batch: limit, clock, keys, origin, announce } = this.#options;
    const done = await integrateEntries(database, {
      teams: teams,
      owner: this.#leaseOwner,
      leaseSeconds,
      limit,
      now: clock(),
      authenticate: (checkpoint) => this.#verifyOwn(checkpoint),
      sign: (head) => signCheckpoint(keys, origin, head),
      remembered: this.#head,
      publish: !this.#publisher.isNeeded,
      announce,
    });
    if (done) this.#head = done.head;
    return done;
  }

  /** Verifies the service’s signature on the stored checkpoint. Reloads the keys if needed, because another node may have created its key. */
  async #verifyOwn(checkpoint: Checkpoint): Promise<void> {
    if (checkpoint.text === this.#verified) return;
    const { keys } = this.#options;
    const isKnown = () => isSignedBy(checkpoint, logVerifiers(keys.publicKeys('witness'), checkpoint.origin));
    if (!isKnown()) await keys.reload();
    if (!isKnown()) throw new BrokenTree('the stored checkpoint has no signature of a witness key of this service');
    this.#verified = checkpoint.text;
  }

  /** Logs an error, but a repeated one only after another error or a successful pass. */
  #report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#lastError) return;
    this.#lastError = message;
    const { log } = this.#options;
    if (error instanceof BrokenTree) log.error({ err: error }, 'the audit journal is not extended; run `audit verify`');
    else log.warn({ err: error }, 'audit entries could not be added to the tree; retrying');
  }
}

/** Whether no team is the cause: the database is not available, or the tree was changed. */
const isOfNoTeam = (error: unknown): boolean => error instanceof BrokenTree || isDatabaseUnavailable(error);
