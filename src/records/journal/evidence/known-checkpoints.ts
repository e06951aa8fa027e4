import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseCheckpoint } from '../tree/checkpoint.ts';

const knownCheckpoints = Type.Object({
  /** The newest signed checkpoint. */
  checkpoint: Type.String(),
  /** The number of hours that have a stored checkpoint. */
  hours: Type.Integer({ minimum: 0 }),
  /** The newest of these hours, newest first, with the number of checkpoints of each. */
  recent: Type.Array(Type.Object({ hour: Type.String(), checkpoints: Type.Integer({ minimum: 1 }) })),
});

/** The signed checkpoints of a verified journal, in brief. A later verification compares. */
export type KnownCheckpoints = Static<typeof knownCheckpoints>;

/** Reads the note of a verification. Returns `undefined` if it is none. */
export function parseKnown(text: string): KnownCheckpoints | undefined {
  try {
    const known: unknown = JSON.parse(text);
    return Value.Check(knownCheckpoints, known) && parseCheckpoint(known.checkpoint) ? known : undefined;
  } catch {
    return undefined;
  }
}
