import type { Tx } from '../../platform/postgres/database.ts';
import {
  containsIfGiven,
  countUpTo,
  equalsIfGiven,
  type KeysetList,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../../platform/postgres/keysetPage.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';

export interface DriverListFilter {
  /** A part of the name, the plate, the vehicle or the phone. */
  text: string | null;
  active: boolean | null;
  available: boolean | null;
  /** Has a delivery that is accepted or in progress. */
  carrying: boolean | null;
  lastFirst: boolean;
}

export interface ListedDriver {
  id: number;
  name: string;
  phone: string;
  vehicle: string;
  plate: string;
  color: string | null;
  available: boolean;
  active: boolean;
  simulated: boolean;
  balanceCents: number;
  cashCents: number;
}

const SEARCHED = `name || ' ' || plate || ' ' || vehicle || ' ' || phone`;

/** Uses the index deliveries_one_current_per_driver. */
const carryingIfGiven = (centralId: number, carrying: boolean | null): Sql =>
  sql`(${carrying}::boolean is null or ${carrying} = exists (
    select from deliveries d where d.central_id = ${centralId} and d.driver_id = examined.id
      and d.status in ('accepted', 'in_progress') and d.grouped_into is null))`;

const keysetOf = (
  centralId: number,
  { text, active, available, carrying, lastFirst }: DriverListFilter,
): KeysetList => ({
  table: 'drivers',
  order: { by: 'fold_name(name)', type: 'text', number: 'id', descending: lastFirst },
  leads: [],
  checks:
    text === null && active === null && available === null && carrying === null
      ? []
      : [
          containsIfGiven(SEARCHED, text),
          equalsIfGiven('active', 'boolean', active),
          equalsIfGiven('available', 'boolean', available),
          carryingIfGiven(centralId, carrying),
        ],
  from: null,
  until: null,
});

/** By name, through the index drivers_by_name, with the balance of each. */
export const listDriversPage = (
  tx: Tx,
  centralId: number,
  filter: DriverListFilter,
  request: SliceRequest,
): Promise<Slice<ListedDriver>> =>
  readSlice(
    tx,
    centralId,
    keysetOf(centralId, filter),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select d.id, d.name, d.phone, d.vehicle, d.plate, d.color, d.available, d.active, d.simulated,
        coalesce(account.balance_cents, 0)::bigint as balance_cents, coalesce(account.cash_cents, 0)::bigint as cash_cents,
        ${columns}
      from page join drivers d on d.central_id = ${centralId} and d.id = page.id
      left join driver_accounts account on account.central_id = ${centralId} and account.driver_id = d.id
      ${sorted}`,
  );

export const countDrivers = (tx: Tx, centralId: number, filter: DriverListFilter, max: number) =>
  countUpTo(tx, centralId, keysetOf(centralId, filter), max);
