import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import { type Checkpoint, parseCheckpoint } from '../tree/checkpoint.ts';
import { parseNote, verifies } from '../tree/note.ts';
import type { LogRow } from '../tree/queries.ts';
import { proveToWitness, publish, readLog, unpublished } from './jobs.ts';
import { askWitness, type Witness, WitnessAlarm } from './witness.ts';

/** A failing witness is retried after 1 s, 2 s, 4 s … at most 5 minutes. */
const longestRestMs = 300_000;

/** A witness with the size of the last tree that it cosigned, and its failures since. */
type WitnessState = { witness: Witness; from: number; failures: number; restUntil: number };

type PublisherOptions = {
  database: Database;
  /** The identifier of the sequencer, which owns the lease of the tree. */
  owner: string;
  leaseSeconds: number;
  witnesses: readonly Witness[];
  witnessTimeoutMs: number;
  clock: () => Date;
  log: Logger;
};

/** Requests cosignatures of the newest checkpoint, and publishes it with them. */
export class CheckpointPublisher {
  readonly #options: PublisherOptions;
  readonly #witnesses: readonly WitnessState[];
  #publishing: Promise<void> | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#witnesses = options.witnesses.map((witness) => ({ witness, from: 0, failures: 0, restUntil: 0 }));
  }

  /** Whether checkpoints need witnesses before they are published. */
  get isNeeded(): boolean {
    return this.#witnesses.length > 0;
  }

  /** Starts to publish the newest checkpoint, unless this is already in progress. */
  start(): void {
    this.#publishing ??= this.#publishNewest()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a checkpoint could not be published; retrying'))
      .finally(() => {
        this.#publishing = undefined;
      });
  }

  async stop(): Promise<void> {
    await this.#publishing;
  }

  async #publishNewest(): Promise<void> {
    const { database, owner, leaseSeconds, clock } = this.#options;
    while (this.#missingFrom(await readLog(database))) {
      const state = await unpublished(database, { owner, leaseSeconds });
      const work = state && this.#missingFrom(state);
      if (!work) return;
      const lines = await Promise.all(work.missing.map((witness) => this.#ask(witness, work.checkpoint, work.signed)));
      if (work.isPublished && lines.every((line) => line === '')) return;
      const note = `${work.note}${lines.join('')}`;
      if (!(await publish(database, owner, { size: work.checkpoint.size, note, at: clock() }))) return;
    }
  }

  /** Returns the note and the witnesses that are still missing for the newest checkpoint; undefined if it is published with all signatures. */
  #missingFrom({ checkpoint: signed, published }: Pick<LogRow, 'checkpoint' | 'published'>) {
    const checkpoint = parseCheckpoint(signed ?? '');
    if (signed === null || !checkpoint) return undefined;
    const isPublished = published?.startsWith(signed) ?? false;
    const note = isPublished && published !== null ? published : signed;
    const missing = this.#witnesses.filter(({ witness, restUntil }) => restUntil <= performance.now() && !hasCosigned(witness, note));
    return isPublished && missing.length === 0 ? undefined : { checkpoint, signed, note, isPublished, missing };
  }

  /** Returns the signature line of a witness, or an empty text if it did not cosign. */
  async #ask(state: WitnessState, checkpoint: Checkpoint, note: string): Promise<string> {
    const { database, witnessTimeoutMs: timeoutMs, log } = this.#options;
    const { witness, from } = state;
    try {
      const prove = (size: number) => proveToWitness(database, size, checkpoint.size);
      const line = await askWitness(witness, { checkpoint, note, from, prove, timeoutMs });
      Object.assign(state, { from: checkpoint.size, failures: 0 });
      return line;
    } catch (error) {
      state.failures += 1;
      state.restUntil = performance.now() + Math.min(longestRestMs, 500 * 2 ** state.failures);
      const about = { err: error, witness: witness.verifier.name };
      if (error instanceof WitnessAlarm) log.error(about, 'a witness rejected the audit journal as inconsistent');
      else log.warn({ ...about, failures: state.failures }, 'a witness did not cosign; retrying later');
      return '';
    }
  }
}

function hasCosigned({ verifier }: Witness, note: string): boolean {
  const parsed = parseNote(note);
  return parsed?.signatures.some((signature) => verifies(verifier, parsed.text, signature)) ?? false;
}
