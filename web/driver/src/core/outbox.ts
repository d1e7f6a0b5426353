import { type Action, laneOf } from './action.ts';

/** An action on its way to the server. */
export interface Entry {
  /** Assigned by the storage, ascending. */
  seq: number;
  /** The idempotency key, generated on the phone. */
  key: string;
  /** The driver who did it. The entry is not sent while another driver is signed in on this phone. */
  driverId: string;
  happenedAt: string;
  action: Action;
  /** `sent`: the server has accepted it, but the work has not been read again since. */
  state: 'waiting' | 'sent' | 'refused';
  refusal: RefusalNote | null;
}

export interface RefusalNote {
  kind: string;
  messages: string[];
}

/** Stores entries, so that they survive the end of the app. */
export interface OutboxStorage {
  /** In the order of `seq`. */
  load(): Promise<Entry[]>;
  /** Stores all entries or none. */
  add(entries: readonly Omit<Entry, 'seq'>[]): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  remove(seqs: readonly number[]): Promise<void>;
}

export type Outcome =
  | { kind: 'done' }
  /** No answer, or an inconclusive one: the same request is sent again. */
  | { kind: 'later'; afterMs: number | null }
  | { kind: 'refused'; refusal: RefusalNote }
  | { kind: 'signed-out' };

export interface OutboxPorts {
  storage: OutboxStorage;
  send(entry: Entry): Promise<Outcome>;
  now(): number;
  /** The server's time, in milliseconds. */
  serverNow(): number;
  newKey(): string;
  /** Between 0 and 1. */
  random(): number;
  /** Calls `run` after `ms`, unless the returned function is called before. */
  wait(ms: number, run: () => void): () => void;
  onChange(): void;
}

export interface Outbox {
  entries(): readonly Entry[];
  /**
   * Resolves when the actions are stored. They are sent in this order. While they are being stored, a second call with
   * the same actions is ignored: the button was tapped twice.
   */
  add(actions: readonly Action[], happenedAt: string): Promise<void>;
  /** Sets the driver whose entries are sent. With null, nothing is sent. */
  actFor(driverId: string | null): void;
  /** Ends the current pauses and sends at once, for example when the network is back. */
  sendNow(): void;
  /** Sends a refused entry again, unchanged or corrected. */
  retry(seq: number, corrected?: Action): Promise<void>;
  discard(seqs: readonly number[]): Promise<void>;
  /** The entries already sent. Call it before the work is read, and pass the result to `forget` afterwards. */
  takeSent(): number[];
  forget(seqs: readonly number[]): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** The server refuses actions older than 72 hours. An older one is sent with this age, so that it is not lost. */
const TOLD_AGE_MS_MAX = 71 * HOUR_MS;
const AGE_MS_MAX = 72 * HOUR_MS - 300_000;

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** After this many attempts without a conclusive answer, other lanes may overtake the lane of the action. */
const TRIES_BEFORE_OVERTAKEN = 5;

export const backoffMs = (tries: number, random: number): number =>
  Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (tries - 1)) * (0.5 + random / 2);

interface Lane {
  tries: number;
  notBefore: number;
}

/**
 * Sends actions one at a time in the order in which they were done, because a delivery can start only after the one
 * before has ended. A lane is overtaken only after a refusal or repeated attempts without a conclusive answer.
 */
