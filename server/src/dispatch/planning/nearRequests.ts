import { type Compiled, FAR } from './compileProblem.ts';

const NEAR_MAX = 150;

/** For each request the others, nearest first. Row = request. */
export function nearRequests(problem: Compiled): { near: Int32Array; count: number } {
  const { requests } = problem;
  const count = Math.max(0, Math.min(NEAR_MAX, requests - 1));
  const near = new Int32Array(requests * count);
  const ranked = new Float64Array(requests);
  for (let request = 0; request < requests; request += 1) {
    // One number holds the distance and the request, so that sorting needs no comparison function.
    for (let other = 0; other < requests; other += 1)
      ranked[other] =
        other === request
          ? Number.POSITIVE_INFINITY
          : Math.round(Math.min(1e8, distance(problem, request, other)) * 1000) * requests + other;
    ranked.sort();
    for (let rank = 0; rank < count; rank += 1) near[request * count + rank] = ranked[rank]! % requests;
  }
  return { near, count };
}

/** Seconds apart in time count as so many seconds of driving, where times matter. */
const TIME_SHARE = 0.25;

/** Between the pickups and between the drops of two requests, and between their times. */
function distance(problem: Compiled, one: number, other: number): number {
  const { first, place, places, cost, isTimed, weights } = problem;
  let sum = cost[place[first[one]!]! * places + place[first[other]!]!]!;
  const ends = first[one + 1]! - first[one]! > 1 && first[other + 1]! - first[other]! > 1;
  if (ends) sum += cost[place[first[one + 1]! - 1]! * places + place[first[other + 1]! - 1]!]!;
  if (isTimed)
    sum += TIME_SHARE * weights.drivingSecond * Math.abs(middle(problem, one) - middle(problem, other));
  return sum;
}

/** Between the time from which a request may be served, and the time until which it should be. */
function middle({ first, earliest, due }: Compiled, request: number): number {
  const from = earliest[first[request]!]!;
  const to = due[first[request + 1]! - 1]!;
  if (from > -FAR) return to < FAR ? (from + to) / 2 : from;
  return to < FAR ? to : 0;
}
