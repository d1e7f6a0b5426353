import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { type Identities, identities } from './centrals/identify.ts';
import type { DemoOrders } from './config.ts';
import { integrationApi } from './contract/endpoints.ts';
import { startCouriers } from './couriers/moveCouriers.ts';
import { startRhythm } from './demo/startRhythm.ts';
import { startDistribution } from './dispatcher/distribute.ts';
import { startJobs } from './dispatcher/jobs.ts';
import { startMerging } from './dispatcher/mergeScheduled.ts';
import { startDispatcher } from './dispatcher/startDispatcher.ts';
import { couponGuard } from './estimates/couponGuard.ts';
import { priceBooks } from './estimates/priceBook.ts';
import { openLiveFeed } from './events/liveFeed.ts';
import { type GeocodingConfig, noServices, openGeocoders } from './geocoding/geocoders.ts';
import type { AppDeps } from './http/endpoint.ts';
import {
  type Metrics,
  measureGeocoding,
  measureRouting,
  measureRowTexts,
  measureStreams,
  openMetrics,
  webhookMetrics,
} from './http/metrics.ts';
import { rateLimits } from './http/rateLimits.ts';
import type { TryAs } from './http/renderReference.ts';
import { buildServer } from './http/server.ts';
import { type RightsChanges, rightsChanges } from './http/streamLimits.ts';
import type { Clock } from './kernel/clock.ts';
import { type RunningRounds, startRounds } from './kernel/rounds.ts';
import { type SecretBox, secretBox } from './kernel/secretBox.ts';
import { operationApi } from './operations/endpoints.ts';
import { type Demonstration, installConsole } from './pages/console/installConsole.ts';
import { installDriver } from './pages/driver/installDriver.ts';
import { installDriverSession } from './pages/driver/installDriverSession.ts';
import { installMap } from './pages/map/installMap.ts';
import { installProof } from './pages/proof/installProof.ts';
import { installTracking } from './pages/tracking/installTracking.ts';
import { installTrackingEvents } from './pages/tracking/installTrackingEvents.ts';
import type { Database } from './postgres/database.ts';
import { hearRegisterChanges } from './postgres/registerCache.ts';
import { rowTexts } from './postgres/rowTexts.ts';
import { moveProofs } from './proof/moveProofs.ts';
import {
  isObjectStoreUnavailable,
  type ObjectStore,
  type ObjectStoreConfig,
  openObjectStore,
} from './proof/objectStore.ts';
import { proofLinks } from './proof/proofLinks.ts';
import { startPushes } from './push/sendPushes.ts';
import { keepTotals } from './reports/keepTotals.ts';
import type { Routers } from './routing/router.ts';
import { noStreets, type OpenStreets, openStreets } from './routing/streets/streetsFiles.ts';
import { firstStreets } from './routing/streets/streetsInMemory.ts';
import { startIndexing } from './search/startIndexing.ts';
import { isReceived } from './webhooks/webhook.ts';
import { POSITIONS_SAMPLED_MS, samplePositions, startWebhooks } from './webhooks/webhookRounds.ts';
import { formatEvent } from './wire/eventTypes.ts';
import { parseScript, SIMULATED_ABSENCE, SIMULATED_OVERRIDE } from './wire/orderBody.ts';
import { formatPush } from './wire/push.ts';

export interface AppOptions {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  routers: Routers;
  /** Absent: no geocoding service is used, only imported addresses. */
  geocoding?: GeocodingConfig | undefined;
  publicUrl?: string | undefined;
  trustProxy?: string[] | undefined;
  metricsToken?: string | undefined;
  /** The URL of a map style for pages, instead of the built-in one. */
  mapStyle?: string | undefined;
  /** The folder of imported roads, whose streets the maps show. */
  roadsFolder?: string | undefined;
  /** What maps show before roads are imported. */
  streetsBefore?: OpenStreets | undefined;
  /** The demonstration's login, prefilled in the reference. */
  tryAs?: TryAs | undefined;
  /** The demonstration's people, offered on the login page. */
  demonstration?: (() => Promise<Demonstration | undefined>) | undefined;
  /** Allows webhooks to this machine and its private network, also over plain http. */
  allowPrivateWebhooks?: boolean | undefined;
  /** Where images of proof are moved to; absent: they stay in the database. */
  objectStore?: ObjectStoreConfig | undefined;
  /** Encrypts secrets of webhooks; absent: they are stored as they are. */
  secrets?: SecretBox | undefined;
}

