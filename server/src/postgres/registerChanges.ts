import { randomUUID } from 'node:crypto';
import type { Database, Tx } from './database.ts';

const CHANNEL = 'malote_registers';
const SESSIONS = 'sessions ';

export interface RegisterChanges {
  /** Resolves once every change committed before the call has been heard, so that one's own is in effect. */
  heard(): Promise<void>;
  stop(): Promise<void>;
}

export interface RegisterListener {
  onChange(centralId: number): void;
  /** Somebody of the central has logged out; nothing that is kept in memory changes by that. */
  onSessionsEnded(centralId: number): void;
  /** Changes may have been missed. */
  onLost(): void;
}

/** On the same channel, because each channel takes a connection. */
export async function tellSessionsEnded(tx: Tx, centralId: number): Promise<void> {
  await tx`select pg_notify(${CHANNEL}, ${SESSIONS + centralId})`;
}

/** Tells when some process changed a central's registers or ended its sessions. */
export async function hearRegisterChanges(
  db: Database,
  { onChange, onSessionsEnded, onLost }: RegisterListener,
): Promise<RegisterChanges> {
  const echoes = new Map<string, () => void>();
  const release = () => {
    for (const echo of echoes.values()) echo();
    echoes.clear();
  };
  const listening = await db.listen(
    CHANNEL,
    (payload) => {
      if (payload.startsWith(SESSIONS)) return onSessionsEnded(Number(payload.slice(SESSIONS.length)));
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
