import { BoundedMap } from '../kernel/boundedMap.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Position, roundDegrees } from '../kernel/position.ts';
import type { Matrix, Profile, Router } from './router.ts';

export interface CacheCounters {
  /** Matrices answered without asking. */
  hits: number;
  misses: number;
  cells: number;
}

export interface CachedRouter extends Router {
  counters(): CacheCounters;
  /** When the roads have changed. What was asked before and is answered later is not kept either. */
  clear(): void;
}

interface Cell {
  metres: number | null;
  seconds: number | null;
  until: number;
}

/**
 * Remembers ways between places, for matrices of any shape: a grouping asks again for most of what its deliveries'
 * estimates asked. Places are rounded to 5 decimals (about a metre) and asked for as rounded, so that an answer does
 * not depend on who came first. A matrix of which one cell is unknown is asked for whole.
 * Forgets after `maxAgeSeconds`, because an engine over HTTP gets new roads without telling.
 */
export function cachedRouter(
  inner: Router,
  {
    cellsMax = 200_000,
    maxAgeSeconds = 6 * 3600,
    clock = systemClock,
  }: { cellsMax?: number; maxAgeSeconds?: number; clock?: Clock } = {},
): CachedRouter {
  const cells = new BoundedMap<string, Cell>(cellsMax);
  const counters = { hits: 0, misses: 0 };
  let generation = 0;

  function remembered(keys: string[], profile: Profile): Matrix | null {
    const now = clock.now().epochMilliseconds;
    const matrix: Matrix = { metres: [], seconds: [] };
    for (const from of keys) {
      const row = keys.map((to) => cells.get(`${profile} ${from} ${to}`));
      if (!row.every((cell) => cell !== undefined && cell.until > now)) return null;
      matrix.metres.push(row.map((cell) => cell!.metres));
      matrix.seconds.push(row.map((cell) => cell!.seconds));
    }
    return matrix;
  }

  function remember(keys: string[], profile: Profile, { metres, seconds }: Matrix): void {
    const until = clock.now().epochMilliseconds + maxAgeSeconds * 1000;
    keys.forEach((from, row) => {
      keys.forEach((to, column) => {
        cells.set(`${profile} ${from} ${to}`, {
          metres: metres[row]![column]!,
          seconds: seconds[row]![column]!,
          until,
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
