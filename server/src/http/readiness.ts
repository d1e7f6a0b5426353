import type { FastifyInstance } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { isMigrated } from '../postgres/migrate.ts';

const PATIENCE_MS = 3_000;

export interface Readiness {
  /** From now on this process asks to be left out, while it still answers. */
  stop(): void;
}

/**
 * `/healthz` says that the process lives; restart it when it does not answer. `/readyz` says that it can
 * serve, writing included: send it no requests while it says 503.
 */
export function installReadiness(app: FastifyInstance, db: Database): Readiness {
  let stopping = false;
  let migrated = false;
  let checking: Promise<boolean> | undefined;

  const check = async (): Promise<boolean> => {
    // A schema does not go back, so it is looked at until it is right and only pinged from then on.
    if (migrated) await db`select 1`;
    else migrated = await isMigrated(db);
    return migrated && (await db.canWrite());
  };
  // However many ask at once, the database is asked once.
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

/** A database that does not answer is as good as none. */
async function withinRetryPolicy(check: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, PATIENCE_MS, false);
  try {
    return await Promise.race([check.catch(() => false), promise]);
  } finally {
    clearTimeout(timer);
  }
}
