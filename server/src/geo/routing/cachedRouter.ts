import { type Clock, systemClock } from '../../platform/kernel/clock.ts';
import { lruCache } from '../../platform/kernel/lru.ts';
import { type Position, roundDegrees } from '../../platform/kernel/position.ts';
import type { Matrix, Profile, Router } from './router.ts';

export interface CacheCounters {
  /** Matrices answered from the cache. */
  hits: number;
  misses: number;
  cells: number;
}

export interface CachedRouter extends Router {
  counters(): CacheCounters;
  /** For a change of the roads. The answers of requests in flight are not cached either. */
  clear(): void;
}

interface Cell {
  metres: number | null;
  seconds: number | null;
}

/**
 * Caches distances between places, for matrices of any shape: a grouping requests most of what the estimates of its
 * deliveries requested. Places are rounded to 5 decimals (about a metre) before the engine is called, so an answer
 * does not depend on the order of requests. A matrix with one unknown cell is requested whole.
 * Entries expire after `maxAgeSeconds`, because an engine over HTTP loads new roads without notice.
 */
export function cachedRouter(
  inner: Router,
  {
    cellsMax = 200_000,
    maxAgeSeconds = 6 * 3600,
    clock = systemClock,
  }: { cellsMax?: number; maxAgeSeconds?: number; clock?: Clock } = {},
): CachedRouter {
  const cells = lruCache<string, Cell>(cellsMax, {
    ttl: maxAgeSeconds * 1000,
    ttlResolution: 0,
    perf: { now: () => clock.milliseconds() },
  });
  const counters = { hits: 0, misses: 0 };
  let generation = 0;

  function remembered(keys: string[], profile: Profile): Matrix | null {
    const matrix: Matrix = { metres: [], seconds: [] };
    for (const from of keys) {
      const row = keys.map((to) => cells.get(`${profile} ${from} ${to}`));
      if (!row.every((cell) => cell !== undefined)) return null;
      matrix.metres.push(row.map((cell) => cell!.metres));
      matrix.seconds.push(row.map((cell) => cell!.seconds));
    }
    return matrix;
  }

  function remember(keys: string[], profile: Profile, { metres, seconds }: Matrix): void {
    keys.forEach((from, row) => {
      keys.forEach((to, column) => {
        cells.set(`${profile} ${from} ${to}`, {
          metres: metres[row]![column]!,
          seconds: seconds[row]![column]!,
        });
      });
    });
  }

  return {
    name: inner.name,

    async matrix(points, profile) {
      const places = points.map(rounded);
      const keys = places.map(({ lat, lng }) => `${lat},${lng}`);
      const known = remembered(keys, profile);
      if (known) {
        counters.hits++;
        return known;
      }
      counters.misses++;
      const asked = generation;
      const matrix = await inner.matrix(places, profile);
      if (asked === generation) remember(keys, profile, matrix);
      return matrix;
    },

    route: (points, profile) => inner.route(points, profile),

    counters: () => ({ ...counters, cells: cells.size }),

    clear() {
      generation++;
      cells.clear();
    },
  };
}

const rounded = ({ lat, lng }: Position): Position => ({ lat: roundDegrees(lat), lng: roundDegrees(lng) });
