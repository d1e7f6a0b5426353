import type { FastifyInstance } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { isMigrated } from '../postgres/migrate.ts';

const PATIENCE_MS = 3_000;

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
    if (migrated) await db`select 1`;
    else migrated = await isMigrated(db);
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
  const timer = setTimeout(resolve, PATIENCE_MS, false);
  try {
    return await Promise.race([check.catch(() => false), promise]);
  } finally {
    clearTimeout(timer);
  }
}
