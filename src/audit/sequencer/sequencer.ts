import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/errors.ts';
import type { Listener } from '../../platform/database/listen.ts';
import { auditDue, type BulkListener } from '../../platform/journal/record.ts';
import { type Checkpoint, isSignedBy, logVerifiers, parseCheckpoint, signCheckpoint, type WitnessKeys } from '../tree/checkpoint.ts';
import {
  BrokenTree,
  type Integrated,
  integrateEntries,
  proveToWitness,
  publish,
  readLog,
  releaseLease,
  teamsDue,
  unpublished,
} from './jobs.ts';
import { createTeamRests } from './team-rests.ts';
import type { TreeHead } from '../tree/merkle.ts';
import type { LogRow, Whose } from '../tree/queries.ts';
import { parseNote, verifies } from '../tree/note.ts';
import { askWitness, type Witness, WitnessAlarm } from './witness.ts';

export type SequencerOptions = {
  database: Database;
  listener: Listener;
  keys: WitnessKeys;
  /** The log's name in its checkpoints. */
  origin: string;
  witnesses: readonly Witness[];
  /** Hears of each entry, in bulk, in the transaction that makes it a leaf. */
  announce: BulkListener;
  log: Logger;
  clock?: () => Date;
  /** How often the journal is looked at when nobody says that there is something, in milliseconds. */
  pollMs?: number;
  /** Least time between two batches that are not full, in milliseconds. */
  pauseMs?: number;
  /** Entries a batch. */
  batch?: number;
  /** How long the tree belongs to this process after a batch. */
  leaseSeconds?: number;
  witnessTimeoutMs?: number;
  /** Called after each pass over the journal, also after one that found nothing or failed. */
  onPass?: () => void;
};

export type Sequencer = {
  start(): Promise<void>;
  /** Integrates what waits, finishes what is under way and gives the lease back. */
  stop(): Promise<void>;
};

/** A witness that fails is asked again after 1 s, 2 s, 4 s … at most 5 minutes. */
const longestRestMs = 300_000;

type Standing = { witness: Witness; from: number; failures: number; restUntil: number };

/**
 * Makes the journal one Merkle tree: entries become leaves in batches, each batch under a signed checkpoint, which outside
 * witnesses cosign before readers get it. Any number of sequencers share one database; one of them works at a time.
 */
