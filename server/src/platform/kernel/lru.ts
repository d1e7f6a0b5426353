import { LRUCache } from 'lru-cache';

/**
 * A cache with a maximum number of entries that drops the least recently used. Each entry counts as a size of one: with
 * `max` instead, lru-cache reserves memory for all entries at once, which took 71 ms and 12 MB of each start.
 */
export const lruCache = <Key extends {}, Value extends {}>(
  entriesMax: number,
  options: Omit<LRUCache.Options<Key, Value, unknown>, 'max' | 'maxSize' | 'sizeCalculation'> = {},
): LRUCache<Key, Value> => new LRUCache({ ...options, maxSize: entriesMax, sizeCalculation: () => 1 });
