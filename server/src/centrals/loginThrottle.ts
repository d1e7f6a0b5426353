import { setTimeout as sleepFor } from 'node:timers/promises';
import type { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/kernel/clock.ts';
import { lruCache } from '../platform/kernel/lru.ts';
import { Refusal } from '../platform/kernel/refusal.ts';

/** Longer waits are refused at once, so that waiting attempts cannot pile up in memory. */
const WAIT_MS_MAX = 5_000;
/** Attempts that wait at one slot. */
const QUEUE_MAX = 100;
/** Attempts that wait at all slots together. */
const WAITING_MAX = 500;
const RETRY_MS = 1_000;

export interface LoginThrottle {
  /** Makes the attempt in its turn. Refuses with too-many-attempts if the wait would be too long. */
  attempt<Found>(
    slots: readonly Slot[],
    verify: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
}

/**
 * Slows down guessing: see Attempts. An attempt that could not be decided, because the database was away or the queue
 * full, does not count as a failure.
 */
export function loginThrottle(
  clock: Clock,
  sleep: (ms: number) => Promise<unknown> = sleepFor,
): LoginThrottle {
  const counted = failedAttempts();
  let waiting = 0;
  const now = () => clock.now().epochMilliseconds;

  const wait = async (turn: Promise<unknown>): Promise<void> => {
    waiting += 1;
    try {
      await turn;
    } finally {
      waiting -= 1;
    }
  };

  /** Returns a function that undoes the attempt. */
  const turn = async (all: readonly Attempts[]): Promise<() => void> => {
    for (;;) {
      const at = Math.max(now(), ...all.map(({ nextAt }) => nextAt));
      const pause = at - now();
      if (pause > WAIT_MS_MAX) throw tooMany(pause);
      const crowded = all.find(({ isCrowded }) => isCrowded);
      if ((crowded || pause > 0) && waiting >= WAITING_MAX) throw busy();
      if (!crowded) {
        const takeBack = all.map((each) => each.begin(at));
        if (pause > 0) await wait(sleep(pause));
        return () => {
          for (const undo of takeBack) undo();
        };
      }
      // A user who shares a network with many others does not get 429 for their attempts.
      if (crowded.queued >= QUEUE_MAX) throw crowded.slot.cleared ? tooMany(RETRY_MS) : busy();
      await wait(crowded.nextDecision());
    }
  };

  const decide = async <Found>(
    all: readonly Attempts[],
    verify: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const takeBack = await turn(all);
    try {
      const found = await verify();
      for (const each of all) {
        if (found === undefined) each.fail(now());
        else each.succeed();
      }
      return found;
    } catch (error) {
      takeBack();
      throw error;
    } finally {
      for (const each of all) each.decide();
    }
  };

  return {
    async attempt(slots, verify) {
      const all = counted.take(slots, now());
      try {
        return await decide(all, verify);
      } finally {
        counted.giveBack(all);
      }
    },
  };
}

const tooMany = (ms: number) => new Refusal('too-many-attempts', { seconds: Math.ceil(ms / 1000) });
const busy = () => new Refusal('logins-busy', { seconds: RETRY_MS / 1000 });

const FORGIVEN_AFTER_MS = 15 * 60_000;
/** A clock that is set back by less than this forgives no failures. */
const PUT_BACK_MS = 60_000;
const PENALTY_MS = 500;
/** Counters of each kind of slot. */
const COUNTED_MAX = 20_000;

/** The login or network that failed attempts are counted against. */
export interface Slot {
  /** Kinds are stored separately, so that a flood of one kind cannot evict another. */
  kind: 'login' | 'network' | 'wide-network' | 'user';
  key: string;
  /** How many failures are free before attempts are slowed down. */
  free: number;
  pauseMsMax: number;
  /** Whether a success clears it. Networks are not cleared, because an attacker may have a valid login too. */
  cleared: boolean;
}

/**
 * The attempts of one slot. The first failures are free; then attempts are spaced by a pause that doubles. Parallel
 * attempts gain nothing, because undecided attempts count as failures.
 */
class Attempts {
  readonly slot: Slot;
  users = 0;
  #failures = 0;
  #undecided = 0;
  #forgivenAt = 0;
  #nextAt = 0;
  #queue: (() => void)[] = [];

  constructor(slot: Slot) {
    this.slot = slot;
  }

  /** When the next attempt may be made; in the past while failures are free. */
  get nextAt(): number {
    return this.isSlowedDown ? this.#nextAt : 0;
  }

  get isSlowedDown(): boolean {
    return this.#failures >= this.slot.free;
  }

  /** Whether no free failure would be left if all undecided attempts failed. */
  get isCrowded(): boolean {
    return !this.isSlowedDown && this.#failures + this.#undecided >= this.slot.free;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get hasFailures(): boolean {
    return this.#failures > 0;
  }

  /** Forgets old failures. It does so too when the clock has been set back, which would block people meanwhile. */
  forgive(now: number): void {
    const msLeft = this.#forgivenAt - now;
    if (msLeft > 0 && msLeft <= FORGIVEN_AFTER_MS + PUT_BACK_MS) return;
    this.#failures = 0;
    this.#nextAt = 0;
  }

  /** Returns a function that undoes the attempt if it is never decided. */
  begin(at: number): () => void {
    const before = this.#nextAt;
    this.#undecided += 1;
    const after = at + this.#penalty(this.#failures + this.#undecided);
    this.#nextAt = after;
    return () => {
      if (this.#nextAt === after) this.#nextAt = before;
    };
  }

  fail(now: number): void {
    this.#failures += 1;
    this.#forgivenAt = now + FORGIVEN_AFTER_MS;
    this.#nextAt = Math.max(this.#nextAt, now + this.#penalty(this.#failures));
  }

  succeed(): void {
    if (this.slot.cleared) this.#failures = 0;
  }

  decide(): void {
    this.#undecided -= 1;
    for (const resolve of this.#queue.splice(0)) resolve();
  }

  nextDecision(): Promise<void> {
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  #penalty(failures: number): number {
    const excess = Math.max(0, failures - this.slot.free);
    return Math.min(PENALTY_MS * 2 ** excess, this.slot.pauseMsMax);
  }
}

/**
 * The counters of one kind of slot. Only attempts that were verified and failed leave a counter, and verification is
 * slow and limited (passwords.ts); refused attempts leave none. Counters that slow attempts down are stored separately
 * from those with few failures: a flood of new names evicts only other new names.
 */
class Counters {
  // Never evicted: attempts in progress or waiting. The throttle limits their number.
  readonly #inUse = new Map<string, Attempts>();
  readonly #few = lruCache<string, Attempts>(COUNTED_MAX);
  readonly #slowedDown = lruCache<string, Attempts>(COUNTED_MAX);

  take(slot: Slot, now: number): Attempts {
    const { key } = slot;
    const attempts =
      this.#inUse.get(key) ?? this.#slowedDown.get(key) ?? this.#few.get(key) ?? new Attempts(slot);
    attempts.forgive(now);
    attempts.users += 1;
    this.#inUse.set(key, attempts);
    return attempts;
  }

  giveBack(attempts: Attempts): void {
    attempts.users -= 1;
    if (attempts.users > 0) return;
    const { key } = attempts.slot;
    this.#inUse.delete(key);
    const counted = attempts.isSlowedDown ? this.#slowedDown : this.#few;
    const kept = attempts.hasFailures ? counted : undefined;
    // Deleting the last entry of such a cache clears all its 20,000 places, so an entry that stays is not deleted.
    for (const counters of [this.#few, this.#slowedDown]) if (counters !== kept) counters.delete(key);
    kept?.set(key, attempts);
  }
}

export interface FailedAttempts {
  take(slots: readonly Slot[], now: number): Attempts[];
  giveBack(attempts: readonly Attempts[]): void;
}

export function failedAttempts(): FailedAttempts {
  const counters: Record<Slot['kind'], Counters> = {
    login: new Counters(),
    network: new Counters(),
    'wide-network': new Counters(),
    user: new Counters(),
  };
  return {
    take: (slots, now) => slots.map((slot) => counters[slot.kind].take(slot, now)),
    giveBack(attempts) {
      for (const attempt of attempts) counters[attempt.slot.kind].giveBack(attempt);
    },
  };
}

const USERS_MAX = 50_000;
/** Prevents that a user who moves through many networks evicts other users. */
const NETWORKS_PER_USER_MAX = 20;

/**
 * The networks from which each user has logged in, with a keyed digest of the password. Only successes are stored, so
 * unknown clients can neither add nor evict entries.
 */
export interface KnownClients {
  /** 'proven': this password was right from this network before. 'home': the user has logged in from this network. */
  standing(user: string, network: string, seal: string): 'proven' | 'home' | 'stranger';
  letIn(user: string, network: string, seal: string): void;
  /** Removes a password that is no longer right. */
  disprove(user: string, network: string, seal: string): void;
}

export function knownClients(): KnownClients {
  const users = lruCache<string, LRUCache<string, string>>(USERS_MAX);
  return {
    standing(user, network, seal) {
      const known = users.get(user)?.get(network);
      if (known === undefined) return 'stranger';
      return known === seal ? 'proven' : 'home';
    },
    letIn(user, network, seal) {
      const networks = users.get(user) ?? lruCache<string, string>(NETWORKS_PER_USER_MAX);
      networks.set(network, seal);
      users.set(user, networks);
    },
    disprove(user, network, seal) {
      const networks = users.get(user);
      if (networks?.get(network) === seal) networks.set(network, '');
    },
  };
}
