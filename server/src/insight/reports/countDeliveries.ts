import type { AreaIndex } from '../../registers/areas/area.ts';
import { addTo, type EndedDelivery, emptyTally, type Tally } from './tally.ts';

export type DayKind = 'total' | 'company' | 'driver' | 'area' | 'company_area';

export interface DayTotal {
  kind: DayKind;
  companyId: number;
  day: string;
  ofId: number;
  tally: Tally;
}

export interface HourTotal {
  companyId: number;
  day: string;
  hour: number;
  tally: Tally;
}

export interface ReasonTotal {
  companyId: number;
  day: string;
  kind: 'cancelled' | 'stop_failed';
  reason: string;
  count: number;
}

export interface Totals {
  days: DayTotal[];
  hours: HourTotal[];
  reasons: ReasonTotal[];
}

/** The id that stands for all deliveries of the central. */
export const ALL = 0;

/**
 * Computes what deliveries add to the totals. All figures of a delivery belong to the local day and hour of its
 * request: a step that a phone reports a day later changes no other day.
 */
export function countDeliveries(
  deliveries: readonly EndedDelivery[],
  timeZone: string,
  areas: AreaIndex,
): Totals {
  const days = new Map<string, DayTotal>();
  const hours = new Map<string, HourTotal>();
  const reasons = new Map<string, ReasonTotal>();
  for (const delivery of deliveries) {
    const local = delivery.requestedAt.toZonedDateTimeISO(timeZone);
    const [day, hour] = [local.toPlainDate().toString(), local.hour];
    const companyId = delivery.companyId ?? ALL;
    const areaId = areas.areaAt(delivery.pickup)?.id ?? ALL;

    const addDay = (kind: DayKind, ofId: number, within = ALL): void => {
      const key = [kind, within, day, ofId].join(' ');
      const total = entry(days, key, () => ({ kind, companyId: within, day, ofId, tally: emptyTally() }));
      addTo(total.tally, delivery);
    };
    addDay('total', ALL);
    addDay('company', companyId);
    addDay('area', areaId);
    if (companyId !== ALL) addDay('company_area', areaId, companyId);
    if (delivery.driverId !== null) addDay('driver', delivery.driverId);

    for (const of of new Set([ALL, companyId])) {
      const key = [of, day, hour].join(' ');
      addTo(entry(hours, key, () => ({ companyId: of, day, hour, tally: emptyTally() })).tally, delivery);
      for (const [kind, reason] of reasonsOf(delivery))
        entry(reasons, [of, day, kind, reason].join(' '), () => ({
          companyId: of,
          day,
          kind,
          reason,
          count: 0,
        })).count += 1;
    }
  }
  return { days: [...days.values()], hours: [...hours.values()], reasons: [...reasons.values()] };
}

function reasonsOf(delivery: EndedDelivery): [kind: ReasonTotal['kind'], reason: string][] {
  const failed = delivery.stopsFailed.map<[ReasonTotal['kind'], string]>((reason) => [
    'stop_failed',
    reason ?? '',
  ]);
  if (delivery.status !== 'cancelled') return failed;
  return [['cancelled', String(delivery.cancellationReasonId ?? '')], ...failed];
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
