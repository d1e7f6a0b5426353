import type { Script } from '../../src/deliveries/orders/script.ts';
import { randomFrom } from '../../src/platform/kernel/random.ts';

/*
 * The automatic orders of the demonstration: pure functions of the local time, the state of the central and a seed that
 * grows with every order. The same seed gives the same order.
 */

/** Orders per hour at each full hour of the day: lunch and dinner are the peaks of a city, the night is quiet. */
const WEEKDAY = [
  30, 24, 20, 20, 20, 20, 24, 30, 38, 42, 50, 78, 92, 76, 50, 42, 42, 50, 66, 88, 94, 76, 54, 40,
];
/** People get up later, eat lunch later and order more at night. */
const WEEKEND = [
  48, 38, 28, 22, 20, 20, 20, 22, 28, 36, 44, 58, 84, 94, 72, 50, 46, 52, 72, 92, 100, 86, 70, 58,
];

const isWeekend = (local: Temporal.PlainDateTime): boolean => local.dayOfWeek >= 6;

const atFullHour = (local: Temporal.PlainDateTime): number =>
  (isWeekend(local) ? WEEKEND : WEEKDAY)[local.hour]!;

/** Orders per hour at a local time; between two full hours it changes evenly. */
export function ordersPerHour(local: Temporal.PlainDateTime): number {
  const share = (local.minute * 60 + local.second) / 3600;
  return atFullHour(local) * (1 - share) + atFullHour(local.add({ hours: 1 })) * share;
}

/** The rate of MALOTE_DEMO_ORDERS=rush, at any hour. */
export const RUSH_PER_HOUR = 600;

/** The bounds of the time between two orders. */
export const GAP_SECONDS = { min: 4, max: 180 } as const;

/** The random time until the next order, with the rate of the hour on average. */
export function gapSeconds(seed: number, perHour: number): number {
  const chance = randomFrom(seed)();
  const seconds = (-Math.log(1 - chance) * 3600) / perHour;
  return Math.min(GAP_SECONDS.max, Math.max(GAP_SECONDS.min, Math.round(seconds)));
}

/** The state of the central. */
export interface Board {
  /** Simulated drivers who take offers: as many deliveries may be open. */
  couriers: number;
  /** Deliveries that are neither over nor held back by the central. */
  open: number;
  /** Scheduled deliveries that become open within minutes. */
  leavingSoon: number;
  /** Scheduled deliveries in all. */
  scheduled: number;
  /** Problems that wait for an operator: deliveries held back, failed stops. */
  troubles: number;
}

/** The course of an order: a script of simulated drivers, held back by the central, or scheduled. */
export type Story = Script | 'held' | 'scheduled';

export const TROUBLES_MAX = 3;
export const SCHEDULED_MAX = 8;

/** Per thousand orders. The rest succeeds. */
const RARE: readonly (readonly [Story, number])[] = [
  ['scheduled', 110],
  ['refusal', 40],
  ['giving_up', 20],
  ['breakdown', 15],
  ['absent', 15],
  ['no_driver', 3],
  ['held', 20],
  ['failure', 20],
];

export const isTrouble = (story: Story): boolean => story === 'held' || story === 'failure';

/**
 * The story of the next order. Null: no order, because all couriers have work; so without couriers there are no orders.
 * There are always some open problems, and never more than a few.
 */
export function nextStory(seed: number, board: Board): Story | null {
  if (board.open + board.leavingSoon >= board.couriers) return null;
  const random = randomFrom(seed);
  if (board.troubles === 0) return random() < 0.5 ? 'held' : 'failure';
  let left = random() * 1000;
  for (const [story, perThousand] of RARE) {
    left -= perThousand;
    if (left >= 0) continue;
    if (isTrouble(story) && board.troubles >= TROUBLES_MAX) return 'success';
    if (story === 'scheduled' && board.scheduled >= SCHEDULED_MAX) return 'success';
    return story;
  }
  return 'success';
}

/** The simulated central resolves problems that are this old. */
const SETTLED_AFTER_MINUTES = 20;

/** The problem to resolve: the oldest, if it is old enough and others are left. `troubles` is sorted, oldest first. */
export function troubleToResolve<Trouble extends { since: Temporal.Instant }>(
  troubles: readonly Trouble[],
  now: Temporal.Instant,
): Trouble | undefined {
  const [oldest] = troubles;
  if (!oldest || troubles.length < 2) return undefined;
  const isOld = Temporal.Instant.compare(oldest.since.add({ minutes: SETTLED_AFTER_MINUTES }), now) <= 0;
  return isOld ? oldest : undefined;
}
