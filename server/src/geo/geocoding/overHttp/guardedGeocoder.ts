import { type Clock, systemClock } from '../../../platform/kernel/clock.ts';
import { lruCache } from '../../../platform/kernel/lru.ts';
import { roundDegrees } from '../../../platform/kernel/position.ts';
import {
  type CircuitState,
  callGuard,
  type GuardCounters,
  type GuardOptions,
} from '../../engines/callGuard.ts';
import { type FoundAddress, type Geocoder, GeocodingUnavailable, QuestionRefused } from '../geocoder.ts';

export interface GuardedGeocoder extends Geocoder {
  counters(): GuardCounters & { state: CircuitState; hits: number };
}

/**
 * Protects callers from a slow or dead service: a time-out, a second attempt, and a circuit breaker. All centrals share
 * it, so a query that the service refuses counts as an answer, not as a failure.
 */
function guarded(inner: Geocoder, options: GuardOptions) {
  const { guard, counters } = callGuard(
    {
      unavailable: (message) => new GeocodingUnavailable(`the geocoding service ${message}`),
      isFailure: (error) => error instanceof GeocodingUnavailable && !(error instanceof QuestionRefused),
    },
    options,
  );
  return {
    name: inner.name,
    search: (...args: Parameters<Geocoder['search']>) => guard(() => inner.search(...args)),
    geocode: (...args: Parameters<Geocoder['geocode']>) => guard(() => inner.geocode(...args)),
    reverse: (...args: Parameters<Geocoder['reverse']>) => guard(() => inner.reverse(...args)),
    counters,
  };
}

const ENTRIES_MAX = 10_000;
const MAX_AGE_MS = 24 * 3600 * 1000;

/**
 * A service behind a guard and a cache. An estimate and its order query the same address, and public services demand
 * that no query is repeated. Empty answers are cached too; failures are not.
 */
export function guardedGeocoder(
  inner: Geocoder,
  options: GuardOptions & { clock?: Clock } = {},
): GuardedGeocoder {
  const { clock = systemClock } = options;
  const guard = guarded(inner, options);
  const known = lruCache<string, { answer: FoundAddress[] }>(ENTRIES_MAX, {
    ttl: MAX_AGE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.milliseconds() },
  });
  let hits = 0;

  async function remembered(key: unknown[], ask: () => Promise<FoundAddress[]>): Promise<FoundAddress[]> {
    const text = JSON.stringify(key);
    const entry = known.get(text);
    if (entry) {
      hits++;
      return entry.answer;
    }
    const answer = await ask();
    known.set(text, { answer });
    return answer;
  }
  const first = (answers: readonly FoundAddress[]): FoundAddress | null => answers[0] ?? null;
  const asList = (answer: FoundAddress | null): FoundAddress[] => (answer ? [answer] : []);
  // Rounded, so that a map that moves a little does not make every query a new one.
  const rough = (position: { lat: number; lng: number } | undefined) =>
    position && [position.lat.toFixed(1), position.lng.toFixed(1)];

  return {
    name: inner.name,
    search: (text, near, limit) =>
      remembered(['search', text, rough(near), limit], () => guard.search(text, near, limit)),
    geocode: async ({ near, ...parts }) =>
      first(
        await remembered(['geocode', parts, rough(near)], async () =>
          asList(await guard.geocode({ ...parts, near })),
        ),
      ),
    reverse: async (position) =>
      first(
        await remembered(['reverse', roundDegrees(position.lat), roundDegrees(position.lng)], async () =>
          asList(await guard.reverse(position)),
        ),
      ),
    counters: () => ({ ...guard.counters(), hits }),
  };
}
