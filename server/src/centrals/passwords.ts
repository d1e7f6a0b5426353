import { availableParallelism } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { lruCache } from '../platform/kernel/lru.ts';
import { Refusal } from '../platform/kernel/refusal.ts';

/**
 * Argon2 shares the four threads of the thread pool with files and name look-ups, and each verification occupies a
 * core: more lanes would not make any verification faster.
 */
const LANES = Math.max(2, Math.min(3, availableParallelism()));
/** One lane is reserved for known clients. */
const STRANGER_LANES = LANES - 1;
const KNOWN_WAITING_MAX = 1_000;
/** About two seconds of work: a request that would wait longer is refused at once. */
const STRANGERS_WAITING_MAX = 150;
const NETWORKS_MAX = 10_000;
const RETRY_SECONDS = 2;

export interface Queued {
  /** Whether the user has logged in from the same network before. Known clients are served first. */
  isKnown: boolean;
  /** Among unknown clients, networks with few requests are served before those with many. */
  network: string;
}

/**
 * All argon2 work of this process passes through this queue, so that a flood of logins can neither occupy every core
 * nor fill the memory. Known clients come first and have a reserved lane. Unknown clients wait in a short queue that
 * serves the network with the fewest requests first. When it is full, the network with the most waiting loses a place.
 */
export interface PasswordQueue {
  /** Refuses with logins-busy when the queue is full. */
  run<Result>(queued: Queued, work: () => Promise<Result>): Promise<Result>;
  waiting(): number;
}

interface Waiter {
  start(): void;
  refuse(): void;
}

export function passwordQueue(): PasswordQueue {
  const known: Waiter[] = [];
  const strangers = new Map<string, Waiter[]>();
  // How often each network was served since the queue was last empty.
  const served = lruCache<string, number>(NETWORKS_MAX);
  let strangersWaiting = 0;
  let running = 0;
  let strangersRunning = 0;

  /** From the network with the fewest requests, waiting or served; of several, the first. */
  const nextStranger = (): Waiter | undefined => {
    let least = Number.POSITIVE_INFINITY;
    let next: string | undefined;
    for (const [network, waiters] of strangers) {
      const asked = waiters.length + (served.get(network) ?? 0);
      if (asked >= least) continue;
      least = asked;
      next = network;
    }
    if (next === undefined) return undefined;
    const waiters = strangers.get(next)!;
    const waiter = waiters.shift()!;
    strangersWaiting -= 1;
    served.set(next, (served.get(next) ?? 0) + 1);
    if (waiters.length === 0) strangers.delete(next);
    if (strangers.size === 0) served.clear();
    return waiter;
  };

  const serve = (): void => {
    while (running < LANES) {
      const waiter = known.shift() ?? (strangersRunning < STRANGER_LANES ? nextStranger() : undefined);
      if (!waiter) return;
      waiter.start();
    }
  };

  /** False when the network already has its share of the queue. */
  const makeRoomFor = (network: string): boolean => {
    if (strangersWaiting < STRANGERS_WAITING_MAX) return true;
    let crowd: Waiter[] = strangers.get(network) ?? [];
    const own = crowd.length;
    for (const waiters of strangers.values()) if (waiters.length > crowd.length) crowd = waiters;
    if (crowd.length <= own + 1) return false;
    crowd.pop()!.refuse();
    strangersWaiting -= 1;
    return true;
  };

  /** False when the queue is full. */
  const enqueue = ({ isKnown, network }: Queued, waiter: Waiter): boolean => {
    if (isKnown) return known.length < KNOWN_WAITING_MAX && known.push(waiter) > 0;
    if (!makeRoomFor(network)) return false;
    const waiters = strangers.get(network);
    if (waiters) waiters.push(waiter);
    else strangers.set(network, [waiter]);
    strangersWaiting += 1;
    return true;
  };

  return {
    run: (queued, work) =>
      new Promise((resolve, reject) => {
        const count = (by: 1 | -1) => {
          running += by;
          if (!queued.isKnown) strangersRunning += by;
        };
        const waiter: Waiter = {
          start() {
            count(1);
            Promise.resolve()
              .then(work)
              .finally(() => {
                count(-1);
                serve();
              })
              .then(resolve, reject);
          },
          refuse: () => reject(new Refusal('logins-busy', { seconds: RETRY_SECONDS })),
        };
        if (enqueue(queued, waiter)) serve();
        else waiter.refuse();
      }),
    waiting: () => known.length + strangersWaiting,
  };
}

/** One queue for the process, because all work shares its cores. */
const queue = passwordQueue();
const knownClient: Queued = { isKnown: true, network: '' };
/** Setting a password requires a login, but a central that sets many passwords must not delay other logins. */
const setIn = (centralId: number | undefined): Queued => ({
  isKnown: false,
  network: `central ${centralId}`,
});

/** argon2id with the library's defaults (19 MiB, 2 passes), as OWASP advises. */
export const hashPassword = (password: string, centralId?: number): Promise<string> =>
  queue.run(setIn(centralId), () => hash(password));

export type PasswordCheck = (passwordHash: string, password: string, queued?: Queued) => Promise<boolean>;

export const isPassword: PasswordCheck = (passwordHash, password, queued = knownClient) =>
  queue.run(queued, () => verify(passwordHash, password));

/** A digest to compare passwords with each other, as slow to compute as a stored hash. */
export const passwordDigest = async (
  password: string,
  salt: Uint8Array,
  centralId: number,
): Promise<string> =>
  (await queue.run(setIn(centralId), () => hashRaw(password, { salt }))).toString('base64');

/** Verified against when there is no such user, so that an unknown name takes as long as a wrong password. */
export const nobodysHash: Promise<string> = hashPassword('nobody has this password');
