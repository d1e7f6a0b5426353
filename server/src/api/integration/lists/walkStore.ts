import type { Scope } from '../../../centrals/caller.ts';
import { isOver, type Status } from '../../../deliveries/deliveries/status.ts';
import type { Payment } from '../../../deliveries/orders/request.ts';
import { isChangedBefore } from '../../../platform/postgres/commitOrder.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import {
  equalsIfGiven,
  isAmong,
  isOneIfGiven,
  type KeyOrder,
  type KeysetList,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../../../platform/postgres/keysetPage.ts';
import { raw, type Sql, sql } from '../../../platform/postgres/sql.ts';

/** From an instant, included, to another one, excluded; null: unbounded. */
export interface Period {
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
}

/** Undefined: not filtered. `dispatched` is of scheduled deliveries only; `finished` and what follows, of deliveries. */
export interface WalkFilter {
  companyId?: number | undefined;
  orderNumber?: string | undefined;
  requested?: Period | undefined;
  dispatched?: Period | undefined;
  finished?: Period | undefined;
  statuses?: readonly Status[] | undefined;
  payment?: Payment | undefined;
  driverId?: number | undefined;
  /** Of both. */
  externalId?: string | undefined;
}

/** The order in which a walk meets the rows. */
export type WalkOrder =
  | { kind: 'newest' }
  /** What was changed before a state of the server, since a time. */
  | { kind: 'copy'; since: Temporal.Instant; at: Temporal.Instant; oldest: number }
  /** What transactions from a number on, up to another one, changed. */
  | { kind: 'follow'; from: number; until: number };

export type WalkNoun = 'deliveries' | 'scheduled';

const STOPS = {
  deliveries: { table: 'stops', carrier: 'delivery_id' },
  scheduled: { table: 'scheduled_stops', carrier: 'scheduled_id' },
} as const;

/** More requests than this with one order number are found by examining the rows of the walk. */
const MATCHES_MAX = 1_000;

/**
 * The ids of the next rows of a walk. Every combination of filters reads one index, from the last key on, and at most a
 * fixed number of rows: then the slice is short.
 */
