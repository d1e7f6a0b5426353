import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RequestFigures } from '../../events/requests/recordRequests.ts';
import type { Geocoders } from '../../geo/geocoding/geocoders.ts';
import type { RoutingFigures } from '../../geo/routing/routers.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isMigrated } from '../../platform/postgres/migrate.ts';
import type { RowTextFigures } from '../../platform/postgres/rowTexts.ts';
import type { ArrivingBodies } from './arrivingBodies.ts';
import type { EventStreams } from './eventStreams.ts';
import type { HeavyWork } from './heavyWork.ts';
import { type RequestLabels, requestDurations } from './requestDurations.ts';
import { isLoopbackAddress, listensHereOnly } from './servedHosts.ts';

export interface Metrics {
  /** The registry to which other rooms add their gauges and counters. */
  registry: Registry;
  /** Observes the seconds that answers of this kind took. */
  requestsOf(labels: RequestLabels): (seconds: number) => void;
}

/** The observed part of a `pg` pool. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Labels come from short closed lists: methods, endpoint patterns, statuses. Never ids, never centrals. */
export function openMetrics(pool: PoolCounts): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('malote_db_pool_in_use', 'Connections that work right now', () => pool.totalCount - pool.idleCount);
  gauge('malote_db_pool_idle', 'Connections that wait for work', () => pool.idleCount);
  gauge('malote_db_pool_waiting', 'Callers that wait for a connection', () => pool.waitingCount);
  return { registry, requestsOf: requestDurations(registry) };
}

/**
 * The figures cover all centrals, so no central may read them. They require the bearer token. Without a configured
 * token, only a service that listens on loopback alone and receives the request without a proxy answers. On a
 * service that listens to the network, a local caller may be a proxy that forwards any request.
 */
export function installMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.get('/metrics', async (request, reply) => {
    const allowed =
      token === undefined
        ? listensHereOnly(app) && comesFromThisMachine(request)
        : showsToken(request, token);
    if (!allowed) throw new Refusal('route-not-found');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const comesFromThisMachine = ({ socket, headers }: FastifyRequest): boolean =>
  isLoopbackAddress(socket.remoteAddress) && !PROXY_HEADERS.some((name) => name in headers);

function showsToken({ headers }: FastifyRequest, token: string): boolean {
  const shown = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}

/** The number of connected live clients, and of those dropped because they read too slowly. */
export function measureStreams(registry: Registry, streams: EventStreams): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('malote_live_listeners', 'Open streams of live updates', () => streams.count());
  gauge('malote_live_dropped', 'Streams that were closed because their client read too slowly', () =>
    streams.dropped(),
  );
}

/** The memory of bodies that arrive or whose requests are being answered. */
export function measureBodies(registry: Registry, bodies: ArrivingBodies): void {
  new Gauge({
    name: 'malote_body_bytes',
    help: 'Memory of the bodies of requests that are not yet answered',
    registers: [registry],
    collect() {
      this.set(bodies.bytes());
    },
  });
}

/** Texts of rows kept in memory: how many bytes, and how often they were of use. */
export function measureRowTexts(registry: Registry, figures: () => RowTextFigures): void {
  const gauge = (name: string, help: string, read: (now: RowTextFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(figures()));
      },
    });
  gauge('malote_row_texts_bytes', 'Memory of texts of rows that are kept', ({ bytes }) => bytes);
  gauge('malote_row_texts', 'Texts of rows that are kept', ({ texts }) => texts);
  gauge('malote_row_texts_hits', 'Rows of pages answered from memory', ({ hits }) => hits);
  gauge('malote_row_texts_misses', 'Rows of pages that PostgreSQL wrote', ({ misses }) => misses);
}

