import { hash, randomBytes } from 'node:crypto';
import type { UniqueValue } from '../records/index.ts';

/** Values of unique fields that rows of a file have had. */
export type UniqueValueIndex = {
  /** Which of these values an earlier row has, and that row; where none has, they are this row’s from now on. */
  take(values: readonly UniqueValue[], row: number): { field: string; row: number } | undefined;
};

/** Of each value eight bytes of its hash, and the row. */
const width = 3;
const leastSlots = 1024;

/**
 * Values by hashes of one width in one block of memory: of a file of the largest size half a million values are seen, whose texts would
 * take ten times as much. That two of them have the same eight bytes is no matter of chance; who looks for such a pair spoils their own file.
 */
export function seenValues(): UniqueValueIndex {
  // Unknown to whoever chose the values, so that they cannot be such as crowd into one place, where each is looked for past all others.
  const salt = randomBytes(16).toString('hex');
  let slots = new Uint32Array(width * leastSlots);
  let taken = 0;

  /** Where a hash stands, or the free slot where it would. */
  function slotOf(all: Uint32Array, high: number, low: number): number {
    const mask = all.length / width - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const slot = at * width;
      if (all[slot + 2] === 0 || (all[slot] === high && all[slot + 1] === low)) return slot;
    }
  }

  function put(all: Uint32Array, [high, low, row]: readonly [number, number, number]): boolean {
    const slot = slotOf(all, high, low);
    const free = all[slot + 2] === 0;
    if (free) all.set([high, low, row], slot);
    return free;
  }

  function grow(): void {
    // The number of slots is a power of two.
    const more = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += width)
      if (slots[at + 2] !== 0) put(more, [slots[at] ?? 0, slots[at + 1] ?? 0, slots[at + 2] ?? 0]);
    slots = more;
  }

  return {
    take(values, row) {
      const hashed = values.map(({ field, key }) => {
        const bytes = hash('sha256', `${salt} ${field} ${key}`, 'buffer');
        return { field, high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4) };
      });
      for (const { field, high, low } of hashed) {
        const earlier = slots[slotOf(slots, high, low) + 2] ?? 0;
        if (earlier !== 0) return { field, row: earlier };
      }
      for (const { high, low } of hashed) {
        if (put(slots, [high, low, row])) taken += 1;
        if (taken * 4 > (slots.length / width) * 3) grow();
      }
      return undefined;
    },
  };
}