export async function readWalk(
  tx: Tx,
  noun: WalkNoun,
  scope: Scope,
  filter: WalkFilter,
  order: WalkOrder,
  request: SliceRequest,
): Promise<Slice<{ id: number }>> {
  const ids =
    filter.orderNumber === undefined ? null : await findByOrderNumber(tx, noun, scope, filter.orderNumber);
  const list = noun === 'deliveries' ? deliveriesKeyset : scheduledKeyset;
  return readSlice<{ id: number }>(
    tx,
    scope.centralId,
    list(scope, filter, order, ids),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys}) select page.id, ${columns} from page ${sorted}`,
  );
}

/** The requests that carry a stop with the order number, or were ordered with it. Null: too many. */
async function findByOrderNumber(
  tx: Tx,
  noun: WalkNoun,
  { centralId }: Scope,
  orderNumber: string,
): Promise<number[] | null> {
  const { table, carrier } = STOPS[noun];
  const rows = await tx.rows<{ carrierId: number; orderedWith: number }>`
    select ${raw(carrier)} as carrier_id, ordered_with from ${raw(table)}
    where central_id = ${centralId} and order_number = ${orderNumber} limit ${MATCHES_MAX + 1}`;
  if (rows.length > MATCHES_MAX) return null;
  return [...new Set(rows.flatMap(({ carrierId, orderedWith }) => [carrierId, orderedWith]))];
}

/** The same for each row `examined` of a walk. */
function hasOrderNumber(noun: WalkNoun, { centralId }: Scope, orderNumber: string): Sql {
  const { table, carrier } = STOPS[noun];
  const stops = sql`select from ${raw(table)} s
    where s.central_id = ${centralId} and s.order_number = ${orderNumber}`;
  return sql`(exists (${stops} and s.${raw(carrier)} = examined.id)
    or exists (${stops} and s.ordered_with = examined.id))`;
}

const isWithin = (column: string, period: Period | undefined): Sql => sql`
  (${period?.from?.toString() ?? null}::timestamptz is null
    or ${raw(column)} >= ${period?.from?.toString() ?? null}::timestamptz)
  and (${period?.until?.toString() ?? null}::timestamptz is null
    or ${raw(column)} < ${period?.until?.toString() ?? null}::timestamptz)`;

const ofCompany = ({ companyId }: Scope, filter: WalkFilter): Sql => sql`
  ${equalsIfGiven('company_id', 'bigint', companyId)} and ${equalsIfGiven('company_id', 'bigint', filter.companyId ?? null)}`;

type Lead = { of: keyof WalkFilter | null; conditions: readonly Sql[] };
type Range = Pick<KeysetList, 'order' | 'from' | 'until'> & { of: keyof WalkFilter | null };

const range = (
  by: string,
  of: keyof WalkFilter | null,
  { from, until }: Period,
  descending: boolean,
): Range => ({
  order: { by, type: 'timestamptz', number: 'id', descending } satisfies KeyOrder,
  from: from?.toString() ?? null,
  until: until?.toString() ?? null,
  of,
});

const ALWAYS: Period = { from: null, until: null };

/** What one company has changed in a longer time is found faster among all that it has. */
const COMPANY_HOURS = 30 * 24;

const isByCompany = (scope: Scope, filter: WalkFilter, order: WalkOrder): boolean =>
  order.kind === 'copy' &&
  (scope.companyId !== null || filter.companyId !== undefined) &&
  order.at.since(order.since).total('hours') > COMPANY_HOURS;

/** The rows that changed, in the order of an index of changes, or of that of the company. */
function changedRange(
  order: Exclude<WalkOrder, { kind: 'newest' }>,
  byCompany: boolean,
): { range: Range; checks: readonly Sql[] } {
  if (order.kind === 'follow')
    return {
      range: {
        order: { by: 'changed_in', type: 'bigint', number: 'id', descending: false },
        from: String(order.from),
        until: String(order.until),
        of: null,
      },
      checks: [],
    };
  const since = { from: order.since, until: null };
  return byCompany
    ? {
        range: range('requested_at', null, ALWAYS, false),
        checks: [isChangedBefore(order), isWithin('changed_at', since)],
      }
    : { range: range('changed_at', null, since, false), checks: [isChangedBefore(order)] };
}

/** What all lists have in common; `checksOf` has a check for each filter. */
function keyset(
  noun: WalkNoun,
  scope: Scope,
  filter: WalkFilter,
  { lead, range, checks }: { lead: Lead; range: Range; checks: readonly Sql[] },
  checksOf: readonly Sql[],
  ids: readonly number[] | null,
): KeysetList {
  const given = (Object.keys(filter) as (keyof WalkFilter)[]).filter((name) => filter[name] !== undefined);
  const isLed = (name: keyof WalkFilter) => name === lead.of || name === range.of;
  const isOfCompany = scope.companyId === null || (lead.of === 'companyId' && filter.companyId === undefined);
  const needsChecks = !isOfCompany || given.some((name) => name !== 'orderNumber' && !isLed(name));
  const { orderNumber, externalId } = filter;
  const { of: _of, ...place } = range;
  return {
    table: noun,
    ...place,
    // At most one row of each company has the key.
    leads: ids
      ? [isAmong(ids)]
      : externalId !== undefined
        ? [sql`external_id = ${externalId}`]
        : lead.conditions,
    checks: [
      ...checks,
      ...(needsChecks || ids ? checksOf : []),
      ...(orderNumber !== undefined && !ids ? [hasOrderNumber(noun, scope, orderNumber)] : []),
    ],
  };
}

const NO_LEAD: Lead = { of: null, conditions: [] };

const companyLead = (scope: Scope, filter: WalkFilter): Lead => {
  const companyId = scope.companyId ?? filter.companyId;
  return companyId === undefined
    ? NO_LEAD
    : { of: 'companyId', conditions: [sql`company_id = ${companyId}`] };
};

/** Each lead has an index that begins with it and goes on with the time of the request. */
function deliveriesLead(scope: Scope, filter: WalkFilter): Lead {
  const { statuses, payment, driverId } = filter;
  const byStatus = (): Lead => ({
    of: 'statuses',
    conditions: statuses!.map((status) => sql`status = ${status}`),
  });
  // What other companies have is not even examined.
  if (scope.companyId !== null) return companyLead(scope, filter);
  if (statuses?.every((status) => !isOver(status))) return byStatus();
  if (driverId !== undefined) return { of: 'driverId', conditions: [sql`driver_id = ${driverId}`] };
  if (filter.companyId !== undefined) return companyLead(scope, filter);
  if (statuses) return byStatus();
  if (payment) return { of: 'payment', conditions: [sql`payment = ${payment}`] };
  return NO_LEAD;
}

function deliveriesKeyset(
  scope: Scope,
  filter: WalkFilter,
  order: WalkOrder,
  ids: readonly number[] | null,
): KeysetList {
  const { requested, finished } = filter;
  const byCompany = isByCompany(scope, filter, order);
  const checksOf = [
    ofCompany(scope, filter),
    equalsIfGiven('external_id', 'text', filter.externalId ?? null),
    equalsIfGiven('driver_id', 'bigint', filter.driverId ?? null),
    isOneIfGiven('status', filter.statuses ?? null),
    equalsIfGiven('payment', 'text', filter.payment ?? null),
    isWithin('requested_at', requested),
    isWithin('finished_at', finished),
  ];
  const place =
    order.kind !== 'newest'
      ? {
          lead: byCompany ? companyLead(scope, filter) : NO_LEAD,
          ...changedRange(order, byCompany),
        }
      : finished
        ? { lead: NO_LEAD, range: range('finished_at', 'finished', finished, true), checks: [] }
        : {
            lead: deliveriesLead(scope, filter),
            range: range('requested_at', 'requested', requested ?? ALWAYS, true),
            checks: [],
          };
  return keyset('deliveries', scope, filter, place, checksOf, ids);
}

/** By the time of the request, or by that of the dispatch where a period of it is asked for. */
function scheduledKeyset(
  scope: Scope,
  filter: WalkFilter,
  order: WalkOrder,
  ids: readonly number[] | null,
): KeysetList {
  const { requested, dispatched } = filter;
  const byCompany = isByCompany(scope, filter, order);
  const checksOf = [
    ofCompany(scope, filter),
    equalsIfGiven('external_id', 'text', filter.externalId ?? null),
    isWithin('requested_at', requested),
    isWithin('dispatch_at', dispatched),
  ];
  const lead = companyLead(scope, filter);
  const place =
    order.kind !== 'newest'
      ? { lead: byCompany ? lead : NO_LEAD, ...changedRange(order, byCompany) }
      : dispatched
        ? { lead, range: range('dispatch_at', 'dispatched', dispatched, true), checks: [] }
        : { lead, range: range('requested_at', 'requested', requested ?? ALWAYS, true), checks: [] };
  return keyset('scheduled', scope, filter, place, checksOf, ids);
}
