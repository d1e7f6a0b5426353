import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { startCouriers } from '../simulation/couriers/moveCouriers.ts';
import { startRhythm } from '../simulation/demo/startRhythm.ts';
import type { Api } from './api/http/api.ts';
import type { AppDeps } from './api/http/endpoint.ts';
import { heavyWork } from './api/http/heavyWork.ts';
import { installOAuth } from './api/http/installOAuth.ts';
import {
  type Metrics,
  measureGeocoding,
  measureHeavyWork,
  measureRecordedRequests,
  measureRouting,
  measureRowTexts,
  measureStreams,
  openMetrics,
  webhookMetrics,
} from './api/http/metrics.ts';
import { rateLimits } from './api/http/rateLimits.ts';
import type { TryAs } from './api/http/renderReference.ts';
import { buildServer } from './api/http/server.ts';
import { type RightsChanges, rightsChanges } from './api/http/streamLimits.ts';
import { integrationApi } from './api/integration/endpoints.ts';
import { formatEvent } from './api/json/eventTypes.ts';
import { parseScript, SIMULATED_ABSENCE, SIMULATED_OVERRIDE } from './api/json/orderBody.ts';
import { formatPush } from './api/json/pushJson.ts';
import { operationApi } from './api/operations/endpoints.ts';
import { type BrowserOrigins, browserOrigins } from './centrals/browserOrigins.ts';
import { centralClocks } from './centrals/centralClocks.ts';
import { type Identities, identities } from './centrals/identify.ts';
import { type ProgramUses, programUses } from './centrals/programUses.ts';
import { sandboxes } from './centrals/sandboxes.ts';
import type { DemoOrders } from './config.ts';
import { moveProofs } from './deliveries/proof/moveProofs.ts';
import {
  isObjectStoreUnavailable,
  type ObjectStore,
  type ObjectStoreConfig,
  openObjectStore,
} from './deliveries/proof/objectStore.ts';
import { proofLinks } from './deliveries/proof/proofLinks.ts';
import { openPlanner } from './dispatch/plans/planner.ts';
import { startJobs } from './dispatch/rounds/jobs.ts';
import { startAllRounds } from './dispatch/rounds/roundTable.ts';
import { startDispatcher } from './dispatch/rounds/startDispatcher.ts';
import { startPushes } from './events/push/sendPushes.ts';
import { openLiveFeed } from './events/record/liveFeed.ts';
import { type RequestRecorder, requestRecorder } from './events/requests/recordRequests.ts';
import { isReceived } from './events/webhooks/webhook.ts';
import { startWebhooks } from './events/webhooks/webhookRounds.ts';
import { type GeocodingConfig, noServices, openGeocoders } from './geo/geocoding/geocoders.ts';
import type { Routers } from './geo/routing/routers.ts';
import { noStreets, type OpenStreets, openStreets } from './geo/routing/streets/streetsFiles.ts';
import { firstStreets } from './geo/routing/streets/streetsInMemory.ts';
import { takeOverCompany } from './insight/sandbox/makeSandbox.ts';
import { openSandbox } from './insight/sandbox/sandbox.ts';
import { startIndexing } from './insight/search/startIndexing.ts';
import { couponGuard } from './money/pricing/couponGuard.ts';
import { priceBooks } from './money/pricing/priceBook.ts';
import { type Demonstration, installConsole } from './pages/console/installConsole.ts';
import { installChanges } from './pages/docs/installChanges.ts';
import { installErrorPages } from './pages/docs/installErrorPages.ts';
import { installDriver } from './pages/driver/installDriver.ts';
import { installDriverSession } from './pages/driver/installDriverSession.ts';
import { installMap } from './pages/map/installMap.ts';
import { installProof } from './pages/proof/installProof.ts';
import { installTracking } from './pages/tracking/installTracking.ts';
import { installTrackingEvents } from './pages/tracking/installTrackingEvents.ts';
import type { Clock } from './platform/kernel/clock.ts';
import { type RunningRounds, startRounds } from './platform/kernel/rounds.ts';
import { type SecretBox, secretBox } from './platform/kernel/secretBox.ts';
import type { Database } from './platform/postgres/database.ts';
import { hearRegisterChanges } from './platform/postgres/registerCache.ts';
import { rowTexts } from './platform/postgres/rowTexts.ts';

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
  /** Absent: the interfaces of integrators and of operators. */
  apis?: readonly Api[] | undefined;
}

export interface App {
  server: FastifyInstance;
  deps: Foundation['deps'];
  metrics: Metrics;
  /** Records requests every few seconds; tests write and count at once. */
  recorder: Pick<RequestRecorder, 'write' | 'figures'>;
  /** Compiles what the first requests would wait for. The service answers meanwhile. */
  prepare(): Promise<void>;
  /** Answers requests in flight. Before that, /readyz answers 503 for `noticeMs`, so that load balancers notice. */
  close(noticeMs?: number): Promise<void>;
}

export interface Foundation {
  deps: AppDeps & { db: Database };
  identities: Identities;
  origins: BrowserOrigins;
  programUses: ProgramUses;
  rightsChanges: RightsChanges;
  recorder: RequestRecorder;
  stop(): Promise<void>;
}

