import { type Action, laneOf } from './action.ts';

/** An action on its way to the server. */
export interface Entry {
  /** Given by the storage, ever higher. */
  seq: number;
  /** Made on the phone: sent twice, it is the same action to the server. */
  key: string;
  /** Who did it. Another person who signs in on this phone does not send it. */
  driverId: string;
  happenedAt: string;
  action: Action;
  /** `sent`: the server has it, but what it told us last is older than that. */
  state: 'waiting' | 'sent' | 'refused';
  refusal: RefusalNote | null;
}

export interface RefusalNote {
  kind: string;
  messages: string[];
}

/** Keeps entries across the death of the app. */
export interface OutboxStorage {
  /** In the order of `seq`. */
  load(): Promise<Entry[]>;
  /** All or none. */
  add(entries: readonly Omit<Entry, 'seq'>[]): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  remove(seqs: readonly number[]): Promise<void>;
}

export type Outcome =
  | { kind: 'done' }
  /** No answer, or none that settles it: the same request is sent again. */
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
  /** Runs it later, unless the function that this returns is called before. */
  wait(ms: number, run: () => void): () => void;
  onChange(): void;
}

export interface Outbox {
  entries(): readonly Entry[];
  /**
   * Resolves when the actions are stored, so that they outlive the app. They are sent in this order. The same actions
   * again, before that, are a button that was tapped twice.
   */
  add(actions: readonly Action[], happenedAt: string): Promise<void>;
  /** Whose entries are sent; null sends nothing. */
  actFor(driverId: string | null): void;
  /** Tries at once, as when the network comes back. */
  sendNow(): void;
  /** Sends a refused entry again, as it was or corrected. */
  retry(seq: number, corrected?: Action): Promise<void>;
  discard(seqs: readonly number[]): Promise<void>;
  /** Forgets what was sent before the server was last read: `take` names it before the reading, `forget` after. */
  takeSent(): number[];
  forget(seqs: readonly number[]): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** The server takes nothing that is older than 72 hours. What waited longer is told as this old, or it would be lost. */
const TOLD_AGE_MS_MAX = 71 * HOUR_MS;
const AGE_MS_MAX = 72 * HOUR_MS - 300_000;

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** An action that the server fails to answer this often is overtaken by those of other deliveries. */
const TRIES_BEFORE_OVERTAKEN = 5;

export const backoffMs = (tries: number, random: number): number =>
  Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (tries - 1)) * (0.5 + random / 2);

interface Lane {
  tries: number;
  notBefore: number;
}

/**
 * Sends actions one at a time in the order in which they were done: starting a delivery needs the end of the one
 * before. Only a lane that the server has refused, or cannot answer for, is passed over by others.
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

  /** The entry to send now, or how long to wait for one. */
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
      await settle(entry, lane, outcome);
    } catch {
      // The storage failed: after the next start the entry is sent again, with the same key.
    }
    sending = false;
    ports.onChange();
    pump();
  }

  /** Stored before it is sent: a repetition must be the same request. */
  async function inTime(entry: Entry): Promise<Entry> {
    const now = ports.serverNow();
    if (now - Date.parse(entry.happenedAt) <= AGE_MS_MAX) return entry;
    const happenedAt = new Date(now - TOLD_AGE_MS_MAX).toISOString();
    await save(entry.seq, { happenedAt });
    return { ...entry, happenedAt };
  }

  async function settle(entry: Entry, lane: string, outcome: Outcome): Promise<void> {
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
      // The server keeps no key of what it refused; a corrected action is another one all the same.
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
