import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { cityMap } from '../../simulation/demo/city/cityMap.ts';
import { cityRouter } from '../../simulation/demo/city/cityRouter.ts';
import { hasDemoAccess } from '../../simulation/demo/demoAccess.ts';
import { demoLogin } from '../../simulation/demo/demoCentrals.ts';
import { demoPeople } from '../../simulation/demo/demoPeople.ts';
import { prepareDemo } from '../../simulation/demo/prepareDemo.ts';
import { welcome } from '../../simulation/demo/welcome.ts';
import { type App, buildApp, type RunningWork, startWork } from '../app.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { CommandFailed, command } from './command.ts';
import { logLastWords, openLog } from './openLog.ts';
import { awaitDatabase, openStore } from './openStore.ts';
import { openSecrets } from './secretKeys.ts';
import { startRouters } from './startRouters.ts';
import { hearStopSignals } from './stopSignals.ts';
import { whereToListen } from './whereToListen.ts';

/** How long requests in flight may take after a stop signal. */
const ANSWER_MS = 6_000;

export const serveCommand = command({
  details: [
    'Without DATABASE_URL, runs an embedded PostgreSQL in MALOTE_DATA (./data) and creates the demonstration at the',
    'first start. With DATABASE_URL, uses that database, creates no data, and waits up to MALOTE_DATABASE_WAIT (30)',
    'seconds for it to answer. In both cases the schema is brought up to date first. Ctrl-C or SIGTERM stops the',
    'service in order; a second Ctrl-C stops it at once.',
  ].join('\n'),
  options: {
    'no-work': { help: 'serve HTTP only; run "malote work" elsewhere' },
  },
  async run({ 'no-work': apart }) {
    const config = readConfig(process.env);
    const signals = hearStopSignals(config.stopLimitSeconds);
    const log = openLog(config);
    logLastWords(log);
    const clock = systemClock;
    if (process.stdout.isTTY) console.log('malote: iniciando… / starting…');
    await awaitDatabase(config, log, signals);
    if (signals.isAsked()) return 0;
    await using store = await openStore(config, log, { beside: false, signals });
    const { db, connection } = store;
    if (signals.isAsked()) return 0;
    const hasDemo =
      config.demo === 'off' ? await hasDemoAccess(db) : await prepareDemo({ db, clock }, config.demo);
    if (signals.isAsked()) return 0;
    const listening = whereToListen(config, hasDemo);
    const isDemo = hasDemo && config.demo !== 'off';
    if (listening.warning) log.warn(listening.warning);

    const secrets = await openSecrets(config, log);
    await using open = new AsyncDisposableStack();
    const routers = open.adopt(
      await startRouters(config, clock, log, { withoutRoads: hasDemo ? cityRouter : undefined }),
      (opened) => opened.close(),
    );
    const app = await buildApp({
      db,
      clock,
      log,
      routers,
      geocoding: config.geocoding,
      publicUrl: config.publicUrl,
      trustProxy: config.trustProxy,
      metricsToken: config.metricsToken,
      mapStyle: config.mapStyle,
      roadsFolder: config.routing.folder,
      streetsBefore: hasDemo ? cityMap() : undefined,
      tryAs: isDemo ? demoLogin : undefined,
      demonstration: isDemo ? demoPeople(db) : undefined,
      allowPrivateWebhooks: listening.isPrivate,
      secrets,
      objectStore: config.objectStore,
    });
    let work: RunningWork | undefined;
    // In parallel: both share ten seconds.
    open.defer(async () => {
      await Promise.all([closeInTime(app, config.stopNoticeSeconds * 1000), work?.stop()]);
    });
    if (!apart)
      work = await startWork({
        deps: app.deps,
        log,
        connection,
        publicUrl: config.publicUrl,
        couriers: config.couriers,
        demoOrders: hasDemo && config.couriers ? config.demoOrders : 'off',
        backups: config.backups.kept > 0 ? config.backups : undefined,
        metrics: app.metrics,
      });
    await listen(app.server, listening.host, config.port);
    const port = (app.server.server.address() as AddressInfo).port;
    if (isDemo) console.log(welcome({ host: listening.host, port, publicUrl: config.publicUrl }));
    else if (process.stdout.isTTY) console.log(`malote listens on ${listening.host}, port ${port}`);

    await app.prepare();

    const signal = await signals.asked;
    log.info({ signal }, 'stopping');
    if (process.stdout.isTTY) console.log('\nmalote: encerrando… / stopping…');
    return 0;
  },
});

async function listen(server: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new CommandFailed(`port ${port} is in use: stop the other program, or set another PORT`);
    if (code === 'EACCES')
      throw new CommandFailed(
        `port ${port} requires privileges that this user does not have: set another PORT`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandFailed(`HOST is "${host}", which is not an address of this machine`);
    throw error;
  }
}

/** Requests in flight are answered; slower connections are closed, so that the rest can stop in order. */
async function closeInTime(app: App, noticeMs: number): Promise<void> {
  const closed = app.close(noticeMs);
  const late = sleep(ANSWER_MS, 'late', { ref: false });
  if ((await Promise.race([closed, late])) === 'late') app.server.server.closeAllConnections();
  await closed;
}
