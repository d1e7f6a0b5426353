import { after, type TestContext } from 'node:test';
import { pino } from 'pino';
import { demoLogin } from '../../server/simulation/demo/demoCentrals.ts';
import { demoPeople } from '../../server/simulation/demo/demoPeople.ts';
import { makeDemo } from '../../server/simulation/demo/makeDemo.ts';
import type { Api } from '../../server/src/api/http/api.ts';
import { type App, buildApp } from '../../server/src/app.ts';
import type { ObjectStoreConfig } from '../../server/src/deliveries/proof/objectStore.ts';
import type { GeocodingConfig } from '../../server/src/geo/geocoding/geocoders.ts';
import { estimatorRouters, type Routers } from '../../server/src/geo/routing/routers.ts';
import type { SecretBox } from '../../server/src/platform/kernel/secretBox.ts';
import { type Database, openDatabase } from '../../server/src/platform/postgres/database.ts';
import type { EmbeddedConnection } from '../../server/src/platform/postgres/embedded.ts';
import { citusNodes } from './citus.ts';
import { type Client, client } from './client.ts';
import { type TestClock, testClock } from './clock.ts';
import { testDatabase } from './database.ts';

export interface TestMalote {
  url: string;
  app: App;
  db: Database;
  connection: EmbeddedConnection;
  clock: TestClock;
  /** Clients with the demonstration's logins, on the integration interface. */
  central: Client;
  manager: Client;
  manager2: Client;
  neighbour: Client;
  /** The same login as `central`, in the sandbox. */
  sandbox: Client;
  /** Clients on the interfaces of operators and drivers. */
  operator: Client;
  driver(number: number): Client;
  /** Changes settings of central 1, or of the given one. */
  configure(settings: Record<string, unknown>, centralId?: number): Promise<void>;
  /** The same for one test. The end of the test restores all settings, also when it fails. */
  configureFor(t: TestContext, settings: Record<string, unknown>, centralId?: number): Promise<void>;
}

export interface TestMaloteOptions {
  routers?: Routers;
  /** The real rate limits. By default they are too high to be reached. */
  limits?: boolean;
  clock?: TestClock;
  log?: NodeJS.WritableStream;
  /** The geocoding services. */
  geocoding?: GeocodingConfig;
  /** The folder of the roads that maps draw. */
  roadsFolder?: string;
  mapStyle?: string;
  /** Webhooks may lead to this machine, as in the demonstration. */
  allowPrivateWebhooks?: boolean;
  /** Encrypts the secrets of webhooks, as a configured key does. */
  secrets?: SecretBox;
  /** The object store to which proof images are moved. */
  objectStore?: ObjectStoreConfig;
  /** Trusts X-Forwarded-For, so that a test can act as several clients. */
  behindProxy?: boolean;
  /** The login page offers the demonstration's logins. */
  demonstration?: boolean;
  /** The configured public address. */
  publicUrl?: string;
  /** Replaces the interfaces, such as by ones with an endpoint for a test. */
  apis?: readonly Api[];
  /** Replaces the connection, such as by one through a proxy. */
  connect?: (connection: EmbeddedConnection) => Promise<EmbeddedConnection>;
}

const LIMITS_OUT_OF_THE_WAY = {
  limitScheduled: 1_000_000,
  limitDeliveries: 1_000_000,
  limitEstimates: 1_000_000,
  limitTopUpsPerCompany: 1_000_000,
  limitBalancesPerCompany: 1_000_000,
  limitOperations: 1_000_000,
  limitPositions: 1_000_000,
};

/** The whole service with the demonstration's identities, with a database and a port for one test file. */
export async function startMalote(options: TestMaloteOptions = {}): Promise<TestMalote> {
  const clock = options.clock ?? testClock();
  const connection = await testDatabase(undefined, options.clock ? 'empty' : 'demo');
  const through = options.connect ? await options.connect(connection) : connection;
  const db = openDatabase({
    connection: through,
    poolSize: 10,
    onError: () => undefined,
    isDistributed: citusNodes() !== undefined,
  });
  if (options.clock) await makeDemo({ db, clock });
  if (!options.limits) await db`update centrals set settings = ${LIMITS_OUT_OF_THE_WAY}`;
  const log = options.log ? pino({ level: 'debug' }, options.log) : pino({ level: 'silent' });
  const {
    allowPrivateWebhooks,
    secrets,
    roadsFolder,
    mapStyle,
    geocoding,
    objectStore,
    routers = estimatorRouters,
  } = options;
  const trustProxy = options.behindProxy ? ['127.0.0.1'] : undefined;
  const app = await buildApp({
    db,
    clock,
    log,
    routers,
    geocoding,
    objectStore,
    allowPrivateWebhooks,
    secrets,
    roadsFolder,
    mapStyle,
    publicUrl: options.publicUrl,
    apis: options.apis,
    trustProxy,
    demonstration: options.demonstration ? demoPeople(db) : undefined,
    tryAs: options.demonstration ? demoLogin : undefined,
  });
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  after(async () => {
    await app.close();
    await db.close();
  });

  const configure: TestMalote['configure'] = async (settings, centralId = 1) => {
    await db`update centrals set settings = settings || ${settings}::jsonb where id = ${centralId}`;
    await app.deps.registersHeard();
  };
  const login = (user: string, key = 'demo-chave', base: 'integracao' | 'operacao' = 'integracao') =>
    client(`${url}/api/v2/${base}`, { key, user, password: 'demo' });
  return {
    url,
    app,
    db,
    connection,
    clock,
    central: login('central'),
    manager: login('gerente'),
    manager2: login('gerente2'),
    neighbour: login('vizinha', 'demo-vizinha'),
    sandbox: login('central', 'teste_demo-chave'),
    operator: login('central', 'demo-chave', 'operacao'),
    driver: (number) => login(`condutor${number}`, 'demo-chave', 'operacao'),
    configure,
    async configureFor(t, settings, centralId = 1) {
      const [before] = await db<{ settings: Record<string, unknown> }>`
        select settings from centrals where id = ${centralId}`;
      t.after(async () => {
        await db`update centrals set settings = ${before!.settings} where id = ${centralId}`;
        await app.deps.registersHeard();
      });
      await configure(settings, centralId);
    },
  };
}
