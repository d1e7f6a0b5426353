import { capacityWith, isKnownToLack, type Load } from '../../platform/kernel/load.ts';
import { type TimeSpan, workingTimes } from '../../registers/drivers/calendar.ts';
import type { PlanDriver } from '../planning/planProblem.ts';
import type { LeftOut } from './plan.ts';
import type { PlacedDriver, Situation } from './situation.ts';
import type { PlannableOrder } from './situationStore.ts';
import { epoch, neededBy } from './workOfDelivery.ts';

/** How far ahead a driver on duty without a calendar is planned. */
const HORIZON_SECONDS = 24 * 3600;
/** A driver whose shift begins so soon is planned already. */
const SOON_SECONDS = 30 * 60;
/** A capacity that is not known excludes nothing. */
const UNKNOWN = 1e9;

/*
 * Whom a driver may serve, as skills of the planner: the category, the company, and, for single deliveries, that the
 * driver has not refused it and has what it needs. A driver without companies has those of all.
 */

interface Excluded {
  refusers: ReadonlySet<number>;
  /** Drivers who are known to lack capacity or equipment. */
  lacking: ReadonlySet<number>;
}

export function exclusionsOf(order: PlannableOrder, situation: Situation): Excluded {
  const { drivers, capacities, locks, isAutomatic } = situation;
  const needed = neededBy(order, situation);
  const ofCategory = capacities.get(order.categoryId) ?? null;
  const lacking = drivers.filter(({ capacity }) => isKnownToLack(capacityWith(capacity, ofCategory), needed));
  const refusers = locks.has(order.id) ? [] : order.refusedBy;
  return {
    refusers: new Set(isAutomatic ? [...refusers, ...order.ignoredBy] : refusers),
    lacking: new Set(lacking.map(({ id }) => id)),
  };
}

type Exclusions = ReadonlyMap<number, Excluded>;

const isExclusive = ({ refusers, lacking }: Excluded): boolean => refusers.size + lacking.size > 0;

export const skillsOf = (order: PlannableOrder, exclusions: Exclusions): string[] => [
  `category ${order.categoryId}`,
  `company ${order.companyId}`,
  ...(isExclusive(exclusions.get(order.id)!) ? [`delivery ${order.id}`] : []),
];

export function skillsOfDriver(
  driver: PlacedDriver,
  { orders }: Situation,
  exclusions: Exclusions,
): string[] {
  const companies =
    driver.companyIds.length > 0 ? driver.companyIds : new Set(orders.map(({ companyId }) => companyId));
  const allowed = orders.filter(({ id }) => {
    const excluded = exclusions.get(id)!;
    return isExclusive(excluded) && !excluded.refusers.has(driver.id) && !excluded.lacking.has(driver.id);
  });
  return [
    ...driver.categoryIds.map((id) => `category ${id}`),
    ...[...companies].map((id) => `company ${id}`),
    ...allowed.map(({ id }) => `delivery ${id}`),
  ];
}

/** Aboard, weight, volume and packages. Of the categories of a driver, the one that carries most counts. */
export function capacityOf({ capacity, categoryIds }: PlacedDriver, situation: Situation): number[] {
  const most = (of: keyof Load): number => {
    const own = capacity?.[of] ?? null;
    if (own !== null) return own;
    const known = categoryIds.map((id) => situation.capacities.get(id)?.[of] ?? null);
    return known.length === 0 || known.includes(null) ? UNKNOWN : Math.max(...known.map(Number));
  };
  return [situation.aboardMax, most('weightGrams'), most('volumeMl'), most('packages')];
}

/** The shift that the driver is in, or in which it soon will be; null: it does not work now. */
export function shiftOf(
  { calendar }: PlacedDriver,
  { now, timeZone }: Situation,
): Pick<PlanDriver, 'shift' | 'breaks'> | null {
  const from = epoch(now);
  if (!calendar) return { shift: { from, to: from + HORIZON_SECONDS } };
  const soon = { from: now, until: now.add({ seconds: SOON_SECONDS }) };
  const [time] = workingTimes(calendar, timeZone, soon);
  if (!time) return null;
  const seconds = (span: TimeSpan) => ({ from: epoch(span.from), to: epoch(span.until) });
  const shift = seconds(time);
  return {
    shift: { from: Math.max(from, shift.from), to: shift.to },
    breaks: time.breaks.map(seconds),
  };
}

/** Why no driver has the skills for a delivery, in the order in which a person would ask. */
export function whyNoSkills(
  order: PlannableOrder,
  situation: Situation,
): Pick<LeftOut, 'reason' | 'equipment'> {
  const only = situation.locks.get(order.id);
  const drivers = situation.drivers.filter(({ id }) => (only ?? id) === id);
  const ofCategory = drivers.filter(({ categoryIds }) => categoryIds.includes(order.categoryId));
  if (ofCategory.length === 0) return { reason: 'no-driver-of-category' };
  const ofCompany = ofCategory.filter(
    ({ companyIds }) =>
      companyIds.length === 0 || (order.companyId !== null && companyIds.includes(order.companyId)),
  );
  if (ofCompany.length === 0) return { reason: 'no-driver-of-company' };
  const { refusers, lacking } = exclusionsOf(order, situation);
  const able = ofCompany.filter(({ id }) => !lacking.has(id));
  if (able.length === 0) {
    const { equipment } = neededBy(order, situation);
    const needed = { equipment, weightGrams: null, volumeMl: null, packages: null };
    const inCategory = situation.capacities.get(order.categoryId) ?? null;
    const lacksEquipment = ofCompany.every(({ capacity }) =>
      isKnownToLack(capacityWith(capacity, inCategory), needed),
    );
    return lacksEquipment && equipment
      ? { reason: 'no-driver-with-equipment', equipment }
      : { reason: 'no-driver-with-capacity' };
  }
  return { reason: able.every(({ id }) => refusers.has(id)) ? 'refused-by-all' : 'no-driver-with-skills' };
}
