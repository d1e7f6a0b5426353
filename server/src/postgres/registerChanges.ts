import { randomUUID } from 'node:crypto';
import type { Database, Tx } from './database.ts';

const CHANNEL = 'malote_registers';
const SESSIONS = 'sessions ';
const HEARD_MS = 3_000;

export interface RegisterChanges {
  /**
   * Resolves once every change committed before the call has been heard, so that one's own is in effect. Where nothing
   * is heard in time, or the question cannot be sent, everything counts as changed: what was committed stays so.
   */
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
      new Promise((resolve) => {
        const echo = randomUUID();
        const giveUp = () => {
          if (!echoes.delete(echo)) return;
          clearTimeout(timer);
          onLost();
          resolve();
        };
        const timer = setTimeout(giveUp, HEARD_MS);
        echoes.set(echo, () => {
          clearTimeout(timer);
          resolve();
        });
        db`select pg_notify(${CHANNEL}, ${echo})`.catch(giveUp);
      }),
    stop: async () => {
      release();
      await listening.stop();
    },
  };
}