export async function openOutbox(ports: OutboxPorts): Promise<Outbox> {
  const { storage } = ports;
  let entries = await storage.load();
  let driverId: string | null = null;
  let sending = false;
  let cancelTimer = (): void => undefined;
  const lanes = new Map<string, Lane>();
  const storing = new Set<string>();

  const change = (seq: number, changes: Partial<Entry>): Entry | undefined => {
    const before = entries.find((entry) => entry.seq === seq);
    if (!before) return undefined;
    const after = { ...before, ...changes };
    entries = entries.map((entry) => (entry.seq === seq ? after : entry));
    return after;
  };
  const save = async (seq: number, changes: Partial<Entry>): Promise<void> => {
    const entry = change(seq, changes);
    if (entry) await storage.put(entry);
  };

  /** The entry to send now, or the milliseconds until there is one. */
  function next(): Entry | number {
    const seen = new Set<string>();
    let pause = Number.POSITIVE_INFINITY;
    for (const entry of entries) {
      const lane = laneOf(entry.action);
      if (entry.state === 'sent' || entry.driverId !== driverId || seen.has(lane)) continue;
      seen.add(lane);
      if (entry.state === 'refused') continue;
      const { tries, notBefore } = lanes.get(lane) ?? { tries: 0, notBefore: 0 };
      const left = notBefore - ports.now();
      if (left <= 0) return entry;
      pause = Math.min(pause, left);
      if (tries < TRIES_BEFORE_OVERTAKEN) break;
    }
    return pause;
  }

  function pump(): void {
    cancelTimer();
    if (sending || driverId === null) return;
    const found = next();
    if (typeof found === 'number') {
      if (Number.isFinite(found)) cancelTimer = ports.wait(found, pump);
      return;
    }
    sending = true;
    void deliver(found);
  }

  async function deliver(entry: Entry): Promise<void> {
    const lane = laneOf(entry.action);
    const outcome = await inTime(entry)
      .then(ports.send)
      .catch((): Outcome => ({ kind: 'later', afterMs: null }));
    try {
      await conclude(entry, lane, outcome);
    } catch {
      // The storage failed. After the next start, the entry is sent again with the same key.
    }
    sending = false;
    ports.onChange();
    pump();
  }

  /** Limits the entry's age. The new time is stored before sending, because a repetition must be the same request. */
  async function inTime(entry: Entry): Promise<Entry> {
    const now = ports.serverNow();
    if (now - Date.parse(entry.happenedAt) <= AGE_MS_MAX) return entry;
    const happenedAt = new Date(now - TOLD_AGE_MS_MAX).toISOString();
    await save(entry.seq, { happenedAt });
    return { ...entry, happenedAt };
  }

  async function conclude(entry: Entry, lane: string, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'later') {
      const tries = (lanes.get(lane)?.tries ?? 0) + 1;
      const pause = Math.max(outcome.afterMs ?? 0, backoffMs(tries, ports.random()));
      lanes.set(lane, { tries, notBefore: ports.now() + pause });
      return;
    }
    lanes.delete(lane);
    if (outcome.kind === 'signed-out') driverId = null;
    else if (outcome.kind === 'done') await save(entry.seq, { state: 'sent' });
    else await save(entry.seq, { state: 'refused', refusal: outcome.refusal });
  }

  const remove = async (seqs: readonly number[]): Promise<void> => {
    if (seqs.length === 0) return;
    await storage.remove(seqs);
    entries = entries.filter(({ seq }) => !seqs.includes(seq));
    ports.onChange();
  };

  return {
    entries: () => entries,
    async add(actions, happenedAt) {
      if (driverId === null) throw new Error('nobody is signed in');
      const owner = driverId;
      const name = JSON.stringify(actions, (_, value) =>
        value instanceof Uint8Array ? value.length : value,
      );
      if (storing.has(name)) return;
      storing.add(name);
      const added = await storage
        .add(
          actions.map((action) => ({
            key: ports.newKey(),
            driverId: owner,
            happenedAt,
            action,
            state: 'waiting',
            refusal: null,
          })),
        )
        .finally(() => storing.delete(name));
      entries = [...entries, ...added].toSorted((a, b) => a.seq - b.seq);
      ports.onChange();
      pump();
    },
    actFor(id) {
      driverId = id;
      pump();
    },
    sendNow() {
      for (const lane of lanes.values()) lane.notBefore = 0;
      pump();
    },
    async retry(seq, corrected) {
      // The server keeps no key of a refused request. A corrected action gets a new key because it is another request.
      await save(seq, {
        state: 'waiting',
        refusal: null,
        ...(corrected && { action: corrected, key: ports.newKey() }),
      });
      ports.onChange();
      pump();
    },
    async discard(seqs) {
      await remove(seqs);
      pump();
    },
    takeSent: () => entries.filter(({ state }) => state === 'sent').map(({ seq }) => seq),
    forget: remove,
  };
}

/** Entries that the server has not confirmed, of one driver. */
export const unconfirmed = (entries: readonly Entry[], driverId: string): Entry[] =>
  entries.filter((entry) => entry.driverId === driverId && entry.state !== 'sent');
