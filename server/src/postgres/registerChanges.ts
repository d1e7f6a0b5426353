import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

const CHANNEL = 'malote_registers';

export interface RegisterChanges {
  /** Resolves once every change committed before the call has been heard, so that one's own is in effect. */
  heard(): Promise<void>;
  stop(): Promise<void>;
}

/** Tells when some process changed a central's registers; `onLost` when changes may have been missed. */
export async function hearRegisterChanges(
  db: Database,
  onChange: (centralId: number) => void,
  onLost: () => void,
): Promise<RegisterChanges> {
  const echoes = new Map<string, () => void>();
  const release = () => {
    for (const echo of echoes.values()) echo();
    echoes.clear();
  };
  const listening = await db.listen(
    CHANNEL,
    (payload) => {
      const echo = echoes.get(payload);
      if (!echo) return onChange(Number(payload));
      echoes.delete(payload);
      echo();
    },
    () => {
      onLost();
      release();
    },
  );
  return {
    // PostgreSQL delivers notifications in the order of the commits, so our echo comes after them.
    heard: () =>
      new Promise((resolve, reject) => {
        const echo = randomUUID();
        echoes.set(echo, resolve);
        db`select pg_notify(${CHANNEL}, ${echo})`.catch((error) => {
          echoes.delete(echo);
          reject(error);
        });
      }),
    stop: async () => {
      release();
      await listening.stop();
    },
  };
}
