import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { identities } from './centrals/identify.ts';
import { INTEGRATION_BASE, integrationRoutes } from './contract/routes.ts';
import { startJobs } from './dispatcher/jobs.ts';
import { priceBooks } from './estimates/priceBook.ts';
import type { AppNeeds } from './http/appNeeds.ts';
import { type Metrics, openMetrics } from './http/metrics.ts';
import { rateLimits } from './http/rateLimits.ts';
import type { TryAs } from './http/reference.ts';
import { buildServer } from './http/server.ts';
import type { Clock } from './kernel/clock.ts';
import { OPERATION_BASE, operationRoutes } from './operations/routes.ts';
import type { Database } from './postgres/database.ts';
import { hearRegisterChanges } from './postgres/registerChanges.ts';
import type { Routers } from './routing/routers.ts';

export interface AppOptions {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  routers: Routers;
  publicUrl?: string | undefined;
  trustProxy?: string[] | undefined;
  metricsToken?: string | undefined;
  /** The demonstration's login, for the reference to try requests with. */
  tryAs?: TryAs | undefined;
}

export interface App {
  server: FastifyInstance;
  needs: AppNeeds;
  metrics: Metrics;
  /** Answers what is in flight. Before that /readyz says 503 for as long, so that balancers notice. */
  close(noticeMs?: number): Promise<void>;
}

/** The only place where things are built and wired. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { db, clock, log, routers, publicUrl, trustProxy, metricsToken, tryAs } = options;
  const books = priceBooks(db);
  const known = identities({ db, clock });
  const changes = await hearRegisterChanges(
    db,
    (centralId) => {
      known.forget(centralId);
      books.forget(centralId);
    },
    () => {
      known.forgetAll();
      books.forgetAll();
    },
  );
  const needs: AppNeeds = { db, clock, routers, priceBooks: books, registersHeard: changes.heard };
  const metrics = openMetrics(db.pool);
  const { http: server, readiness } = buildServer({
    needs,
    identities: known,
    limits: rateLimits(clock),
    metrics,
    metricsToken,
    tryAs,
    log,
    publicUrl,
    trustProxy,
    apis: [
      { title: 'Integração', base: INTEGRATION_BASE, routes: integrationRoutes },
      { title: 'Operação', base: OPERATION_BASE, routes: operationRoutes },
    ],
  });
  return {
    server,
    needs,
    metrics,
    async close(noticeMs = 0) {
      readiness.stop();
      if (noticeMs > 0) await sleep(noticeMs);
      await server.close();
      await changes.stop();
    },
  };
}

export interface WorkOptions {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  routers: Routers;
  /** For what needs connections of its own. */
  connection: ClientConfig;
}

/** All that happens by itself, apart from HTTP: any number of processes may run it on one database. */
export async function startWork({
  db,
  clock,
  log,
  connection,
}: WorkOptions): Promise<{ stop(): Promise<void> }> {
  const jobs = await startJobs({ db, clock, log, connection });
  return { stop: () => jobs.stop() };
}
