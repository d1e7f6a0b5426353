import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { type Identities, identities } from './centrals/identify.ts';
import { INTEGRATION_BASE, integrationRoutes } from './contract/routes.ts';
import { webhookTexts } from './contract/webhookTexts.ts';
import { formatEvent } from './contract/wire/eventBody.ts';
import { parseScript, SIMULATED_OVERRIDE } from './contract/wire/simulation.ts';
import { startCouriers } from './couriers/startCouriers.ts';
import { startJobs } from './dispatcher/jobs.ts';
import { mergeDue } from './dispatcher/mergeScheduled.ts';
import { startDispatcher } from './dispatcher/startDispatcher.ts';
import { startDistribution } from './dispatcher/startDistribution.ts';
import { startRounds } from './dispatcher/startRounds.ts';
import { couponGuard } from './estimates/couponGuard.ts';
import { priceBooks } from './estimates/priceBook.ts';
import { openLiveFeed } from './events/liveFeed.ts';
import { POSITIONS_SAMPLED_MS, samplePositions } from './events/samplePositions.ts';
import { startWebhooks } from './events/startWebhooks.ts';
import { isReceived } from './events/webhook.ts';
import type { AppNeeds } from './http/appNeeds.ts';
import { measureStreams, webhookMetrics } from './http/eventMetrics.ts';
import { type Metrics, openMetrics } from './http/metrics.ts';
import { rateLimits } from './http/rateLimits.ts';
import type { TryAs } from './http/reference.ts';
import { measureRouting } from './http/routingMetrics.ts';
import { buildServer } from './http/server.ts';
import { type RightsChanges, rightsChanges } from './http/streamRights.ts';
import type { Clock } from './kernel/clock.ts';
import { OPERATION_BASE, operationRoutes } from './operations/routes.ts';
import { installConsole } from './pages/console/installConsole.ts';
import { installMap } from './pages/map/installMap.ts';
import { installTracking } from './pages/tracking/installTracking.ts';
import { installTrackingEvents } from './pages/tracking/installTrackingEvents.ts';
import type { Database } from './postgres/database.ts';
import { hearRegisterChanges } from './postgres/registerChanges.ts';
import type { Routers } from './routing/routers.ts';
import { noStreets, openStreets } from './routing/streets/streetsFiles.ts';

export interface AppOptions {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  routers: Routers;
  publicUrl?: string | undefined;
  trustProxy?: string[] | undefined;
  metricsToken?: string | undefined;
  /** The address of a style for the maps in pages, instead of our own. */
  mapStyle?: string | undefined;
  /** Where roads are imported to: maps draw their streets. */
  roadsFolder?: string | undefined;
  /** The demonstration's login, for the reference to try requests with. */
  tryAs?: TryAs | undefined;
  /** Lets webhooks lead to this machine and its network, by plain http too. */
  allowPrivateWebhooks?: boolean | undefined;
}

export interface App {
  server: FastifyInstance;
  needs: Foundation['needs'];
  metrics: Metrics;
  /** Answers what is in flight. Before that /readyz says 503 for as long, so that balancers notice. */
  close(noticeMs?: number): Promise<void>;
}

export interface Foundation {
  needs: AppNeeds & { db: Database };
  identities: Identities;
  rightsChanges: RightsChanges;
  stop(): Promise<void>;
}

/** What requests and work both stand on: registers in memory, forgotten when some process changes them. */
export async function layFoundation({
  db,
  clock,
  log,
  routers,
  allowPrivateWebhooks = false,
}: Pick<AppOptions, 'db' | 'clock' | 'log' | 'routers' | 'allowPrivateWebhooks'>): Promise<Foundation> {
  const books = priceBooks(db);
  const known = identities({ db, clock });
  const rights = rightsChanges();
  const changes = await hearRegisterChanges(db, {
    onChange(centralId) {
      known.forget(centralId);
      books.forget(centralId);
      rights.tell(centralId);
    },
    onSessionsEnded: rights.tell,
    onLost() {
      known.forgetAll();
      books.forgetAll();
      rights.tellAll();
    },
  });
  const live = await openLiveFeed({ db, clock }, (err) => log.warn({ err }, 'live updates were missed'));
  return {
    needs: {
      db,
      clock,
      routers,
      priceBooks: books,
      couponGuard: couponGuard(clock),
      registersHeard: changes.heard,
      live,
      allowPrivateWebhooks,
    },
    identities: known,
    rightsChanges: rights,
    async stop() {
      await Promise.all([changes.stop(), live.stop()]);
    },
  };
}

