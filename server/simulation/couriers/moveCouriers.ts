import type { Central } from '../../src/centrals/central.ts';
import { findCentral } from '../../src/centrals/centralStore.ts';
import type { Profile } from '../../src/geo/routing/router.ts';
import { drawRoute } from '../../src/money/pricing/estimateTrip.ts';
import { inCentral, secondsBetween } from '../../src/platform/kernel/clock.ts';
import type { Position } from '../../src/platform/kernel/position.ts';
import { forEachIsolated, startRounds, workPerCentral } from '../../src/platform/kernel/rounds.ts';
import { type PositionReport, upsertPositions } from '../../src/registers/drivers/positionStore.ts';
import { attempt, type Courier, type CourierDeps, type Seen, type Task } from './courier.ts';
import { findBusyPlaces, findCouriers, holdLeases, releaseLeases } from './courierStore.ts';
import {
  driftGoal,
  drive,
  firstPlace,
  IDLE_PACE,
  isAhead,
  isOn,
  nextAct,
  readySince,
  setOff,
  simulatedSeconds,
  type Time,
} from './journey.ts';
import { type Memory, newMemory } from './memory.ts';
import { answerOffers, perform } from './perform.ts';

/** Longer than any tick takes: a central changes its process only when that process is gone. */
const LEASE_SECONDS = 15;

/**
 * Moves the simulated couriers of every central that enables them to their current positions, except where another
 * process does. The interval decides how smoothly they move, not how fast.
 */
export async function couriersTick(deps: CourierDeps, memory: Memory): Promise<void> {
  await forEachIsolated(
    await holdCentrals(deps, memory),
    (centralId) => moveIn(deps, memory, centralId),
    CENTRALS_AT_ONCE,
  );
}

/** Each holds a connection most of the time; requests need some too. */
const CENTRALS_AT_ONCE = 4;

function holdCentrals({ db, clock }: CourierDeps, memory: Memory): Promise<number[]> {
  const now = clock.now();
  return holdLeases(db, memory.holder, now, now.add({ seconds: LEASE_SECONDS }));
}

async function moveIn(service: CourierDeps, memory: Memory, centralId: number): Promise<void> {
  const deps = inCentral(service, centralId);
  const { db, clock, log } = deps;
  try {
    const central = await findCentral(db, centralId);
    if (!central) return;
    const time = { now: clock.now(), speed: central.settings.simulationSpeed };
    await answerOffers(deps, central, time);
    await moveCouriers(deps, memory, central, time);
  } catch (err) {
    log.error({ err, centralId }, 'the simulated couriers of a central could not be moved');
  }
}

const TICK_MS = 1_000;

/** Keeps the simulated couriers moving until it is stopped, and then releases the leases. */
export function startCouriers(deps: CourierDeps): { stop(): Promise<void> } {
  const memory = newMemory();
  const onError = (err: unknown) =>
    deps.log.error({ err }, 'the leases of simulated couriers could not be held');
  // A central is skipped while its last tick is running, so that its slow router delays no other central.
  const work = workPerCentral((centralId) => moveIn(deps, memory, centralId), onError, {
    atOnce: CENTRALS_AT_ONCE,
  });
  const round = async () => work.begin(await holdCentrals(deps, memory));
  const rounds = startRounds({ everyMs: TICK_MS, round, onError });
  return {
    async stop() {
      await rounds.stop();
      await work.end();
      // If the database is gone already, the leases expire by themselves.
      await releaseLeases(deps.db, memory.holder).catch(() => undefined);
    },
  };
}

/** A moving courier reports after this many simulated seconds, like a phone. */
const REPORT_SECONDS = 5;

/** The position of a courier after driving towards a place for some seconds. */
async function advance(
  deps: CourierDeps,
  memory: Memory,
  central: Central,
  { driverId, from, to, profile }: { driverId: number; from: Position; to: Position; profile: Profile },
  seconds: number,
): Promise<Position> {
  const key = `${central.id} ${driverId}`;
  const known = memory.journeys.get(key);
  const journey =
    known && isOn(known, from, to)
      ? known
      : setOff(from, to, await drawRoute(deps, { central }, [from, to], profile));
  const further = drive(journey, seconds);
  memory.journeys.set(key, further);
  return further.at;
}

