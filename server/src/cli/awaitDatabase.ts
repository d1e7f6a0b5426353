import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { WatchedClient, watched } from '../postgres/watchedConnection.ts';
import { databaseTrouble, isNotThereYet } from './databaseTrouble.ts';
import { CONNECT_MS } from './openStore.ts';
import type { StopSignals } from './stopSignals.ts';

const PAUSE_MS = 500;

/**
 * A machine that boots may start us before its PostgreSQL, so a service waits for it for a while. Whatever waiting
 * does not mend (a wrong password, an unknown database) is left to openStore, which says it in one line.
 */
export async function awaitDatabase(
  { databaseUrl, databaseWaitSeconds }: Pick<Config, 'databaseUrl' | 'databaseWaitSeconds'>,
  log: Logger,
  signals: StopSignals,
): Promise<void> {
  if (!databaseUrl || databaseWaitSeconds === 0) return;
  const deadline = performance.now() + databaseWaitSeconds * 1000;
  let told: string | undefined;
  while (!signals.isAsked()) {
    const error = await Promise.race([troubleWith(databaseUrl), signals.asked]);
    if (!isNotThereYet(error)) {
      if (told && error === undefined) log.info('the database is there');
      return;
    }
    if (performance.now() >= deadline) return;
    const trouble = databaseTrouble(databaseUrl, error);
    if (trouble !== told) log.warn(`${trouble}; waiting for it up to ${databaseWaitSeconds} s`);
    told = trouble;
    await Promise.race([sleep(PAUSE_MS), signals.asked]);
  }
}

async function troubleWith(databaseUrl: string): Promise<unknown> {
  let client: WatchedClient | undefined;
  try {
    client = new WatchedClient(
      watched({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS }, CONNECT_MS),
    );
    client.on('error', () => {});
    await client.connect();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client?.end().catch(() => {});
  }
}