export interface App {
  server: FastifyInstance;
  deps: Foundation['deps'];
  metrics: Metrics;
  /** Compiles what the first requests would wait for. The service answers meanwhile. */
  prepare(): Promise<void>;
  /** Answers requests in flight. Before that, /readyz answers 503 for `noticeMs`, so that load balancers notice. */
  close(noticeMs?: number): Promise<void>;
}

export interface Foundation {
  deps: AppDeps & { db: Database };
  identities: Identities;
  rightsChanges: RightsChanges;
  stop(): Promise<void>;
}

/** What requests and background work share: cached registers, voided when any process changes them. */
export async function layFoundation({
  db,
  clock,
  log,
  routers,
  geocoding = noServices,
  allowPrivateWebhooks = false,
  secrets = secretBox([]),
  objectStore,
}: Pick<
  AppOptions,
  'db' | 'clock' | 'log' | 'routers' | 'geocoding' | 'allowPrivateWebhooks' | 'secrets' | 'objectStore'
>): Promise<Foundation> {
  const books = priceBooks(db);
  const known = identities({ db, clock });
  const rights = rightsChanges();
  const texts = rowTexts();
  const geocoders = await openGeocoders(db, clock, geocoding);
  const refreshGeocoders = (): void =>
    void geocoders.refresh().catch((err) => log.warn({ err }, 'an import of addresses was not noticed'));
  const changes = await hearRegisterChanges(db, {
    onChange(centralId) {
      known.forget(centralId);
      books.forget(centralId);
      rights.announce(centralId);
    },
    onSessionsEnded: rights.announce,
    onAddressesChanged: refreshGeocoders,
    onLost() {
      refreshGeocoders();
      known.forgetAll();
      books.forgetAll();
      rights.announceAll();
      texts.clear();
    },
  });
  // Again, because addresses may have been imported before the listening began.
  await geocoders.refresh();
  const live = await openLiveFeed({ db, clock }, (err) => log.warn({ err }, 'live updates were missed'));
  return {
    deps: {
      db,
      clock,
      routers,
      geocoders,
      priceBooks: books,
      couponGuard: couponGuard(clock),
      registersHeard: changes.heard,
      live,
      allowPrivateWebhooks,
      rowTexts: texts,
      secrets,
      proofLinks: proofLinks(
        { db, clock, secrets },
        {
          onUnreadableKey: (centralId) =>
            log.warn(
              { centralId },
              'the key of links to images of proof cannot be decrypted: existing links do not work unless its key is in MALOTE_SECRET_KEY again',
            ),
        },
      ),
      objectStore: objectStore ? openObjectStore(objectStore) : null,
    },
    identities: known,
    rightsChanges: rights,
    async stop() {
      await Promise.all([changes.stop(), live.stop()]);
    },
  };
}

/** This file is the only place where objects are built and wired. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { db, clock, log, publicUrl, trustProxy, metricsToken, tryAs, mapStyle, roadsFolder } = options;
  const foundation = await layFoundation(options);
  const { deps } = foundation;
  const metrics = openMetrics(db.pool);
  measureRouting(metrics.registry, () => deps.routers.figures());
  measureGeocoding(metrics.registry, deps.geocoders.figures);
  measureRowTexts(metrics.registry, deps.rowTexts.figures);
  const limits = rateLimits(clock);
  const {
    http: server,
    readiness,
    streams,
    prepare,
  } = buildServer({
    deps,
    identities: foundation.identities,
    rightsChanges: foundation.rightsChanges,
    limits,
    metrics,
    metricsToken,
    tryAs,
    log,
    publicUrl,
    trustProxy,
    apis: [integrationApi, operationApi],
  });
  measureStreams(metrics.registry, streams);
  const imported = roadsFolder ? openStreets(roadsFolder) : noStreets;
  const streets = firstStreets(imported, options.streetsBefore ?? noStreets);
  installMap(server, { style: mapStyle, streets });
  installTracking(server, deps, { limits, mapStyle });
  installProof(server, deps, { limits });
  installConsole(server, deps, foundation.identities, { mapStyle, demonstration: options.demonstration });
  installDriverSession(server, deps, foundation.identities);
  installDriver(server, mapStyle);
  installTrackingEvents(server, deps, { streams, limits });
  return {
    server,
    deps,
    metrics,
    prepare,
    async close(noticeMs = 0) {
      readiness.stop();
      if (noticeMs > 0) await sleep(noticeMs);
      await server.close();
      await Promise.all([foundation.stop(), streets.close()]);
    },
  };
}

export interface WorkOptions {
  deps: Foundation['deps'];
  log: FastifyBaseLogger;
  /** For components that open their own connections. */
  connection: ClientConfig;
  /** Whether simulated couriers run, in the centrals that enable them. */
  couriers: boolean;
  /** The contact that push services get. */
  publicUrl?: string | undefined;
  /** Whether the centrals of the demonstration order by themselves. */
  demoOrders?: DemoOrders;
  /** Present where the process serves /metrics. */
  metrics?: Metrics | undefined;
  /** Daily backups of the embedded database. */
  backups?: { kept: number; folder: string } | undefined;
}