/** Distribution asks only drivers with a recent position, so a waiting courier reports too. In real seconds. */
const SIGN_OF_LIFE_SECONDS = 20;
const BUSY_PLACES_KEPT_SECONDS = 60;

/** Moves every courier of a central to its current position, and lets each take its next step. */
async function moveCouriers(deps: CourierDeps, memory: Memory, central: Central, time: Time): Promise<void> {
  const couriers = await findCouriers(deps.db, central.id, deps.readScript);
  const isIdle = couriers.some(({ task, available, seen }) => available && (task === null || seen === null));
  const busy = isIdle ? await busyPlaces(deps, memory, central.id, time.now) : [];
  const fleet: PositionReport[] = [];
  for (const courier of couriers) {
    const position = await move(deps, memory, central, courier, busy, time);
    if (position) fleet.push({ centralId: central.id, driverId: courier.id, position, at: time.now });
  }
  await upsertPositions(deps.db, fleet);
}

/** Returns the courier's position when it must be reported. */
async function move(
  deps: CourierDeps,
  memory: Memory,
  central: Central,
  courier: Courier,
  busy: readonly Position[],
  time: Time,
): Promise<Position | null> {
  const { task, seen, available } = courier;
  if (task) {
    const here = seen ?? { position: task.pickup, at: task.movedOnAt };
    return work(deps, memory, central, courier.id, task, here, time);
  }
  if (!available) return null;
  if (!seen) return firstPlace(courier.id, busy);
  return idle(deps, memory, central, courier.id, seen, busy, time);
}

async function work(
  deps: CourierDeps,
  memory: Memory,
  central: Central,
  driverId: number,
  task: Task,
  seen: Seen,
  time: Time,
): Promise<Position | null> {
  let act = nextAct(task, seen, time);
  let { position } = seen;
  let isMoved = false;
  if (act.kind === 'drive') {
    const seconds = simulatedSeconds(readySince(seen, task, time.now), time);
    if (seconds < REPORT_SECONDS) return null;
    const way = { driverId, from: position, to: act.to, profile: task.profile };
    position = await advance(deps, memory, central, way, seconds);
    isMoved = true;
    act = nextAct(task, { position, at: time.now }, time);
  }
  if (act.kind === 'drive' || act.kind === 'wait') return isMoved ? position : null;
  const step = act;
  const about = { centralId: central.id, driverId, deliveryId: task.deliveryId };
  const isDone = await attempt(deps, about, () => perform(deps, central, about, step));
  // Also reported after each step: the next route starts now, not when the last one ended.
  return isDone || isMoved ? position : null;
}

async function idle(
  deps: CourierDeps,
  memory: Memory,
  central: Central,
  driverId: number,
  seen: Seen,
  busy: readonly Position[],
  time: Time,
): Promise<Position | null> {
  const goal = driftGoal(driverId, seen.position, busy);
  const isQuiet = isAhead(seen.at, time.now) || secondsBetween(seen.at, time.now) >= SIGN_OF_LIFE_SECONDS;
  if (!goal) return isQuiet ? seen.position : null;
  const seconds = simulatedSeconds(seen.at, time);
  if (seconds < REPORT_SECONDS) return null;
  const way = { driverId, from: seen.position, to: goal, profile: 'motorcycle' } as const;
  return advance(deps, memory, central, way, seconds * IDLE_PACE);
}

/** Whether a cache entry is still valid. False if the clock was set back since. */
const isKept = (until: Temporal.Instant, now: Temporal.Instant): boolean => {
  const secondsLeft = secondsBetween(now, until);
  return secondsLeft > 0 && secondsLeft <= BUSY_PLACES_KEPT_SECONDS;
};

async function busyPlaces(
  { db }: CourierDeps,
  memory: Memory,
  centralId: number,
  now: Temporal.Instant,
): Promise<readonly Position[]> {
  const known = memory.busyPlaces.get(centralId);
  if (known && isKept(known.until, now)) return known.places;
  const places = await findBusyPlaces(db, centralId);
  const until = now.add({ seconds: BUSY_PLACES_KEPT_SECONDS });
  if (places.length) memory.busyPlaces.set(centralId, { places, until });
  return places;
}