export function createSequencer(options: SequencerOptions): Sequencer {
  const { database, listener, keys, origin, log, clock = () => new Date() } = options;
  const { pollMs = 500, pauseMs = 100, batch = 1_000, leaseSeconds = 5, witnessTimeoutMs = 5_000 } = options;
  const holder = randomUUID();
  const standings: Standing[] = options.witnesses.map((witness) => ({ witness, from: 0, failures: 0, restUntil: 0 }));
  const rests = createTeamRests();
  let remembered: TreeHead | undefined;
  let authenticated = '';
  let stopping = false;
  let again = false;
  let running: Promise<void> | undefined;
  let publishing: Promise<void> | undefined;
  let poll: NodeJS.Timeout | undefined;
  let pausing: { timer: NodeJS.Timeout; end: () => void } | undefined;
  let complaint = '';

  /** Our own signature on what is stored; a key that another node made meanwhile is read first. */
  async function authenticate(checkpoint: Checkpoint): Promise<void> {
    if (checkpoint.text === authenticated) return;
    const known = () => isSignedBy(checkpoint, logVerifiers(keys.publicKeys('witness'), checkpoint.origin));
    if (!known()) await keys.reload();
    if (!known()) throw new BrokenTree('the stored checkpoint carries no signature of a witness key of this service');
    authenticated = checkpoint.text;
  }

  async function integrateOf(whose: Whose): Promise<Integrated | undefined> {
    const done = await integrateEntries(database, {
      whose,
      holder,
      leaseSeconds,
      limit: batch,
      now: clock(),
      authenticate,
      sign: (head) => signCheckpoint(keys, origin, head),
      remembered,
      publish: standings.length === 0,
      announce: options.announce,
    });
    if (done) remembered = done.head;
    return done;
  }

  /** The next entries of all teams; where that fails for what one team has, those of each team by themselves. */
  async function integrate(): Promise<Integrated | undefined> {
    const whose = { only: null, except: rests.resting() };
    try {
      const done = await integrateOf(whose);
      if (done) rests.allWell();
      return done;
    } catch (error) {
      if (isEverybodys(error)) throw error;
      return integrateEach(await teamsDue(database, whose, batch), error);
    }
  }

  /** Whose entries cannot be integrated rest, so that they hold up nobody else’s; when nobody’s can, it is no team’s fault. */
  async function integrateEach(teams: readonly string[], cause: unknown): Promise<Integrated | undefined> {
    let done: Integrated | undefined;
    const failed: string[] = [];
    for (const team of teams) {
      try {
        done = (await integrateOf({ only: team, except: [] })) ?? done;
        rests.wellAgain(team);
      } catch (error) {
        if (isEverybodys(error)) throw error;
        failed.push(team);
      }
    }
    if (!done) throw cause;
    for (const team of failed) {
      if (rests.rest(team) === 1)
        log.error({ err: cause, teamId: team }, 'audit entries of a team cannot be integrated; those of others go on');
    }
    return done;
  }

  async function drain(): Promise<void> {
    do {
      again = false;
      const state = await readLog(database);
      if (!state.due && state.checkpoint !== null) break;
      const done = await integrate();
      if (!done) return;
      if (done.integrated < batch && !stopping) await pause();
      else again = true;
    } while (again);
    complaint = '';
    if (standings.length > 0 && !stopping) startPublishing();
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      pausing = { end: resolve, timer: setTimeout(resolve, pauseMs) };
    });
  }

  function wake(): void {
    again = true;
    if (running || stopping) return;
    running = drain()
      .catch(complain)
      .finally(() => {
        running = undefined;
        options.onPass?.();
      });
  }

  /** Once for each new fault, however often it is met. */
  function complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === complaint) return;
    complaint = message;
    if (error instanceof BrokenTree) log.error({ err: error }, 'the audit journal is not extended: run `audit verify`');
    else log.warn({ err: error }, 'audit entries cannot be integrated; trying again');
  }

  function startPublishing(): void {
    publishing ??= publishNewest()
      .catch((error: unknown) => log.warn({ err: error }, 'a checkpoint could not be published; trying again'))
      .finally(() => {
        publishing = undefined;
      });
  }

  /** Asks the witnesses whose word is missing on the newest checkpoint, and shows readers what came of it. */
  async function publishNewest(): Promise<void> {
    while (wanting(await readLog(database))) {
      const state = await unpublished(database, { holder, leaseSeconds });
      const work = state && wanting(state);
      if (!work) return;
      const lines = await Promise.all(work.missing.map((standing) => ask(standing, work.checkpoint, work.signed)));
      if (work.readersHaveIt && lines.every((line) => line === '')) return;
      const note = `${work.note}${lines.join('')}`;
      if (!(await publish(database, holder, { size: work.checkpoint.size, note, at: clock() }))) return;
    }
  }

  /** What is still to be done before readers have the newest checkpoint with every word there is; nothing when they do. */
  function wanting({ checkpoint: signed, published }: Pick<LogRow, 'checkpoint' | 'published'>) {
    const checkpoint = parseCheckpoint(signed ?? '');
    if (signed === null || !checkpoint) return undefined;
    const readersHaveIt = published?.startsWith(signed) ?? false;
    const note = readersHaveIt && published !== null ? published : signed;
    const missing = standings.filter(({ witness, restUntil }) => restUntil <= performance.now() && !hasCosigned(witness, note));
    return readersHaveIt && missing.length === 0 ? undefined : { checkpoint, signed, note, readersHaveIt, missing };
  }

  async function ask(standing: Standing, checkpoint: Checkpoint, note: string): Promise<string> {
    const { witness } = standing;
    try {
      const line = await askWitness(witness, {
        checkpoint,
        note,
        from: standing.from,
        prove: (from) => proveToWitness(database, from, checkpoint.size),
        timeoutMs: witnessTimeoutMs,
      });
      Object.assign(standing, { from: checkpoint.size, failures: 0 });
      return line;
    } catch (error) {
      standing.failures += 1;
      standing.restUntil = performance.now() + Math.min(longestRestMs, 500 * 2 ** standing.failures);
      if (error instanceof WitnessAlarm)
        log.error({ err: error, witness: witness.verifier.name }, 'a witness does not recognise the audit journal');
      else
        log.warn(
          { err: error, witness: witness.verifier.name, failures: standing.failures },
          'a witness did not cosign; trying again later',
        );
      return '';
    }
  }

  return {
    async start() {
      await listener.on(auditDue, wake);
      poll = setInterval(wake, pollMs);
      wake();
    },
    async stop() {
      clearInterval(poll);
      stopping = true;
      clearTimeout(pausing?.timer);
      pausing?.end();
      await running;
      await drain().catch(complain);
      await publishing;
      await releaseLease(database, holder).catch(complain);
    },
  };
}

/** No team’s own fault: the database is away, or the tree is not as it was left. */
const isEverybodys = (error: unknown): boolean => error instanceof BrokenTree || isDatabaseUnavailable(error);

function hasCosigned({ verifier }: Witness, note: string): boolean {
  const parsed = parseNote(note);
  return parsed?.signatures.some((signature) => verifies(verifier, parsed.text, signature)) ?? false;
}
