import { cityRouter } from '../../simulation/demo/city/cityRouter.ts';
import { hasDemoAccess } from '../../simulation/demo/demoAccess.ts';
import { layFoundation, startWork } from '../app.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { command } from './command.ts';
import { logLastWords, openLog } from './openLog.ts';
import { awaitDatabase, openStore } from './openStore.ts';
import { openSecrets } from './secretKeys.ts';
import { startRouters } from './startRouters.ts';
import { hearStopSignals } from './stopSignals.ts';
import { whereToListen } from './whereToListen.ts';

export const workCommand = command({
  details: [
    'Runs background work beside "malote serve --no-work". Any number of processes may run on one DATABASE_URL:',
    'each task is done by one of them. At the start it waits up to MALOTE_DATABASE_WAIT (30) seconds for the database',
    'to answer.',
  ].join('\n'),
  options: {},
  async run() {
    const config = readConfig(process.env);
    const signals = hearStopSignals(config.stopLimitSeconds);
    const log = openLog(config);
    logLastWords(log);
    await awaitDatabase(config, log, signals);
    if (signals.isAsked()) return 0;
    await using store = await openStore(config, log, { beside: false, signals });
    const { db, connection } = store;
    await using open = new AsyncDisposableStack();
    const clock = systemClock;
    const secrets = await openSecrets(config, log);
    const hasDemo = await hasDemoAccess(db);
    const { isPrivate: allowPrivateWebhooks } = whereToListen(config, hasDemo);
    const routers = open.adopt(
      await startRouters(config, clock, log, { withoutRoads: hasDemo ? cityRouter : undefined }),
      (opened) => opened.close(),
    );
    const { deps } = open.adopt(
      await layFoundation({
        db,
        clock,
        log,
        routers,
        geocoding: config.geocoding,
        allowPrivateWebhooks,
        secrets,
        objectStore: config.objectStore,
      }),
      (foundation) => foundation.stop(),
    );
    const work = await startWork({
      deps,
      log,
      connection,
      publicUrl: config.publicUrl,
      couriers: config.couriers,
      demoOrders: hasDemo && config.couriers ? config.demoOrders : 'off',
    });
    open.defer(() => work.stop());
    log.info('working');
    if (process.stdout.isTTY) console.log('malote is working; Ctrl-C stops it');
    const signal = await signals.asked;
    log.info({ signal }, 'stopping');
    return 0;
  },
});
