import { type Clock, systemClock } from '../kernel/clock.ts';
import { type CacheCounters, cachedRouter } from './cachedRouter.ts';
import { type GuardedRouter, guardedRouter } from './guardedRouter.ts';
import { osrmHttp } from './osrmHttp.ts';
import type { Router } from './router.ts';
import { valhallaEmbedded } from './valhallaEmbedded.ts';
import { valhallaHttp } from './valhallaHttp.ts';

export type RouterConfig =
  | { kind: 'valhalla'; folder: string }
  | { kind: 'valhalla-http'; url: string }
  | { kind: 'osrm-http'; url: string };

export interface RouterOptions {
  /** A point farther than this from any road is refused. */
  snapMetres: number;
  timeoutMs?: number;
  clock?: Clock;
}

export interface ChosenRouter {
  /** Guarded and cached: rejects with RoutingUnavailable at once while the engine is out of order. */
  router: Router;
  /** For metrics. */
  counters(): { guard: ReturnType<GuardedRouter['counters']>; cache: CacheCounters };
  close(): Promise<void>;
}

const TIMEOUT_MS = 4000;

/** The router that the configuration names. A central with another router has its own entry, made the same way. */
export function chooseRouter(
  config: RouterConfig,
  { snapMetres, timeoutMs = TIMEOUT_MS, clock = systemClock }: RouterOptions,
): ChosenRouter {
  const { engine, close } = openEngine(config, { timeoutMs, snapMetres }, () => cache.clear());
  const guard = guardedRouter(engine, { timeoutMs, clock });
  const cache = cachedRouter(guard, { clock });
  return {
    router: cache,
    counters: () => ({ guard: guard.counters(), cache: cache.counters() }),
    close,
  };
}

function openEngine(
  config: RouterConfig,
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