/** Called for each delivery attempt of a webhook message. */
export function webhookMetrics(registry: Registry): (received: boolean, seconds: number) => void {
  const attempts = new Counter({
    name: 'malote_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook, by result',
    labelNames: ['result'],
    registers: [registry],
  });
  const durations = new Counter({
    name: 'malote_webhook_attempt_seconds_total',
    help: 'Time that webhooks took to answer, or to fail',
    registers: [registry],
  });
  return (received, seconds) => {
    attempts.inc({ result: received ? 'received' : 'failed' });
    durations.inc(seconds);
  };
}

/** Figures of the routing engines and the distance cache, by engine. */
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

/** Only services over HTTP: imported addresses are part of the database. */
export function measureGeocoding(registry: Registry, figures: Geocoders['figures']): void {
  type Counter = keyof ReturnType<Geocoders['figures']>[number]['counters'];
  const byService = (name: string, help: string, counter: Exclude<Counter, 'state'>) =>
    new Gauge({
      name,
      help,
      labelNames: ['service'],
      registers: [registry],
      collect() {
        for (const { name, counters } of figures()) this.set({ service: name }, counters[counter]);
      },
    });
  byService('malote_geocoding_cache_hits', 'Questions answered from the cache', 'hits');
  byService('malote_geocoding_calls', 'Questions for the service', 'calls');
  byService('malote_geocoding_failures', 'Questions that the service did not answer', 'failures');
  byService('malote_geocoding_turned_away', 'Questions not asked while the service failed', 'turnedAway');
}

/** Requests that are recorded for those who sent them. */
export function measureRecordedRequests(registry: Registry, figures: () => RequestFigures): void {
  const gauge = (name: string, help: string, figure: keyof RequestFigures) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(figures()[figure]);
      },
    });
  gauge('malote_requests_recorded', 'Requests that were recorded', 'written');
  gauge(
    'malote_requests_not_recorded',
    'Refused requests that were not recorded, because of a limit or a failure',
    'dropped',
  );
  gauge('malote_requests_to_record', 'Noted requests that wait to be written', 'waiting');
}

export function measureHeavyWork(registry: Registry, { figures }: HeavyWork): void {
  const gauge = (name: string, help: string, figure: keyof ReturnType<HeavyWork['figures']>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(figures()[figure]);
      },
    });
  gauge('malote_heavy_requests', 'Open requests for files, lists, searches and reports', 'open');
  gauge('malote_heavy_work_running', 'Parts of their work that run now', 'running');
  gauge('malote_heavy_work_waiting', 'Parts of their work that wait for their turn', 'waiting');
}

const ANSWER_MS_MAX = 3_000;

export interface Readiness {
  /** From now on /readyz answers 503, while requests are still answered. */
  stop(): void;
}

/**
 * `/healthz` reports that the process is alive; restart it when it does not answer. `/readyz` reports that it can
 * serve requests, including writes; send it none while it answers 503.
 */
export function installReadiness(app: FastifyInstance, db: Database): Readiness {
  let stopping = false;
  let migrated = false;
  let checking: Promise<boolean> | undefined;

  const check = async (): Promise<boolean> => {
    // A schema never goes back, so it is checked until it is current; afterwards the database is only pinged.
    if (migrated) await db.probe`select 1`;
    else migrated = await isMigrated(db.probe);
    return migrated && (await db.canWrite());
  };
  // Concurrent calls share one query.
  const isServing = async (): Promise<boolean> => {
    checking ??= withinRetryPolicy(check()).finally(() => {
      checking = undefined;
    });
    return checking;
  };

  app.get('/healthz', async () => ({ success: true, data: { status: 'ok' } }));
  app.get('/readyz', async () => {
    if (stopping || !(await isServing())) throw new Refusal('unavailable');
    return { success: true, data: { status: 'ok' } };
  });
  const stop = () => {
    stopping = true;
  };
  app.addHook('preClose', async () => stop());
  return { stop };
}

/** A database that does not answer in time counts as unavailable. */
async function withinRetryPolicy(check: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ANSWER_MS_MAX, false);
  try {
    return await Promise.race([check.catch(() => false), promise]);
  } finally {
    clearTimeout(timer);
  }
}
