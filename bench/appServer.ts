import { pino } from 'pino';
import { buildApp } from '../server/src/app.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { openDatabase } from '../server/src/platform/postgres/database.ts';
import type { EmbeddedConnection } from '../server/src/platform/postgres/embedded.ts';

/** The interfaces alone, without the rounds that work in the background. */
const connection = JSON.parse(process.env.BENCH_PG!) as EmbeddedConnection;
const db = openDatabase({ connection, poolSize: 10, onError: console.error });
const app = await buildApp({
  db,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  routers: estimatorRouters,
});
await app.server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
