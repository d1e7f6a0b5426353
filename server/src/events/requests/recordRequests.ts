import { startRounds } from '../../platform/kernel/rounds.ts';
import { isDatabaseUnavailable } from '../../platform/postgres/databaseErrors.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { NotedRequest } from './apiRequest.ts';
import { insertRequests } from './requestStore.ts';

const WRITTEN_MS = 3_000;
/** Requests that wait to be written, of all centrals and of one. */
const WAITING_MAX = 2_000;
const WAITING_OF_CENTRAL_MAX = 500;
/** What one credential may have recorded in a minute: refused requests, and others, which must leave them room. */
const REFUSED_MAX = 30;
const SAMPLED_MAX = 10;
/**
 * The same for an API key whose login was refused. Anybody who has seen the key can send such requests, so they must not
 * use up the day of the central.
 */
const OF_KEY_ALONE_MAX = 6;
const MINUTE_MS = 60_000;
const CREDENTIALS_MAX = 20_000;
/** Centrals whose dropped requests are counted until they are written. */
const COUNTED_MAX = 10_000;

/** Who sent the request, as far as it is known. */
export type Sender = Pick<NotedRequest, 'centralId' | 'userId' | 'keyDigest'>;

export interface RequestFigures {
  written: number;
  dropped: number;
  waiting: number;
}

export interface RequestRecorder {
  /**
   * Whether there is room to note a request of this sender. It counts as noted from then on; a refused one without room
   * is counted as dropped. Asked before the request is masked, which costs more than all the rest.
   */
  admit(sender: Sender, isRefused: boolean): boolean;
  note(request: NotedRequest): void;
  /** Writes what was noted. */
  write(): Promise<void>;
  figures(): RequestFigures;
  stop(): Promise<void>;
}

/** Notes requests in memory and writes them every few seconds. What cannot be written is lost: nothing waits for it. */
export function requestRecorder({ db, clock }: Deps, onError: (error: unknown) => void): RequestRecorder {
  let noted = new Map<number, NotedRequest[]>();
  let waiting = 0;
  let dropped = new Map<number, number>();
  let minute = 0;
  const inMinute = new Map<string, number>();
  const total = { written: 0, dropped: 0 };

  const drop = (centralId: number, count: number): void => {
    total.dropped += count;
    const known = dropped.get(centralId);
    if (known !== undefined || dropped.size < COUNTED_MAX) dropped.set(centralId, (known ?? 0) + count);
  };
  /** Whether the sender has not yet used up its minute. */
  const counts = ({ centralId, userId, keyDigest }: Sender, isRefused: boolean): boolean => {
    const now = Math.floor(clock.milliseconds() / MINUTE_MS);
    if (now !== minute) {
      minute = now;
      inMinute.clear();
    }
    const sender = `${centralId} ${userId ?? keyDigest} ${isRefused}`;
    const count = inMinute.get(sender) ?? 0;
    const max = isRefused ? (userId === null ? OF_KEY_ALONE_MAX : REFUSED_MAX) : SAMPLED_MAX;
    if (count >= max) return false;
    if (count === 0 && inMinute.size >= CREDENTIALS_MAX) return false;
    inMinute.set(sender, count + 1);
    return true;
  };

  const write = async (): Promise<void> => {
    const [requests, uncounted] = [noted, dropped];
    noted = new Map();
    dropped = new Map();
    waiting = 0;
    let failure: Error | undefined;
    let isAway = false;
    for (const centralId of new Set([...requests.keys(), ...uncounted.keys()])) {
      const ofCentral = requests.get(centralId) ?? [];
      const lost = uncounted.get(centralId) ?? 0;
      try {
        // Each attempt may wait for the database, and a stop waits for all of them.
        if (isAway) throw failure!;
        const { written, dropped: over } = await db.beginIndependent((tx) =>
          insertRequests(tx, centralId, ofCentral, lost, clock.now()),
        );
        total.written += written;
        total.dropped += over;
      } catch (error) {
        failure ??= error as Error;
        isAway ||= isDatabaseUnavailable(error);
        // Those that were counted before stay counted.
        total.dropped -= lost;
        drop(centralId, ofCentral.filter(({ status }) => status >= 400).length + lost);
      }
    }
    if (failure) throw failure;
  };
  const rounds = startRounds({ everyMs: WRITTEN_MS, round: write, onError });

  return {
    admit(sender, isRefused) {
      const { centralId } = sender;
      const ofCentral = noted.get(centralId)?.length ?? 0;
      const hasRoom =
        waiting < WAITING_MAX && ofCentral < WAITING_OF_CENTRAL_MAX && counts(sender, isRefused);
      if (!hasRoom && isRefused) drop(centralId, 1);
      return hasRoom;
    },
    note(request) {
      const ofCentral = noted.get(request.centralId);
      if (ofCentral) ofCentral.push(request);
      else noted.set(request.centralId, [request]);
      waiting += 1;
    },
    write,
    figures: () => ({ ...total, waiting }),
    async stop() {
      await rounds.stop();
      await write().catch(onError);
    },
  };
}
