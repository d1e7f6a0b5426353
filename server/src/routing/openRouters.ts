import type { Settings } from '../centrals/central.ts';
import type { Clock } from '../kernel/clock.ts';
import { type ChosenRouter, chooseRouter, type RouterConfig } from './chooseRouter.ts';
import { currentVersion, watchRoads } from './roads.ts';
import { type Router, RoutingUnavailable } from './router.ts';
import { estimatorFor, type Routers, withFallback } from './routers.ts';

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

/**
 * One engine of each kind, opened at first use and shared by all centrals. URLs come from the configuration only:
 * a central chooses among engines but cannot set a URL.
 */
export async function openRouters(
  config: RoutingConfig,
  { clock, onFallback }: { clock: Clock; onFallback: (reason: RoutingUnavailable) => void },
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
      chosen = chooseRouter(engine, { clock, snapMetres: config.snapMetres });
      opened.set(engine.kind, chosen);
    }
    return chosen.router;
  };

  const engineOf = (settings: Settings): Exclude<Engine, 'auto'> => {
    const engine = settings.routing === 'auto' ? config.engine : settings.routing;
    if (engine === 'auto') return hasRoads ? 'roads' : 'estimator';
    return engine;
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
    }
  };

  return {
    forPlanning,
    forEstimates(settings) {
      const estimator = estimatorFor(settings);
      if (engineOf(settings) === 'estimator') return estimator;
      return withFallback(forPlanning(settings), estimator, (reason) => {
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
