import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, Tx } from './database.ts';
import { REGISTERS_CHANNEL } from './listen.ts';

/** A change whose notification was lost takes effect after this time. */
export const REGISTERS_KEPT_MS = 15_000;

/** The maximum number of cached centrals. The largest value is a price book with its areas. */
const CENTRALS_MAX = 2_000;

/**
 * Registers (identities, tariffs, areas) change a few times a day and are read by every request, so each
 * process keeps them in memory. A trigger on every such table raises a notice, which the writing process turns into
 * NOTIFY malote_registers with the central's id after the commit (listen.ts), and every process drops its copies of
 * that central. Changes by other programs take effect when a copy expires.
 */
export interface RegisterCache<Value> {
  of(centralId: number): Promise<Value>;
  forget(centralId: number): void;
  forgetAll(): void;
}

export function cachePerCentral<Value>(
  load: (centralId: number) => Promise<Value>,
  nowMs: () => number = () => performance.now(),
): RegisterCache<Value> {
  const values = new LRUCache<number, { value: Promise<Value>; until: number }>({ max: CENTRALS_MAX });
  return {
    of(centralId) {
      const known = values.get(centralId);
      if (known && known.until > nowMs()) return known.value;
      const loading = { value: load(centralId), until: nowMs() + REGISTERS_KEPT_MS };
      values.set(centralId, loading);
      loading.value.catch(() => {
        if (values.get(centralId) === loading) values.delete(centralId);
      });
      return loading.value;
    },
    forget: (centralId) => void values.delete(centralId),
    forgetAll: () => values.clear(),
  };
}

const SESSIONS = 'sessions ';
const ADDRESSES = 'addresses';
const CLOCK = 'clock ';
const HEARD_MS = 3_000;

export interface RegisterChanges {
  /**
   * Resolves once every change that this process committed before the call has been heard, so that it is in effect.
   * If nothing is heard in time, or the notification cannot be sent, everything counts as changed.
   */
  heard(): Promise<void>;
  stop(): Promise<void>;
}

export interface RegisterListener {
  onChange(centralId: number): void;
  /** A session of the central has ended. No cached value changes by that. */
  onSessionsEnded(centralId: number): void;
  /** Addresses, which all centrals share, were imported. */
  onAddressesChanged(): void;
  /** The clock of a sandbox is now so far ahead. */
  onClock(centralId: number, seconds: number): void;
  /** Changes may have been missed. */
  onLost(): void;
}

/**
 * Announces a change of a driver. No trigger announces it, because rows of drivers also change with each turn of duty.
 */
export const announceRegisterChange = (tx: Tx, centralId: number): void =>
  tx.notify(REGISTERS_CHANNEL, String(centralId));

/** Uses the same channel, because each channel needs a connection. */
export const announceSessionsEnded = (tx: Tx, centralId: number): void =>
  tx.notify(REGISTERS_CHANNEL, SESSIONS + centralId);

/** Uses the same channel too. */
export const announceAddressesChanged = (tx: Tx): void => tx.notify(REGISTERS_CHANNEL, ADDRESSES);

/** Uses the same channel too, and says the new time, so that nobody has to read it. */
export const announceClock = (tx: Tx, centralId: number, seconds: number): void =>
  tx.notify(REGISTERS_CHANNEL, `${CLOCK}${centralId} ${seconds}`);

/** Calls back when a process has changed a central's registers, ended its sessions or imported addresses. */
export async function hearRegisterChanges(
  db: Database,
  { onChange, onSessionsEnded, onAddressesChanged, onClock, onLost }: RegisterListener,
): Promise<RegisterChanges> {
  const echoes = new Map<string, () => void>();
  const release = () => {
    for (const echo of echoes.values()) echo();
    echoes.clear();
  };
  const listening = await db.listen(
    REGISTERS_CHANNEL,
    (payload) => {
      if (payload.startsWith(SESSIONS)) return onSessionsEnded(Number(payload.slice(SESSIONS.length)));
      if (payload === ADDRESSES) return onAddressesChanged();
      if (payload.startsWith(CLOCK)) {
        const [centralId = 0, seconds = 0] = payload.slice(CLOCK.length).split(' ').map(Number);
        return onClock(centralId, seconds);
      }
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
    // PostgreSQL delivers notifications in the order of the commits, so the echo comes after the announcements.
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
        db.announced()
          .then(async (isAnnounced) => {
            if (isAnnounced) await db.rows`select pg_notify(${REGISTERS_CHANNEL}, ${echo})`;
            else giveUp();
          })
          .catch(giveUp);
      }),
    stop: async () => {
      release();
      await listening.stop();
    },
  };
}
