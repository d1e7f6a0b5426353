import type { Equipment, NeededCapacity } from '../../platform/kernel/load.ts';

/**
 * What an order demands beside its places, each null where it was not given. What concerns the pickup is kept with each
 * stop too, so that the demands of several orders stay apart when they are grouped, and each leaves with its stops.
 */
export interface Demands extends NeededCapacity {
  /** When the goods are ready at the pickup. */
  readyAt: Temporal.Instant | null;
  /** How long the driver is at the pickup. */
  pickupSeconds: number | null;
  /** 0 is normal. */
  priority: number | null;
  /** Nobody receives it before. */
  windowFrom: Temporal.Instant | null;
  /** Promised to the recipient, instead of the central's promise. */
  windowUntil: Temporal.Instant | null;
  /** Outside of the window nobody receives it. */
  windowIsHard: boolean;
  /** How long the driver is at the stop. */
  serviceSeconds: number | null;
}

export const NO_DEMANDS: Demands = {
  readyAt: null,
  pickupSeconds: null,
  equipment: null,
  priority: null,
  windowFrom: null,
  windowUntil: null,
  windowIsHard: false,
  serviceSeconds: null,
  weightGrams: null,
  volumeMl: null,
  packages: null,
};

/** What a stop demands that is ordered again. A window that is over does not come back. */
export function demandsAgain(demands: Demands, now: Temporal.Instant): Demands | null {
  const { windowUntil } = demands;
  const isOver = windowUntil !== null && Temporal.Instant.compare(windowUntil, now) <= 0;
  return orNone(isOver ? { ...demands, windowFrom: null, windowUntil: null, windowIsHard: false } : demands);
}

/** Null where nothing is demanded. */
export const orNone = (demands: Demands): Demands | null =>
  Object.entries(demands).some(([field, value]) => field !== 'windowIsHard' && value !== null)
    ? demands
    : null;

/** What a whole request demands at its pickup and of the vehicle, from its stops that are still to visit. */
export type JointDemands = Pick<Demands, 'readyAt' | 'pickupSeconds' | 'priority'> & NeededCapacity;

const sum = (numbers: readonly (number | null)[]): number | null => {
  const given = numbers.filter((each) => each !== null);
  return given.length === 0 ? null : given.reduce((total, each) => total + each, 0);
};

const highest = (numbers: readonly (number | null)[]): number | null => {
  const given = numbers.filter((each) => each !== null);
  return given.length === 0 ? null : Math.max(...given);
};

/**
 * The driver can leave when all goods are ready. Orders of one pickup are received together, so the longest time there
 * counts. Loads add up.
 */
export function jointDemands(stops: readonly { demands: Demands | null }[]): JointDemands {
  const given = stops.flatMap(({ demands }) => demands ?? []);
  const ready = given.flatMap(({ readyAt }) => readyAt ?? []).toSorted(Temporal.Instant.compare);
  const equipment: readonly Equipment[] = [...new Set(given.flatMap((each) => each.equipment ?? []))];
  return {
    readyAt: ready.at(-1) ?? null,
    pickupSeconds: highest(given.map(({ pickupSeconds }) => pickupSeconds)),
    priority: highest(given.map(({ priority }) => priority)),
    equipment: equipment.length > 0 ? equipment : null,
    weightGrams: sum(given.map(({ weightGrams }) => weightGrams)),
    volumeMl: sum(given.map(({ volumeMl }) => volumeMl)),
    packages: sum(given.map(({ packages }) => packages)),
  };
}
