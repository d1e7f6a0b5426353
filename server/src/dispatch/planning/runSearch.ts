import type { PlanLimits } from './planProblem.ts';
import type { Search } from './search.ts';

const DEFAULT_MILLIS = 1_000;
/** The part of a search that may go into saving drivers. */
const SAVING_SHARE = 0.4;
/** How often a search meets others. */
const MEETINGS = 20;

/** Searches until the limits; time counts from `started`, in milliseconds. `meet` is called now and then with the progress, from 0 to 1. */
export function runSearch(
  search: Search,
  limits: PlanLimits,
  started: number,
  meet?: (progress: number) => void,
): void {
  const { iterations = Number.POSITIVE_INFINITY } = limits;
  const millis =
    limits.millis ?? (limits.iterations === undefined ? DEFAULT_MILLIS : Number.POSITIVE_INFINITY);
  const timeSpent = (): number =>
    millis === Number.POSITIVE_INFINITY ? 0 : (performance.now() - started) / Math.max(1e-3, millis);
  const progress = (): number => Math.max(search.iterations / iterations, timeSpent());
  search.construct(timeSpent);
  if (limits.fewestDrivers) search.saveDrivers(() => progress() >= SAVING_SHARE);
  const begun = progress();
  let nextMeeting = begun;
  for (let now = begun; now < 1; now = progress()) {
    if (meet && now >= nextMeeting) {
      meet(now);
      nextMeeting = now + 1 / MEETINGS;
    }
    search.improve((now - begun) / (1 - begun));
  }
}
