import type { Tx } from '../postgres/database.ts';
import {
  countUpTo,
  equalsIfGiven,
  type KeysetList,
  likeIfGiven,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../postgres/keysetPage.ts';

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
const carryingIfGiven = (parameter: string): string =>
  `(${parameter}::boolean is null or ${parameter} = exists (
    select from deliveries d where d.central_id = $1 and d.driver_id = examined.id
      and d.status in ('accepted', 'in_progress') and d.grouped_into is null))`;

const keysetOf = ({ text, active, available, carrying, lastFirst }: DriverListFilter): KeysetList => ({
  table: 'drivers',
  order: { by: 'fold_name(name)', type: 'text', number: 'id', descending: lastFirst },
  leads: [],
  checks:
    text === null && active === null && available === null && carrying === null
      ? []
      : [
          { sql: likeIfGiven(SEARCHED), value: text },
          { sql: equalsIfGiven('active', 'boolean'), value: active },
          { sql: equalsIfGiven('available', 'boolean'), value: available },
          { sql: carryingIfGiven, value: carrying },
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
    keysetOf(filter),
    request,
    ({ keys, columns, sorted }) => `
      with page as materialized (${keys})
      select d.id, d.name, d.phone, d.vehicle, d.plate, d.color, d.available, d.active, d.simulated,
        coalesce(account.balance_cents, 0)::bigint as "balanceCents", coalesce(account.cash_cents, 0)::bigint as "cashCents",
        ${columns}
      from page join drivers d on d.central_id = $1 and d.id = page.id
      left join driver_accounts account on account.central_id = $1 and account.driver_id = d.id
      ${sorted}`,
  );

export const countDrivers = (tx: Tx, centralId: number, filter: DriverListFilter, max: number) =>
  countUpTo(tx, centralId, keysetOf(filter), max);
