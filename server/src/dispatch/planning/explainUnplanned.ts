import { randomFrom } from '../../platform/kernel/random.ts';
import { compileProblem, FAR, hasCapacity, hasSkills } from './compileProblem.ts';
import { Insertion } from './insertion.ts';
import type {
  PlanDriver,
  PlanProblem,
  PlanRequest,
  UnplannedReason,
  UnplannedRequest,
} from './planProblem.ts';
import { Routes } from './routes.ts';

const TRIES = 20;

/** Why requests could not be planned. */
export function explainUnplanned(
  problem: PlanProblem,
  ids: ReadonlySet<number>,
  wasCut: boolean,
): UnplannedRequest[] {
  const requests = problem.requests.filter(({ id }) => ids.has(id));
  if (requests.length === 0) return [];
  const free = servedAlone(problem, requests, (driver) => ({
    ...driver,
    fixed: [],
    load: driver.capacity.map(() => 0),
  }));
  const tireless = servedAlone(problem, requests, (driver) => ({
    ...driver,
    fixed: [],
    load: driver.capacity.map(() => 0),
    breaks: [],
    shift: { from: -FAR / 4, to: FAR / 4 },
  }));
  return requests.map((request) => {
    const reason =
      reasonOfDrivers(problem, request) ??
      (free.has(request.id)
        ? wasCut
          ? 'out-of-time'
          : 'drivers-occupied'
        : tireless.has(request.id)
          ? 'no-shift-then'
          : isReachable(problem, request)
            ? 'window-impossible'
            : 'unreachable');
    return { request: request.id, reason };
  });
}

function reasonOfDrivers({ drivers }: PlanProblem, request: PlanRequest): UnplannedReason | null {
  if (drivers.length === 0) return 'no-drivers';
  const unlocked = drivers.filter(({ id }) => (request.onlyDriver ?? id) === id);
  if (unlocked.length === 0) return 'locked-driver-absent';
  const skilled = unlocked.filter((driver) => hasSkills(driver, request));
  if (skilled.length === 0) return 'no-driver-with-skills';
  return skilled.some((driver) => hasCapacity(driver, request)) ? null : 'no-driver-with-capacity';
}

/** The requests that drivers, changed in some way, could serve if they had nothing else to do. */
function servedAlone(
  problem: PlanProblem,
  requests: readonly PlanRequest[],
  change: (driver: PlanDriver) => PlanDriver,
): ReadonlySet<number> {
  const drivers = problem.drivers.map(change);
  const alone = compileProblem({ ...problem, requests, drivers, published: [], weights: { unplanned: FAR } });
  const insertion = new Insertion(new Routes(alone), randomFrom(1));
  const isServed = ({ drops }: PlanRequest, index: number): boolean => {
    // Several drops are tried in random orders.
    for (let tries = drops.length > 1 ? TRIES : 1; tries > 0; tries -= 1)
      if (insertion.find(index)) return true;
    return false;
  };
  return new Set(requests.filter(isServed).map(({ id }) => id));
}

/** Whether some way leads from the pickup to every drop, and from a driver to the first stop. */
function isReachable({ matrix, drivers }: PlanProblem, { pickup, drops }: PlanRequest): boolean {
  const hasWay = (from: number, to: number): boolean =>
    from === to || (matrix.seconds[from]![to] ?? FAR) < FAR;
  const first = pickup ?? drops[0]!;
  return (
    drivers.some(({ start }) => hasWay(start, first.place)) &&
    drops.every(
      (drop) =>
        drop === first ||
        hasWay(first.place, drop.place) ||
        drops.some((other) => other !== drop && hasWay(other.place, drop.place)),
    )
  );
}
