/**
 * Time of a driver who takes breaks. Breaks are stored as [from, to, from, to, ...], ascending and apart from each
 * other. Driving is interrupted by a break; a service that would overlap one begins after it. All functions are
 * monotone, so the latest times that `leaveBefore` and `beginBefore` return are exact.
 */
export type Breaks = Float64Array;

/** When a leg of some seconds ends. */
export function arriveAfter(breaks: Breaks, leave: number, seconds: number): number {
  let arrive = leave + seconds;
  for (let at = 0; at < breaks.length; at += 2) {
    const from = breaks[at]!;
    const to = breaks[at + 1]!;
    if (arrive > from && leave < to) arrive += to - Math.max(from, leave);
  }
  return arrive;
}

/** When a service can begin. */
export function beginAfter(breaks: Breaks, ready: number, service: number): number {
  let begin = ready;
  for (let at = 0; at < breaks.length; at += 2)
    if (begin < breaks[at + 1]! && (begin > breaks[at]! || begin + service > breaks[at]!))
      begin = breaks[at + 1]!;
  return begin;
}

/** The latest departure that arrives by then. */
export function leaveBefore(breaks: Breaks, arrive: number, seconds: number): number {
  let leave = arrive - seconds;
  for (let at = breaks.length - 2; at >= 0; at -= 2) {
    const from = breaks[at]!;
    const to = breaks[at + 1]!;
    if (arrive > from && leave < to) leave -= Math.min(arrive, to) - from;
  }
  return leave;
}

/** The latest begin of a service, not after `latest`. */
export function beginBefore(breaks: Breaks, latest: number, service: number): number {
  let begin = latest;
  for (let at = breaks.length - 2; at >= 0; at -= 2)
    if (begin < breaks[at + 1]! && (begin > breaks[at]! || begin + service > breaks[at]!))
      begin = breaks[at]! - service;
  return begin;
}

/** The part of a span of time that is no break. */
export function workingSeconds(breaks: Breaks, from: number, to: number): number {
  let seconds = to - from;
  for (let at = 0; at < breaks.length; at += 2)
    seconds -= Math.max(0, Math.min(to, breaks[at + 1]!) - Math.max(from, breaks[at]!));
  return seconds;
}
