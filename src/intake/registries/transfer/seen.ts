import { hash, randomBytes } from 'node:crypto';
import type { UniqueValue } from '../records/index.ts';

/** The values of unique fields in the rows of a file. */
export type UniqueValueIndex = {
  /** Returns the field and row of the first value that an earlier row already has. If there is none, adds the values of this row. */
  take(values: readonly UniqueValue[], row: number): { field: string; row: number } | undefined;
};

/** Three 32-bit words for each value: eight bytes of its hash, and the row. */
const width = 3;
const leastSlots = 1024;

/**
 * Stores hashes of fixed length in one block of memory. The largest file has half a million values, whose texts would take ten times as much. A
 * collision of eight bytes is very unlikely. A sender who constructs one only damages the sender’s own file.
 */
export function seenValues(): UniqueValueIndex {
  // The random salt prevents values that are chosen to collide in the same slots, which would make lookups slow.
  const salt = randomBytes(16).toString('hex');
  let slots = new Uint32Array(width * leastSlots);
  let taken = 0;

  /** Returns the slot of a hash, or the free slot for it. */
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
    // The number of slots stays a power of two.
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
