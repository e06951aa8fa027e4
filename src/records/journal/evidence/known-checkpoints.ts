import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseCheckpoint } from '../tree/checkpoint.ts';

const knownCheckpoints = Type.Object({
  /** The newest signed checkpoint. */
  checkpoint: Type.String(),
  /** The number of hours with a stored checkpoint. */
  hours: Type.Integer({ minimum: 0 }),
  /** The newest of these hours, newest first, with the number of checkpoints of each. */
  recent: Type.Array(Type.Object({ hour: Type.String(), checkpoints: Type.Integer({ minimum: 1 }) })),
});

/** A summary of the signed checkpoints of a verified journal. The next verification compares with it. */
export type KnownCheckpoints = Static<typeof knownCheckpoints>;

/** Parses the note of a verification. Returns undefined if it is invalid. */
export function parseKnown(text: string): KnownCheckpoints | undefined {
  try {
    const known: unknown = JSON.parse(text);
    return Value.Check(knownCheckpoints, known) && parseCheckpoint(known.checkpoint) ? known : undefined;
  } catch {
    return undefined;
  }
}
