import type { Deps } from '../postgres/deps.ts';
import type { LiveReader } from './liveFeed.ts';
import { findPositionsSince, type LivePosition } from './livePositionStore.ts';

const LOOK_MS = 3_000;
/** An older one tells nobody where the driver is. */
const AGE_MAX = { seconds: 15 };

/** Each report of a driver is told once; nothing is asked of the database while nobody watches. */
export function tellPositions(
  { db, clock }: Deps,
  watched: () => ReadonlyMap<number, { readers: ReadonlySet<LiveReader> }>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let told = new Map<string, Temporal.Instant>();
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    try {
      const seen = await findPositionsSince(db, [...watched().keys()], clock.now().subtract(AGE_MAX));
      const before = told;
      told = new Map(seen.map((one) => [keyOf(one), one.at]));
      const fresh = seen.filter((one) => !before.get(keyOf(one))?.equals(one.at));
      for (const [centralId, batch] of Map.groupBy(fresh, (one) => one.centralId))
        for (const reader of watched().get(centralId)?.readers ?? []) reader.onPositions(batch);
    } catch (error) {
      onError(error);
    } finally {
      looking = undefined;
    }
  };
  const interval = setInterval(() => {
    if (watched().size > 0) looking ??= look();
  }, LOOK_MS);
  interval.unref();
  return {
    async stop() {
      clearInterval(interval);
      await looking;
    },
  };
}

const keyOf = ({ centralId, driverId }: LivePosition): string => `${centralId} ${driverId}`;
