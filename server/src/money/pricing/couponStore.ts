import type { Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';

/*
 * A coupon is used by every order that was created with it, immediate or scheduled, from its creation on. An edit, a
 * dispatch and a grouping do not change the use. It is free again when the order fails: cancelled, not attended, failed
 * at dispatch, or grouped into an order that ended so. Uses are counted from the orders instead of stored, so no code
 * path can forget to free one.
 */

/** The number of uses by a customer; without one, by all. */
const couponUses = (centralId: number, couponId: number | Sql, customerId?: number | Sql): Sql => {
  const ofCustomer = (table: Sql) =>
    customerId === undefined ? sql`` : sql`and ${table}.customer_id = ${customerId}`;
  return sql`(
    (select count(*) from deliveries used
      where used.central_id = ${centralId} and used.coupon_id = ${couponId} ${ofCustomer(sql`used`)}
        and used.status <> 'cancelled' and used.status <> 'not_attended')
    + (select count(*) from scheduled waiting
      left join scheduled grouper on grouper.central_id = ${centralId} and grouper.id = waiting.grouped_into
      left join deliveries carrier on carrier.central_id = ${centralId}
        and carrier.id = coalesce(waiting.delivery_id, grouper.delivery_id)
      where waiting.central_id = ${centralId} and waiting.coupon_id = ${couponId} ${ofCustomer(sql`waiting`)}
        and (waiting.situation = 'awaiting' or waiting.situation = 'grouped')
        and (grouper.situation is null or grouper.situation not in ('cancelled', 'failed'))
        and (carrier.status is null or carrier.status not in ('cancelled', 'not_attended'))))`;
};

const THIS_COUPON = sql`c.id`;
const ASKED_COUPON = sql`asked.coupon_id`;

interface Limits {
  usesMax: number | null;
  usesPerCompanyMax: number | null;
}

/**
 * Refuses when the order that this transaction has just written exceeds the coupon's limits. The coupon's lock is
 * held until the end of the transaction, and the next holder counts this order too: two concurrent orders cannot
 * both take the last use. A coupon without limits is not locked.
 */
export async function assertCouponUses(
  tx: Tx,
  centralId: number,
  couponId: number | null,
  customerId: number,
): Promise<void> {
  if (couponId === null) return;
  // This lock does not conflict with orders that only refer to the coupon, as `for update` would.
  const limits = await tx.row<Limits>`
    select uses_max, uses_per_company_max from coupons
    where central_id = ${centralId} and id = ${couponId}
      and (uses_max is not null or uses_per_company_max is not null)
    for no key update`;
  if (!limits) return;
  // Only limited uses are counted, because the uses of a coupon without an end grow every day.
  const { usesMax, usesPerCompanyMax } = limits;
  const row = await tx.row<{ exceeded: boolean }>`
    select case when ${usesMax}::bigint is null then false
        else ${couponUses(centralId, couponId)} > ${usesMax}::bigint end
      or case when ${usesPerCompanyMax}::bigint is null then false
        else ${couponUses(centralId, couponId, customerId)} > ${usesPerCompanyMax}::bigint end as exceeded`;
  if (row!.exceeded) throw new Refusal('coupon-invalid');
}

/** How often a coupon may be used, and was used: by all, and by one customer. */
export interface CouponUses extends Limits {
  couponId: number;
  customerId: number | null;
  uses: number;
  usesOfCustomer: number;
}

/**
 * The uses of coupons with limits, each by one customer; null is a new one. The locks are those of `assertCouponUses`.
 */
export async function lockCouponUses(
  tx: Tx,
  centralId: number,
  asked: readonly Pick<CouponUses, 'couponId' | 'customerId'>[],
): Promise<CouponUses[]> {
  const couponIds = asked.map(({ couponId }) => couponId);
  const locked = tx.rows`
    select 1 from coupons where central_id = ${centralId} and id = any(${couponIds}::bigint[])
      and (uses_max is not null or uses_per_company_max is not null)
    order by id for no key update`;
  // A statement of its own, which sees what those before it have committed.
  const counted = tx.rows<CouponUses>`
    select asked.coupon_id, asked.customer_id, c.uses_max, c.uses_per_company_max,
      case when c.uses_max is null then 0 else ${couponUses(centralId, ASKED_COUPON)} end as uses,
      case when c.uses_per_company_max is null then 0
        else ${couponUses(centralId, ASKED_COUPON, sql`asked.customer_id`)} end as uses_of_customer
    from unnest(${couponIds}::bigint[], ${asked.map(({ customerId }) => customerId)}::bigint[])
      as asked (coupon_id, customer_id)
    join coupons c on c.central_id = ${centralId} and c.id = asked.coupon_id
    where c.uses_max is not null or c.uses_per_company_max is not null`;
  await locked;
  return counted;
}

/** A percentage off the price, for everyone who knows the code. Codes ignore case. */
export interface Coupon {
  id: number;
  code: string;
  /** Decimal. */
  percent: string;
  /** The id in the system that generated it. */
  generatorId: string;
  /** Null: no end. */
  validUntil: Temporal.Instant | null;
  /** How many orders may use it; null means no limit. */
  usesMax: number | null;
  /** How many orders of one company, or of one person where no company orders; null means no limit. */
  usesPerCompanyMax: number | null;
  /** The companies it is for; an empty list means everyone. */
  companyIds: readonly number[];
  /** How many orders use it now. */
  uses: number;
  active: boolean;
}

export interface CouponValues extends Omit<Coupon, 'id' | 'uses' | 'active'> {
  /** Null keeps the current value; a new one is active. */
  active: boolean | null;
}

const violations = { coupons_code_unique: duplicate('code') };

/** A coupon as an order uses it. */
export type UsableCoupon = Pick<Coupon, 'id' | 'percent'>;

/**
 * A coupon with this code that this company, or a person without a company, may use now. A remaining use is
 * guaranteed only under the coupon's lock; see assertCouponUses.
 */
export function findUsableCoupon(
  tx: Tx,
  centralId: number,
  code: string,
  companyId: number | null,
  now: Temporal.Instant,
): Promise<UsableCoupon | undefined> {
  const customer = sql`(
    select id from customers who where who.central_id = ${centralId} and who.company_id = ${companyId})`;
  return tx.row<UsableCoupon>`
    select id, percent from coupons c
    where central_id = ${centralId} and upper(code) = upper(${code}) and active
      and (valid_until is null or valid_until > ${now})
      and (not exists (select 1 from coupon_companies a where a.central_id = ${centralId} and a.coupon_id = c.id)
        or exists (select 1 from coupon_companies a
          where a.central_id = ${centralId} and a.coupon_id = c.id and a.company_id = ${companyId}))
      and (uses_max is null or ${couponUses(centralId, THIS_COUPON)} < uses_max)
      and (uses_per_company_max is null or ${companyId}::bigint is null
        or ${couponUses(centralId, THIS_COUPON, customer)} < uses_per_company_max)`;
}

const couponsOf = (centralId: number): Sql => sql`
  select id, code, percent, generator_id, valid_until, uses_max, uses_per_company_max, active,
    ${couponUses(centralId, THIS_COUPON)} as uses, (
      select coalesce(json_agg(company_id order by company_id), '[]') from coupon_companies a
      where a.central_id = ${centralId} and a.coupon_id = c.id) as company_ids
  from coupons c where central_id = ${centralId}`;

export const listCoupons = (tx: Tx, centralId: number, { limit, offset }: Page): Promise<Coupon[]> =>
  tx.rows<Coupon>`${couponsOf(centralId)} order by id limit ${limit} offset ${offset}`;

export const findCoupon = (tx: Tx, centralId: number, id: number): Promise<Coupon | undefined> =>
  tx.row<Coupon>`${couponsOf(centralId)} and id = ${id}`;

export async function insertCoupon(tx: Tx, centralId: number, coupon: CouponValues): Promise<number> {
  const id = await newId(tx, centralId, 'coupon');
  const inserted = tx.rows`
    insert into coupons (central_id, id, code, percent, generator_id, valid_until, uses_max, uses_per_company_max,
      active)
    values (${centralId}, ${id}, ${coupon.code}, ${coupon.percent}, ${coupon.generatorId},
      ${coupon.validUntil}, ${coupon.usesMax}, ${coupon.usesPerCompanyMax}, coalesce(${coupon.active}, true))`;
  await refuseViolations(inserted, violations);
  await replaceCompanies(tx, centralId, id, coupon.companyIds);
  return id;
}

export async function updateCoupon(
  tx: Tx,
  centralId: number,
  id: number,
  coupon: CouponValues,
): Promise<boolean> {
  const updated = tx.rows`
    update coupons set code = ${coupon.code}, percent = ${coupon.percent}, generator_id = ${coupon.generatorId},
      valid_until = ${coupon.validUntil}, uses_max = ${coupon.usesMax},
      uses_per_company_max = ${coupon.usesPerCompanyMax}, active = coalesce(${coupon.active}, active)
    where central_id = ${centralId} and id = ${id} returning id`;
  if ((await refuseViolations(updated, violations)).length === 0) return false;
  await replaceCompanies(tx, centralId, id, coupon.companyIds);
  return true;
}

async function replaceCompanies(
  tx: Tx,
  centralId: number,
  couponId: number,
  companyIds: readonly number[],
): Promise<void> {
  await tx.rows`
    delete from coupon_companies
    where central_id = ${centralId} and coupon_id = ${couponId} and company_id <> all(${companyIds}::bigint[])`;
  const inserted = tx.rows`
    insert into coupon_companies (central_id, coupon_id, company_id)
    select ${centralId}, ${couponId}, unnest(${companyIds}::bigint[])
    on conflict do nothing`;
  await refuseViolations(inserted, {
    coupon_companies_company_fkey: () => new Refusal('company-not-found'),
  });
}

export async function deleteCoupon(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`delete from coupons where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
