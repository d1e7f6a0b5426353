import type { Settings } from '../../centrals/central.ts';
import { type Clock, systemClock } from '../../platform/kernel/clock.ts';
import { type CacheCounters, cachedRouter } from './cachedRouter.ts';
import { type GuardedRouter, guardedRouter } from './guardedRouter.ts';
import { osrmHttp } from './osrmHttp.ts';
import { currentVersion, watchRoads } from './roadFolder.ts';
import { type Router, RoutingUnavailable } from './router.ts';
import { estimatorFor, type Routers, withFallback } from './routers.ts';
import { valhallaHttp } from './valhalla.ts';
import { valhallaEmbedded } from './valhallaEmbedded.ts';

/** The choices of a central, or of the configuration for all centrals. */
export const ENGINES = ['auto', 'estimator', 'roads', 'valhalla', 'osrm'] as const;
export type Engine = (typeof ENGINES)[number];

export interface RoutingConfig {
  /** For centrals set to `auto`: imported roads if there are any, else the estimator. */
  engine: Engine;
  /** The folder of `malote roads import`. */
  folder: string;
  valhallaUrl: string | undefined;
  osrmUrl: string | undefined;
  /** A point farther than this from any road is refused. */
  snapMetres: number;
}

export interface OpenRouters extends Routers {
  close(): Promise<void>;
}

export interface OpenRoutersOptions {
  clock: Clock;
  onFallback: (reason: RoutingUnavailable) => void;
  /** What answers for centrals set to `auto` before roads are imported: the estimator, unless given. */
  withoutRoads?: ((settings: Settings, estimator: Router) => Router) | undefined;
  timeoutMs?: number;
}

/**
 * One engine of each kind, opened at first use and shared by all centrals. URLs come from the configuration only:
 * a central chooses among engines but cannot set a URL.
 */
export async function openRouters(
  config: RoutingConfig,
  {
    clock,
    onFallback,
    withoutRoads = (_settings, estimator) => estimator,
    timeoutMs = TIMEOUT_MS,
  }: OpenRoutersOptions,
): Promise<OpenRouters> {
  const opened = new Map<string, ChosenRouter>();
  let fallbacks = 0;
  let hasRoads = false;
  const watching = watchRoads(config.folder, () => {
    hasRoads = true;
  });
  // Read after the watch has begun, so that no import falls between the two. An unreadable folder may hold roads:
  // their engine then reports why it is out of order, where an estimate would hide it.
  hasRoads ||= await currentVersion(config.folder).then(
    (version) => version !== null,
    () => true,
  );

  const open = (engine: RouterConfig): Router => {
    let chosen = opened.get(engine.kind);
    if (!chosen) {
      chosen = chooseRouter(engine, { clock, snapMetres: config.snapMetres, timeoutMs });
      opened.set(engine.kind, chosen);
    }
    return chosen.router;
  };

  const engineOf = (settings: Settings): Engine => {
    const engine = settings.routing === 'auto' ? config.engine : settings.routing;
    return engine === 'auto' && hasRoads ? 'roads' : engine;
  };

  const forPlanning = (settings: Settings): Router => {
    const { folder, valhallaUrl, osrmUrl } = config;
    switch (engineOf(settings)) {
      case 'roads':
        return open({ kind: 'valhalla', folder });
      case 'valhalla':
        return valhallaUrl ? open({ kind: 'valhalla-http', url: valhallaUrl }) : noAddress('VALHALLA');
      case 'osrm':
        return osrmUrl ? open({ kind: 'osrm-http', url: osrmUrl }) : noAddress('OSRM');
      case 'estimator':
        return estimatorFor(settings);
      case 'auto':
        return withoutRoads(settings, estimatorFor(settings));
    }
  };

  return {
    forPlanning,
    forEstimates(settings) {
      const engine = engineOf(settings);
      if (engine === 'estimator' || engine === 'auto') return forPlanning(settings);
      return withFallback(forPlanning(settings), estimatorFor(settings), (reason) => {
        fallbacks += 1;
        onFallback(reason);
      });
    },
    figures: () => ({
      engines: [...opened].map(([name, chosen]) => ({ name, ...chosen.counters() })),
      fallbacks,
    }),
    async close() {
      watching.close();
      await Promise.all([...opened.values()].map((chosen) => chosen.close()));
    },
  };
}

/** A central may choose an engine for which this service has no URL. */
function noAddress(engine: 'VALHALLA' | 'OSRM'): Router {
  const refuse = async () => {
    throw new RoutingUnavailable(`the central's routing engine has no address: set MALOTE_${engine}_URL`);
  };
  return { name: 'none', matrix: refuse, route: refuse };
}

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
