import { LRUCache } from 'lru-cache';

const FORGIVEN_AFTER_MS = 15 * 60_000;
const PENALTY_MS = 500;
/** Of each kind of slot. */
const COUNTED_MAX = 20_000;

/** Something that failed attempts are counted against. */
export interface Slot {
  /** Each kind is kept apart, so that a flood of one kind cannot push another out. */
  kind: 'login' | 'network' | 'wide-network' | 'user';
  key: string;
  /** How many may fail before they are slowed down. */
  free: number;
  pauseMsMax: number;
  /** Whether a success clears it. A network is not cleared by somebody who also has a login of his own. */
  cleared: boolean;
}

/**
 * What is counted against one slot. The first failures are free; then attempts are spaced by a pause that doubles.
 * Attempts made in parallel buy nothing: those that are still undecided count as failures.
 */
export class Attempts {
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

  /** When the next one may be made; in the past while failures are free. */
  get nextAt(): number {
    return this.isSlowedDown ? this.#nextAt : 0;
  }

  get isSlowedDown(): boolean {
    return this.#failures >= this.slot.free;
  }

  /** Should those under way fail, no free one is left. */
  get isCrowded(): boolean {
    return !this.isSlowedDown && this.#failures + this.#undecided >= this.slot.free;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get hasFailures(): boolean {
    return this.#failures > 0;
  }

  forgive(now: number): void {
    if (now >= this.#forgivenAt) this.#failures = 0;
  }

  /** Returns the way to take it back, for an attempt that was never decided. */
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
 * The counters of one kind of slot. Only attempts that were verified and failed leave one behind, and verifying is
 * slow and limited (passwordQueue.ts); what was turned away leaves nothing. Those that slow somebody down are kept
 * apart from those with a failure or two: a flood of new names pushes out other new names, and nothing else.
 */
class Counters {
  // Never dropped: attempts that are under way or wait for their turn; their number is limited by the throttle.
  readonly #inUse = new Map<string, Attempts>();
  readonly #few = new LRUCache<string, Attempts>({ max: COUNTED_MAX });
  readonly #slowedDown = new LRUCache<string, Attempts>({ max: COUNTED_MAX });

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
    this.#few.delete(key);
    this.#slowedDown.delete(key);
    if (!attempts.hasFailures) return;
    (attempts.isSlowedDown ? this.#slowedDown : this.#few).set(key, attempts);
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
      for (const one of attempts) counters[one.slot.kind].giveBack(one);
    },
  };
}
