import type { Caller } from '../../centrals/caller.ts';
import { betweenPieces } from '../../platform/kernel/inSlices.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

/** Requests from their beginning until their answer is sent, also while they wait or their client does not read. */
const OPEN_PER_LOGIN_MAX = 24;
const OPEN_PER_CENTRAL_MAX = 72;
const OPEN_MAX = 256;
const RETRY_SECONDS = 2;
/** The share of the pool for heavy work; other requests need connections too. One turn uses up to two connections. */
const SHARE_OF_POOL = 0.4;
const TURNS_PER_LOGIN_MAX = 2;

/** Work whose client has gone: there is nobody to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** One request that is admitted. */
export interface HeavyRequest {
  /** Runs a part of its work when it is its turn. Throws ClientGone once the request is over. */
  turn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Ends the request: parts that still wait are not begun. */
  end(): void;
}

export interface HeavyWork {
  /** Refuses with too-much-at-once. */
  begin(caller: Pick<Caller, 'centralId' | 'userId'>): HeavyRequest;
  /** Runs a single part on behalf of all logins of a central, such as an answer that they share. */
  turnOf<Result>(centralId: number, work: () => Promise<Result>): Promise<Result>;
  figures(): { open: number; running: number; waiting: number };
}

interface Part {
  keys: readonly string[];
  start(): void;
  cancel(): void;
}

/**
 * Bounds the requests that read or write much: how many of a login, of a central and of this process are open, and how
 * many of their parts run at the same time. Parts run in the order of their arrival, except that those of a login or a
 * central with enough running ones wait: one of them cannot keep the others waiting.
 */
export function heavyWork(poolSize: number): HeavyWork {
  const turnsMax = Math.max(1, Math.floor(poolSize * SHARE_OF_POOL));
  const turnsPerCentralMax = Math.max(1, turnsMax - 1);
  const open = counter();
  const running = counter();
  const waiting = new Set<Part>();

  const mayRun = ([central, login]: readonly string[]): boolean =>
    running.of(ALL) < turnsMax &&
    running.of(central!) < turnsPerCentralMax &&
    (login === undefined || running.of(login) < TURNS_PER_LOGIN_MAX);

  const startWaiting = (): void => {
    for (const part of waiting) {
      if (running.of(ALL) >= turnsMax) return;
      if (mayRun(part.keys)) part.start();
    }
  };

  const turn = <Result>(
    keys: readonly string[],
    own: Set<Part> | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(part);
        own?.delete(part);
      };
      const part: Part = {
        keys,
        start() {
          leave();
          running.add(keys, 1);
          const done = (): void => {
            running.add(keys, -1);
            startWaiting();
          };
          // Parts that never wait for anything else would follow each other without end.
          betweenPieces().then(work).finally(done).then(resolve, reject);
        },
        cancel() {
          leave();
          reject(new ClientGone());
        },
      };
      if (mayRun(keys)) return part.start();
      waiting.add(part);
      own?.add(part);
    });

  return {
    begin({ centralId, userId }) {
      const keys = [`${centralId}`, `${centralId} ${userId}`];
      const [central, login] = keys as [string, string];
      if (
        open.of(login) >= OPEN_PER_LOGIN_MAX ||
        open.of(central) >= OPEN_PER_CENTRAL_MAX ||
        open.of(ALL) >= OPEN_MAX
      )
        throw new Refusal('too-much-at-once', { seconds: RETRY_SECONDS });
      open.add(keys, 1);
      const parts = new Set<Part>();
      let isOver = false;
      return {
        turn: (work) => (isOver ? Promise.reject(new ClientGone()) : turn(keys, parts, work)),
        end() {
          if (isOver) return;
          isOver = true;
          open.add(keys, -1);
          for (const part of parts) part.cancel();
        },
      };
    },
    turnOf: (centralId, work) => turn([`${centralId}`], undefined, work),
    figures: () => ({ open: open.of(ALL), running: running.of(ALL), waiting: waiting.size }),
  };
}

const ALL = 'all';

/** Counts by key, and all together. */
function counter() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add(keys: readonly string[], change: number): void {
      for (const key of [ALL, ...keys]) {
        const count = (counts.get(key) ?? 0) + change;
        if (count > 0) counts.set(key, count);
        else counts.delete(key);
      }
    },
  };
}
