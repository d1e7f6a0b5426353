import { pino } from 'pino';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { makeDemo } from './demo/makeDemo.ts';
import { systemClock } from './kernel/clock.ts';
import { openDatabase } from './postgres/database.ts';
import { startEmbeddedPostgres } from './postgres/embedded.ts';
import { migrate } from './postgres/migrate.ts';
import { estimatorRouters } from './routing/estimatorRouters.ts';

const config = readConfig(process.env);
const log = pino({ level: config.logLevel });
const embedded = await startEmbeddedPostgres({ folder: config.dataFolder });
await migrate(embedded.connection);
const db = openDatabase({
  connection: embedded.connection,
  poolSize: config.poolSize,
  onError: (error) => log.error(error),
});
await makeDemo({ db, clock: systemClock });
const app = await buildApp({ db, clock: systemClock, log, routers: estimatorRouters });
await app.server.listen({ port: config.port, host: config.host });
