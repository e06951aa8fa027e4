import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `most` entries, of which the longest unused goes first; kept for `ttl` milliseconds where that is given.
 * The library makes room for `max` entries ahead, which for the counters of a service that is idle is memory and time at the start for nothing:
 * counted as sizes of one, they take room as they come.
 */
export function boundedCache<Value extends object | string | number | true>(
  most: number,
  { ttl }: { ttl?: number } = {},
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1, ...(ttl === undefined ? {} : { ttl }) });
}
