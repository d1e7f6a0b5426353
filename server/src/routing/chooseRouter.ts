import { type Clock, systemClock } from '../kernel/clock.ts';
import { type CacheCounters, cachedRouter } from './cachedRouter.ts';
import { type GuardedRouter, guardedRouter } from './guardedRouter.ts';
import { osrmHttp } from './osrmHttp.ts';
import type { Router } from './router.ts';
import { STRAIGHT_LINE_DEFAULTS, type StraightLineFactors, straightLineRouter } from './straightLine.ts';
import { valhallaEmbedded } from './valhallaEmbedded.ts';
import { valhallaHttp } from './valhallaHttp.ts';

export type RouterConfig =
  | { kind: 'straight-line'; factors?: StraightLineFactors }
  | { kind: 'valhalla'; folder: string }
  | { kind: 'valhalla-http'; url: string }
  | { kind: 'osrm-http'; url: string };

export interface RouterOptions {
  /** A point farther than this from any road is refused. */
  snapMetres?: number;
  timeoutMs?: number;
  cacheCellsMax?: number;
  clock?: Clock;
}

export interface ChosenRouter {
  /** Guarded and cached: rejects with RoutingUnavailable at once while the engine is out of order. */
  router: Router;
  /** For metrics; null where there is nothing to count, because nothing can fail. */
  counters(): { guard: ReturnType<GuardedRouter['counters']>; cache: CacheCounters } | null;
  close(): Promise<void>;
}

const SNAP_METRES = 500;
const TIMEOUT_MS = 4000;

/** The router that the configuration names. A central with another one has its own entry, made the same way. */
export function chooseRouter(config: RouterConfig, options: RouterOptions = {}): ChosenRouter {
  if (config.kind === 'straight-line') {
    const router = straightLineRouter(config.factors ?? STRAIGHT_LINE_DEFAULTS);
    return { router, counters: () => null, async close() {} };
  }
  const { timeoutMs = TIMEOUT_MS, snapMetres = SNAP_METRES, clock = systemClock, cacheCellsMax } = options;
  const engineOptions = { timeoutMs, snapMetres };
  const { engine, close } = openEngine(config, engineOptions, () => cache.clear());
  const guard = guardedRouter(engine, { timeoutMs, clock });
  const cache = cachedRouter(guard, { clock, ...(cacheCellsMax ? { cellsMax: cacheCellsMax } : {}) });
  return {
    router: cache,
    counters: () => ({ guard: guard.counters(), cache: cache.counters() }),
    close,
  };
}

function openEngine(
  config: Exclude<RouterConfig, { kind: 'straight-line' }>,
  options: { timeoutMs: number; snapMetres: number },
  onSwitch: () => void,
): { engine: Router; close(): Promise<void> } {
  switch (config.kind) {
    case 'valhalla': {
      const engine = valhallaEmbedded(config.folder, { ...options, onSwitch });
      return { engine, close: () => engine.close() };
    }
    case 'valhalla-http':
      return { engine: valhallaHttp(config.url, options), async close() {} };
    case 'osrm-http':
      return { engine: osrmHttp(config.url, options), async close() {} };
  }
}
