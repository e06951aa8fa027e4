import { LRUCache } from 'lru-cache';

/**
 * Returns a cache of at most `most` entries that evicts the least recently used entry. Entries expire after `ttl` milliseconds, if given.
 * It sets `maxSize` with a size of 1 for each entry, because the library allocates memory for `max` entries at the start.
 */
export function boundedCache<Value extends object | string | number | true>(
  most: number,
  { ttl }: { ttl?: number } = {},
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1, ...(ttl === undefined ? {} : { ttl }) });
}
