import { arriveAfter } from './calendar.ts';
import type { Plan, PlanDriver, PlannedRoute, PlannedStop, PlanProblem, PlanStop } from './planProblem.ts';

/** Tolerance for sums of fractions, in the unit of the problem. */
const EPSILON = 1e-6;

/** What a plan does that its problem forbids; empty for a good plan. Shares no code with the search but the breaks. */
export function planFaults(problem: PlanProblem, plan: Plan): string[] {
  const faults = plan.routes.flatMap((route) => routeFaults(problem, route));
  const planned = new Map<number, number>();
  for (const { driver, stops } of plan.routes)
    for (const { request } of stops) {
      if (request === null) continue;
      if ((planned.get(request) ?? driver) !== driver) faults.push(`request ${request} has two drivers`);
      planned.set(request, driver);
    }
  const unplanned = plan.unplanned.map(({ request }) => request);
  for (const { id } of problem.requests) {
    const places = (planned.has(id) ? 1 : 0) + unplanned.filter((each) => each === id).length;
    if (places !== 1) faults.push(`request ${id} is planned or explained ${places} times`);
  }
  for (const { id, fixed = [] } of problem.drivers)
    if (fixed.length > 0 && !plan.routes.some(({ driver }) => driver === id))
      faults.push(`driver ${id} lost the fixed stops`);
  return faults;
}

function routeFaults(problem: PlanProblem, route: PlannedRoute): string[] {
  const driver = problem.drivers.find(({ id }) => id === route.driver);
  if (!driver) return [`no driver ${route.driver}`];
  return [
    ...orderFaults(problem, driver, route),
    ...timeFaults(problem, driver, route),
    ...loadFaults(problem, driver, route),
  ].map((fault) => `driver ${route.driver}: ${fault}`);
}

function orderFaults({ requests }: PlanProblem, driver: PlanDriver, { stops }: PlannedRoute): string[] {
  const faults: string[] = [];
  const fixed = driver.fixed ?? [];
  for (const [at, stop] of stops.entries()) {
    const isFixed = stop.request === null;
    if (isFixed !== at < fixed.length || (isFixed && stop.stop !== at))
      faults.push(`fixed stops moved at ${at}`);
  }
  for (const { id, pickup, drops, onlyDriver, skills = [] } of requests) {
    const own = stops.filter(({ request }) => request === id).map(({ stop }) => stop);
    if (own.length === 0) continue;
    const expected = [...(pickup ? [0] : []), ...drops.keys().map((drop) => drop + 1)];
    if (own.toSorted((a, b) => a - b).join() !== expected.join())
      faults.push(`stops of ${id}: ${own.join()}`);
    if (pickup && own[0] !== 0) faults.push(`a drop of ${id} is before its pickup`);
    if (onlyDriver !== undefined && onlyDriver !== driver.id) faults.push(`${id} is locked to ${onlyDriver}`);
    if (!skills.every((skill) => driver.skills?.includes(skill))) faults.push(`no skill for ${id}`);
  }
  return faults;
}

function stopOf(
  { requests }: PlanProblem,
  { fixed = [] }: PlanDriver,
  { request, stop }: PlannedStop,
): PlanStop {
  if (request === null) return fixed[stop]!;
  const { pickup, drops } = requests.find(({ id }) => id === request)!;
  return stop === 0 ? pickup! : drops[stop - 1]!;
}

function timeFaults(problem: PlanProblem, driver: PlanDriver, route: PlannedRoute): string[] {
  const faults: string[] = [];
  const { shift, breaks = [] } = driver;
  const rests = Float64Array.from(
    [...breaks].sort((a, b) => a.from - b.from).flatMap(({ from, to }) => [from, to]),
  );
  let time = route.leaveAt;
  let place = driver.start;
  if (time < shift.from - EPSILON) faults.push('leaves before the shift');
  for (const planned of route.stops) {
    const stop = stopOf(problem, driver, planned);
    const { earliest, latest, isHard } = stop.window ?? {};
    const name = `stop ${planned.stop} of ${planned.request}`;
    const isFixed = planned.request === null;
    const leg = place === stop.place ? 0 : problem.matrix.seconds[place]![stop.place]!;
    if (leg === null && !isFixed) faults.push(`no way to ${name}`);
    if (leg !== null && planned.arriveAt < arriveAfter(rests, time, leg) - EPSILON)
      faults.push(`too fast to ${name}`);
    if (planned.beginAt < planned.arriveAt - EPSILON) faults.push(`${name} begins before the driver comes`);
    if (planned.beginAt < (earliest ?? planned.beginAt) - EPSILON) faults.push(`${name} begins too early`);
    if ('readyAt' in stop && planned.beginAt < (stop.readyAt as number) - EPSILON)
      faults.push(`${name} is not ready`);
    if (isHard && !isFixed && planned.beginAt > latest! + EPSILON) faults.push(`${name} misses its window`);
    const late = Math.max(0, planned.beginAt - (latest ?? planned.beginAt));
    if (Math.abs(late - planned.lateSeconds) > EPSILON) faults.push(`${name} is late by ${late}`);
    if (planned.leaveAt < planned.beginAt + stop.serviceSeconds - EPSILON)
      faults.push(`${name} is too short`);
    for (const { from, to } of breaks)
      if (planned.beginAt < to - EPSILON && planned.leaveAt > from + EPSILON && from < to)
        faults.push(`${name} is in a break`);
    time = planned.leaveAt;
    place = stop.place;
  }
  const isFixedOnly = route.stops.every(({ request }) => request === null);
  const home =
    driver.end === undefined || driver.end === place ? 0 : problem.matrix.seconds[place]![driver.end]!;
  if (!isFixedOnly && (home === null || arriveAfter(rests, time, home) > shift.to + EPSILON))
    faults.push('ends after the shift');
  return faults;
}

function loadFaults({ requests }: PlanProblem, driver: PlanDriver, { stops }: PlannedRoute): string[] {
  const faults: string[] = [];
  const inRoute = requests.filter(({ id }) => stops.some(({ request }) => request === id));
  for (const [k, most] of driver.capacity.entries()) {
    let load = driver.load?.[k] ?? 0;
    for (const { pickup, drops } of inRoute)
      if (!pickup) load += drops.reduce((sum, { amounts }) => sum + amounts[k]!, 0);
    for (const { request, stop } of stops) {
      if (request === null) {
        load += driver.fixed![stop]!.amounts[k]!;
        continue;
      }
      const { drops, collected } = inRoute.find(({ id }) => id === request)!;
      if (stop > 0) load -= drops[stop - 1]!.amounts[k]!;
      else {
        const picked = drops.reduce((sum, { amounts }) => sum + amounts[k]!, collected?.[k] ?? 0);
        load += picked;
        if (picked > 0 && load > most + EPSILON)
          faults.push(`load ${load} of ${most} at the pickup of ${request}`);
      }
    }
  }
  return faults;
}
