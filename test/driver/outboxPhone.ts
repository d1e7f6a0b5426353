import type { Action } from '../../web/driver/src/core/action.ts';
import {
  type Entry,
  type Outbox,
  type OutboxStorage,
  type Outcome,
  openOutbox,
} from '../../web/driver/src/core/outbox.ts';

/** Keeps its entries when the app dies, as a phone's storage does. */
export function memory(): OutboxStorage & { kept: Map<number, Entry> } {
  const kept = new Map<number, Entry>();
  let seq = 0;
  return {
    kept,
    load: async () => [...kept.values()].toSorted((a, b) => a.seq - b.seq),
    async add(entries) {
      return entries.map((entry) => {
        seq += 1;
        const added = { ...entry, seq };
        kept.set(seq, added);
        return added;
      });
    },
    async put(entry) {
      if (kept.has(entry.seq)) kept.set(entry.seq, entry);
    },
    async remove(seqs) {
      for (const each of seqs) kept.delete(each);
    },
  };
}

interface Phone {
  outbox: Outbox;
  storage: ReturnType<typeof memory>;
  /** Runs everything that is due, then moves the clock by this time. */
  pass(ms: number): Promise<void>;
}

/** A phone whose clock the test sets. Once killed, it neither sends nor stores anything more. */
export async function startPhone(
  send: (entry: Entry) => Promise<Outcome>,
  storage = memory(),
  isDead: () => boolean = () => false,
): Promise<Phone> {
  let now = 0;
  let keys = 0;
  const timers = new Map<() => void, number>();
  const never = new Promise<never>(() => undefined);
  const alive = <T>(run: () => Promise<T>): Promise<T> => (isDead() ? never : run());
  const outbox = await openOutbox({
    storage: {
      load: () => storage.load(),
      add: (entries) => alive(() => storage.add(entries)),
      put: (entry) => alive(() => storage.put(entry)),
      remove: (seqs) => alive(() => storage.remove(seqs)),
    },
    send: (entry) => alive(() => send(entry)),
    now: () => now,
    serverNow: () => Date.parse(WHEN) + now,
    newKey: () => {
      keys += 1;
      return `key ${keys} of ${Math.random()}`;
    },
    random: () => 1,
    wait(ms, run) {
      timers.set(run, now + ms);
      return () => timers.delete(run);
    },
    onChange: () => undefined,
  });
  outbox.actFor('1');
  return {
    outbox,
    storage,
    async pass(ms) {
      await nextTurn();
      now += ms;
      for (const [run, due] of [...timers]) {
        if (due > now) continue;
        timers.delete(run);
        run();
      }
      await nextTurn();
    },
  };
}

export const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
export const WHEN = '2026-11-16T15:00:00Z';
export const arrive = (deliveryId: string): Action => ({ kind: 'arrive-pickup', deliveryId });
export const start = (deliveryId: string): Action => ({ kind: 'start', deliveryId });
export const refusal = { kind: 'step-out-of-order', messages: ['Fora de ordem.'] };