const PROOFS_MOVED_MS = 5_000;
/** Reports are as far behind what happens. Longer pauses make batches larger and counting cheaper. */
const REPORTS_KEPT_MS = 10_000;

export interface RunningWork {
  /** Waits for the work in progress. */
  stop(): Promise<void>;
}

/** Starts all background work. Any number of processes may run it on one database. */
export async function startWork(options: WorkOptions): Promise<RunningWork> {
  const { deps, log, connection, couriers, metrics } = options;
  const onSent = metrics && webhookMetrics(metrics.registry);
  const rounds = (name: string, everyMs: number, round: () => Promise<unknown>) =>
    startRounds({ everyMs, round, onError: (err) => log.error({ err }, `${name} failed`) });
  const running = [
    await startJobs({ ...deps, log, connection, backups: options.backups }),
    await startDispatcher({ ...deps, log }),
    startDistribution(deps, (err) => log.error({ err }, 'distribution failed')),
    startMerging(deps, (err) => log.error({ err }, 'automatic merge failed')),
    rounds('sampling of positions', POSITIONS_SAMPLED_MS, () => samplePositions(deps)),
    startWebhooks(deps, {
      formatEvent,
      allowPrivate: deps.allowPrivateWebhooks,
      onError: (err) => log.error({ err }, 'a webhook could not be sent'),
      onUnreadableSecret: (webhook) =>
        log.error(
          webhook,
          'the secret of a webhook cannot be decrypted: its messages wait until its key is in MALOTE_SECRET_KEY again or it gets a new secret',
        ),
      onSent: (result) => onSent?.(isReceived(result), result.durationMs / 1000),
    }),
    startPushes(deps, {
      formatPush,
      allowPrivate: deps.allowPrivateWebhooks,
      publicUrl: options.publicUrl,
      onError: (err) => log.error({ err }, 'sending of pushes failed'),
      onUnreadableKey: (centralId) =>
        log.warn(
          { centralId },
          'the push key of a central cannot be decrypted: its phones are not woken until its key is in MALOTE_SECRET_KEY again or their app is opened',
        ),
    }),
    rounds('counting for reports', REPORTS_KEPT_MS, () =>
      keepTotals({ db: deps.db.unhurried, priceBooks: deps.priceBooks }),
    ),
    startIndexing(deps, (err) => log.error({ err }, 'the search index could not be brought up to date')),
    ...(deps.objectStore ? [startMovingProofs(deps, deps.objectStore, log)] : []),
    ...(couriers
      ? [
          startCouriers({
            ...deps,
            log,
            readScript: parseScript,
            lockedStopReason: SIMULATED_OVERRIDE,
            failureNote: SIMULATED_ABSENCE,
          }),
        ]
      : []),
    ...((options.demoOrders ?? 'off') === 'off'
      ? []
      : [startRhythm({ ...deps, log, isRush: options.demoOrders === 'rush' })]),
  ];
  return {
    async stop() {
      await Promise.all(running.map((part) => part.stop()));
    },
  };
}

function startMovingProofs(
  deps: Foundation['deps'],
  store: ObjectStore,
  log: FastifyBaseLogger,
): RunningRounds {
  return startRounds({
    everyMs: PROOFS_MOVED_MS,
    round: () => moveProofs({ db: deps.db.unhurried, clock: deps.clock }, store),
    onError: (err) =>
      isObjectStoreUnavailable(err)
        ? log.warn({ err }, 'images of proof wait in the database for the object store')
        : log.error({ err }, 'moving of images of proof failed'),
  });
}
