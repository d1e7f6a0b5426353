import { Gauge, type Registry } from 'prom-client';
import type { RoutingFigures } from '../routing/routers.ts';

/** What the routing engines and the distance cache have done so far, by engine. */
export function measureRouting(registry: Registry, figures: () => RoutingFigures): void {
  const byEngine = (
    name: string,
    help: string,
    read: (engine: RoutingFigures['engines'][number]) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['engine'],
      registers: [registry],
      collect() {
        for (const engine of figures().engines) this.set({ engine: engine.name }, read(engine));
      },
    });
  byEngine('malote_routing_cache_hits', 'Matrices answered from the cache', ({ cache }) => cache.hits);
  byEngine(
    'malote_routing_cache_misses',
    'Matrices that the engine was asked for',
    ({ cache }) => cache.misses,
  );
  byEngine('malote_routing_cache_cells', 'Ways that the cache holds', ({ cache }) => cache.cells);
  byEngine(
    'malote_routing_failures',
    'Questions that the engine did not answer',
    ({ guard }) => guard.failures,
  );
  byEngine(
    'malote_routing_turned_away',
    'Questions not asked while the engine failed',
    ({ guard }) => guard.turnedAway,
  );
  new Gauge({
    name: 'malote_routing_fallbacks',
    help: 'Estimates made by straight lines because the roads were out of reach',
    registers: [registry],
    collect() {
      this.set(figures().fallbacks);
    },
  });
}
