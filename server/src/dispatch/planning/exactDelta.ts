import { arriveAfter, beginAfter, workingSeconds } from './calendar.ts';
import { FAR } from './compileProblem.ts';
import type { Routes } from './routes.ts';

/**
 * What a route would cost more with one or two visits more, lateness, waiting and fairness included, when `wayDelta` is
 * what the way costs more. `one` goes after position `first`, `two` (or -1) after position `second`, which is not
 * before. Follows the route from the first change until the times are again as they were and the vehicle is empty, or
 * until the result cannot be less than `bound`: then it is Infinity.
 */
export function exactDelta(
  routes: Routes,
  driver: number,
  first: number,
  one: number,
  second: number,
  two: number,
  wayDelta: number,
  bound: number,
): number {
  const { problem, visit, begin, late, waited, timeCost, aboard } = routes;
  const { place, places, seconds, service, earliest, due, lateCost, aboardChange, weights } = problem;
  const base = driver * problem.stride;
  const last = base + routes.length[driver]!;
  const breaks = problem.breaks[driver]!;
  const hasBreaks = breaks.length > 0;
  const { waitingSecond } = weights;
  const position = base + first;
  // Fairness only adds to the cost.
  const timeCostMax = bound - wayDelta + timeCost[driver]!;
  let time = routes.leave[position]!;
  let from = routes.placeAt[position]!;
  let lateSum = late[position]!;
  let waitSum = waited[position]!;
  let runWait = routes.runWait[position]!;
  let slack = routes.runSlack[position]!;
  let goods = aboard[position]!;
  let at = position + 1;
  let each = one;
  let isTwoPut = two === -1;
  for (;;) {
    const leg = seconds[from * places + place[each]!]!;
    const arrive = hasBreaks ? arriveAfter(breaks, time, leg) : time + leg;
    const ready = earliest[each]!;
    let start = arrive > ready ? arrive : ready;
    if (hasBreaks) start = beginAfter(breaks, start, service[each]!);
    const wait = start === arrive ? 0 : hasBreaks ? workingSeconds(breaks, arrive, start) : start - arrive;
    if (goods === 0) {
      waitSum += waitingSecond * (runWait - Math.min(runWait, slack));
      runWait = 0;
      slack = FAR;
      // Only an unchanged visit can begin when it did, and only when all changes are before it.
      if (
        isTwoPut &&
        each === visit[at - 1] &&
        at - 1 > position &&
        start === begin[at - 1] &&
        aboard[at - 2] === 0
      ) {
        const rest = timeCost[driver]! - late[at - 2]! - waited[at - 1]!;
        return finish(routes, driver, first, one, second, two, wayDelta, lateSum + waitSum + rest);
      }
    } else if (hasBreaks && start - time - leg - wait > 0.001) slack = Math.min(slack, runWait);
    runWait += wait;
    const rest = due[each]! - start;
    slack = Math.min(slack, runWait + (rest > 0 ? rest : 0));
    if (rest < 0) {
      lateSum -= rest * lateCost[each]!;
      if (lateSum + waitSum >= timeCostMax) return Number.POSITIVE_INFINITY;
    }
    goods += aboardChange[each]!;
    time = start + service[each]!;
    from = place[each]!;
    if (!isTwoPut && at > base + second) {
      each = two;
      isTwoPut = true;
    } else if (at <= last) {
      each = visit[at]!;
      at += 1;
    } else break;
  }
  waitSum += waitingSecond * (runWait - Math.min(runWait, slack));
  return finish(routes, driver, first, one, second, two, wayDelta, lateSum + waitSum);
}

function finish(
  routes: Routes,
  driver: number,
  first: number,
  one: number,
  second: number,
  two: number,
  wayDelta: number,
  timeCost: number,
): number {
  const { problem } = routes;
  const delta = wayDelta + timeCost - routes.timeCost[driver]!;
  if (problem.weights.fairness === 0) return delta;
  const work = routes.work[driver]!;
  const more =
    two === -1
      ? secondsMore(routes, driver, first, one, one)
      : first === second
        ? secondsMore(routes, driver, first, one, two)
        : secondsMore(routes, driver, first, one, one) + secondsMore(routes, driver, second, two, two);
  return delta + routes.fairness(driver, work, work + more);
}

/** Seconds of driving and service that a visit, or two in a row, add after a position. */
function secondsMore(routes: Routes, driver: number, position: number, one: number, two: number): number {
  const { placeAt, length, problem } = routes;
  const { seconds, places, place, service } = problem;
  const cell = driver * problem.stride + position;
  const before = placeAt[cell]! * places;
  const after = placeAt[cell + 1]!;
  const cut = length[driver] === 0 ? 0 : seconds[before + after]!;
  const between = one === two ? 0 : seconds[place[one]! * places + place[two]!]! + service[two]!;
  return (
    seconds[before + place[one]!]! + service[one]! + between + seconds[place[two]! * places + after]! - cut
  );
}
