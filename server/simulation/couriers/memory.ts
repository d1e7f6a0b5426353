import { randomUUID } from 'node:crypto';
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../src/platform/kernel/lru.ts';
import type { Position } from '../../src/platform/kernel/position.ts';
import type { Journey } from './journey.ts';

/** A cache of this process; losing it costs only repeated queries. */
export interface Memory {
  /** Identifies this process in its leases. */
  holder: string;
  journeys: LRUCache<string, Journey>;
  busyPlaces: LRUCache<number, { places: Position[]; until: Temporal.Instant }>;
}

const JOURNEYS_MAX = 5_000;
const CENTRALS_MAX = 1_000;

export const newMemory = (): Memory => ({
  holder: randomUUID(),
  journeys: lruCache(JOURNEYS_MAX),
  busyPlaces: lruCache(CENTRALS_MAX),
});