/** Here and below is the only place where things are built and wired. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { db, clock, log, publicUrl, trustProxy, metricsToken, tryAs, mapStyle, roadsFolder } = options;
  const foundation = await layFoundation(options);
  const { needs } = foundation;
  const metrics = openMetrics(db.pool);
  measureRouting(metrics.registry, () => needs.routers.figures());
  const limits = rateLimits(clock);
  const {
    http: server,
    readiness,
    streams,
  } = buildServer({
    needs,
    identities: foundation.identities,
    rightsChanges: foundation.rightsChanges,
    limits,
    metrics,
    metricsToken,
    tryAs,
    log,
    publicUrl,
    trustProxy,
    apis: [
      {
        title: 'Integração',
        base: INTEGRATION_BASE,
        routes: integrationRoutes,
        webhooks: webhookTexts,
      },
      { title: 'Operação', base: OPERATION_BASE, routes: operationRoutes },
    ],
  });
  measureStreams(metrics.registry, streams);
  const streets = roadsFolder ? openStreets(roadsFolder) : noStreets;
  installMap(server, { style: mapStyle, streets });
  installTracking(server, needs, { limits, mapStyle });
  installConsole(server, needs, foundation.identities, mapStyle);
  installTrackingEvents(server, needs, { streams, limits });
  return {
    server,
    needs,
    metrics,
    async close(noticeMs = 0) {
      readiness.stop();
      if (noticeMs > 0) await sleep(noticeMs);
      await server.close();
      await Promise.all([foundation.stop(), streets.close()]);
    },
  };
}

export interface WorkOptions {
  needs: Foundation['needs'];
  log: FastifyBaseLogger;
  /** For what needs connections of its own. */
  connection: ClientConfig;
  /** Whether simulated couriers may move, in the centrals that want them. */
  couriers: boolean;
  /** Where there is somebody to read them. */
  metrics?: Metrics | undefined;
}

const MERGE_MS = 10_000;

export interface RunningWork {
  /** Waits for what is being done. */
  stop(): Promise<void>;
}

/** All that happens by itself, apart from HTTP: any number of processes may run it on one database. */
export async function startWork(options: WorkOptions): Promise<RunningWork> {
  const { needs, log, connection, couriers, metrics } = options;
  const onSent = metrics && webhookMetrics(metrics.registry);
  const rounds = (name: string, everyMs: number, round: () => Promise<unknown>) =>
    startRounds({ everyMs, round, onError: (err) => log.error({ err }, `${name} failed`) });
  const running = [
    await startJobs({ ...needs, log, connection }),
    await startDispatcher({ ...needs, log }),
    startDistribution(needs, (err) => log.error({ err }, 'distribution failed')),
    rounds('automatic merge', MERGE_MS, () => mergeDue(needs)),
    rounds('sampling of positions', POSITIONS_SAMPLED_MS, () => samplePositions(needs)),
    startWebhooks(needs, {
      formatEvent,
      allowPrivate: needs.allowPrivateWebhooks,
      onError: (err) => log.error({ err }, 'a webhook could not be sent'),
      onSent: (result) => onSent?.(isReceived(result), result.durationMs / 1000),
    }),
    ...(couriers
      ? [startCouriers({ ...needs, log, readScript: parseScript, lockedStopReason: SIMULATED_OVERRIDE })]
      : []),
  ];
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}