/** What requests and background work share: cached registers, voided when any process changes them. */
export async function layFoundation({
  db,
  clock: ofService,
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
  const clocks = centralClocks(ofService);
  const { clock } = clocks;
  const books = priceBooks(db);
  const boxes = sandboxes({
    db,
    open: (centralId) => openSandbox({ db }, centralId),
    addCompanyOf: (sandbox, userId) => takeOverCompany(db, sandbox, userId),
  });
  const known = identities({ db, clock: ofService, sandboxes: boxes });
  const origins = browserOrigins(db);
  const rights = rightsChanges();
  const texts = rowTexts();
  const geocoders = await openGeocoders(db, clock, geocoding);
  const refreshGeocoders = (): void =>
    void geocoders.refresh().catch((err) => log.warn({ err }, 'an import of addresses was not noticed'));
  const readClocks = (): void =>
    void clocks.read(db).catch((err) => log.warn({ err }, 'the clocks of sandboxes were not read'));
  const changes = await hearRegisterChanges(db, {
    onChange(centralId) {
      known.forget(centralId);
      origins.forget();
      books.forget(centralId);
      rights.announce(centralId);
      const sandboxId = boxes.knownOf(centralId);
      if (sandboxId !== undefined) rights.announce(sandboxId);
    },
    onSessionsEnded: rights.announce,
    onAddressesChanged: refreshGeocoders,
    onClock: clocks.set,
    onLost() {
      refreshGeocoders();
      readClocks();
      known.forgetAll();
      origins.forget();
      books.forgetAll();
      rights.announceAll();
      texts.clear();
    },
  });
  // Addresses again, because they may have been imported before the listening began.
  await clocks.read(db);
  await geocoders.refresh();
  const uses = programUses({ db, clock }, (err) =>
    log.warn({ err }, 'the last uses of programs are written later'),
  );
  const recorder = requestRecorder({ db, clock }, (err) =>
    log.warn({ err }, 'some requests were not recorded'),
  );
  const live = await openLiveFeed({ db, clock }, (err) => log.warn({ err }, 'live updates were missed'));
  const planner = openPlanner({ db, routers }, (err) => log.warn({ err }, 'a plan could not be made'));
  return {
    deps: {
      db,
      clock,
      planner,
      serviceClock: ofService,
      routers,
      geocoders,
      priceBooks: books,
      couponGuard: couponGuard(ofService),
      registersHeard: changes.heard,
      live,
      allowPrivateWebhooks,
      rowTexts: texts,
      secrets,
      proofLinks: proofLinks(
        { db, clock: ofService, secrets },
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
    origins,
    programUses: uses,
    rightsChanges: rights,
    recorder,
    async stop() {
      await Promise.all([changes.stop(), live.stop(), uses.stop(), recorder.stop(), planner.stop()]);
    },
  };
}

/** This file is the only place where objects are built and wired. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { db, clock, log, publicUrl, trustProxy, metricsToken, tryAs, mapStyle, roadsFolder } = options;
  const { apis = [integrationApi, operationApi] } = options;
  const foundation = await layFoundation(options);
  const { deps } = foundation;
  const metrics = openMetrics(db.pool);
  measureRouting(metrics.registry, () => deps.routers.figures());
  measureGeocoding(metrics.registry, deps.geocoders.figures);
  measureRowTexts(metrics.registry, deps.rowTexts.figures);
  measureRecordedRequests(metrics.registry, foundation.recorder.figures);
  const limits = rateLimits(clock);
  const work = heavyWork(db.pool.options.max);
  measureHeavyWork(metrics.registry, work);
  const {
    http: server,
    readiness,
    streams,
    prepare,
  } = buildServer({
    deps,
    identities: foundation.identities,
    origins: foundation.origins,
    programUses: foundation.programUses,
    rightsChanges: foundation.rightsChanges,
    recorder: foundation.recorder,
    limits,
    heavyWork: work,
    metrics,
    metricsToken,
    tryAs,
    log,
    publicUrl,
    trustProxy,
    apis,
  });
  measureStreams(metrics.registry, streams);
  const imported = roadsFolder ? openStreets(roadsFolder) : noStreets;
  const streets = firstStreets(imported, options.streetsBefore ?? noStreets);
  installErrorPages(server, apis);
  installChanges(server, publicUrl);
  installMap(server, { style: mapStyle, streets });
  installTracking(server, deps, { limits, mapStyle });
  installProof(server, deps, { limits });
  installConsole(server, deps, foundation.identities, { mapStyle, demonstration: options.demonstration });
  installDriverSession(server, deps, foundation.identities);
  installOAuth(server, deps, { identities: foundation.identities, limits, publicUrl });
  installDriver(server, mapStyle);
  installTrackingEvents(server, deps, { streams, limits });
  return {
    server,
    deps,
    metrics,
    recorder: foundation.recorder,
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
  /** Begins the links in webhooks, and is the contact that push services get. */
  publicUrl?: string | undefined;
  /** Whether the centrals of the demonstration order by themselves. */
  demoOrders?: DemoOrders;
  /** Present where the process serves /metrics. */
  metrics?: Metrics | undefined;
  /** Daily backups of the embedded database. */
  backups?: { kept: number; folder: string } | undefined;
}

const PROOFS_MOVED_MS = 5_000;

export interface RunningWork {
  /** Waits for the work in progress. */
  stop(): Promise<void>;
}

/** Starts all background work. Any number of processes may run it on one database. */
export async function startWork(options: WorkOptions): Promise<RunningWork> {
  const { deps, log, connection, couriers, metrics } = options;
  const onSent = metrics && webhookMetrics(metrics.registry);
  const running = [
    await startJobs({ ...deps, log, connection, backups: options.backups }),
    await startDispatcher({ ...deps, log }),
    startAllRounds(deps, log),
    startWebhooks(deps, {
      formatEvent,
      publicUrl: options.publicUrl,
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
