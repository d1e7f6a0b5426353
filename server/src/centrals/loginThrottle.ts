import { setTimeout as sleepFor } from 'node:timers/promises';
import { BoundedMap } from '../kernel/boundedMap.ts';
import type { Clock } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';

const FORGIVEN_AFTER_MS = 15 * 60_000;
const PENALTY_MS = 500;
const PENALTY_MS_MAX = 60_000;
/** Longer waits are refused at once, so that waiting attempts cannot pile up in memory. */
const WAIT_MS_MAX = 5_000;
const QUEUE_MAX = 100;
const SLOTS_MAX = 50_000;

/** Something that attempts are counted against. */
export interface Slot {
  key: string;
  /** How many may fail before they are slowed down. */
  free: number;
  /** Whether a success clears it. An address is not cleared by somebody who also has a login of his own. */
  cleared: boolean;
}

export interface LoginThrottle {
  /** Makes the attempt when its turn has come; refuses with too-many-attempts when that is too far off. */
  attempt<Found>(
    slots: readonly Slot[],
    verify: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
}

/**
 * Slows down guessing. The first failures are free; then attempts are spaced by a pause that doubles.
 * Attempts made in parallel buy nothing: those that are still undecided count as failures, and the next
 * ones wait until they are known to be none.
 */
export function loginThrottle(
  clock: Clock,
  sleep: (ms: number) => Promise<unknown> = sleepFor,
): LoginThrottle {
  const known = new BoundedMap<string, Attempts>(SLOTS_MAX);
  const now = () => clock.now().epochMilliseconds;
  const attemptsAt = (slot: Slot): Attempts => {
    const attempts = known.get(slot.key) ?? new Attempts(slot);
    attempts.forgive(now());
    known.set(slot.key, attempts);
    return attempts;
  };

  const turn = async (all: readonly Attempts[]): Promise<void> => {
    for (;;) {
      const at = Math.max(now(), ...all.map((one) => one.nextAt));
      const wait = at - now();
      if (wait > WAIT_MS_MAX) throw tooMany(wait);
      const crowded = all.find((one) => one.isCrowded);
      if (!crowded) {
        for (const one of all) one.begin(at);
        if (wait > 0) await sleep(wait);
        return;
      }
      if (crowded.queued >= QUEUE_MAX) throw tooMany(PENALTY_MS);
      await crowded.nextDecision();
    }
  };

  return {
    async attempt(slots, verify) {
      const all = slots.map(attemptsAt);
      await turn(all);
      try {
        const found = await verify();
        for (const one of all) {
          if (found === undefined) one.fail(now());
          else one.succeed();
        }
        return found;
      } finally {
        for (const one of all) one.decide();
      }
    },
  };
}

class Attempts {
  readonly #slot: Slot;
  #failures = 0;
  #undecided = 0;
  #forgivenAt = 0;
  #nextAt = 0;
  #queue: (() => void)[] = [];

  constructor(slot: Slot) {
    this.#slot = slot;
  }

  /** When the next one may be made; in the past while failures are free. */
  get nextAt(): number {
    return this.#failures < this.#slot.free ? 0 : this.#nextAt;
  }

  /** Should those under way fail, no free one is left. */
  get isCrowded(): boolean {
    return this.#failures < this.#slot.free && this.#failures + this.#undecided >= this.#slot.free;
  }

  get queued(): number {
    return this.#queue.length;
  }

  forgive(now: number): void {
    if (now >= this.#forgivenAt) this.#failures = 0;
  }

  begin(at: number): void {
    this.#undecided += 1;
    this.#nextAt = at + this.#penalty(this.#failures + this.#undecided);
  }

  fail(now: number): void {
    this.#failures += 1;
    this.#forgivenAt = now + FORGIVEN_AFTER_MS;
    this.#nextAt = Math.max(this.#nextAt, now + this.#penalty(this.#failures));
  }

  succeed(): void {
    if (this.#slot.cleared) this.#failures = 0;
  }

  decide(): void {
    this.#undecided -= 1;
    for (const resolve of this.#queue.splice(0)) resolve();
  }

  nextDecision(): Promise<void> {
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  #penalty(failures: number): number {
    const excess = Math.max(0, failures - this.#slot.free);
    return Math.min(PENALTY_MS * 2 ** excess, PENALTY_MS_MAX);
  }
}

const tooMany = (ms: number) => new Refusal('too-many-attempts', { seconds: Math.ceil(ms / 1000) });
