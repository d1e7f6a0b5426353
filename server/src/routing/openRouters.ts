import type { Settings } from '../centrals/settings.ts';
import type { Clock } from '../kernel/clock.ts';
import { type ChosenRouter, chooseRouter, type RouterConfig } from './chooseRouter.ts';
import { currentVersion, watchRoads } from './roads.ts';
import { type Router, RoutingUnavailable } from './router.ts';
import { estimatorFor, type Routers, withFallback } from './routers.ts';

/** What a central, or the configuration for all of them, may choose. */
export const ENGINES = ['auto', 'estimator', 'roads', 'valhalla', 'osrm'] as const;
export type Engine = (typeof ENGINES)[number];

export interface RoutingConfig {
  /** For centrals that leave it at `auto`, which means: imported roads if there are any, else the estimator. */
  engine: Engine;
  /** Where `malote roads import` puts the roads. */
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
 * One engine of each kind, opened when it is first needed and shared by all centrals that use it. Addresses
 * come from the configuration only: a central chooses among engines, it cannot point us somewhere.
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
  // Looked at after the watching began, so that no import falls between the two. A folder that cannot be read may
  // hold roads: their engine says that it is out of order, and why, while a guess in their place would say nothing.
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

/** A central may choose an engine that this service was given no address of. */
function noAddress(engine: 'VALHALLA' | 'OSRM'): Router {
  const refuse = async () => {
    throw new RoutingUnavailable(`the central's routing engine has no address: set MALOTE_${engine}_URL`);
  };
  return { name: 'none', matrix: refuse, route: refuse };
}
