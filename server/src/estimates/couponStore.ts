import type { Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../postgres/refuseViolations.ts';

/** A share off the price, for whoever knows the code. Codes are the same in capitals and small letters. */
export interface Coupon {
  id: number;
  code: string;
  /** Decimal. */
  percent: string;
  /** Whoever generated it, in that system's own numbering. */
  generatorId: string;
  /** Null: for ever. */
  validUntil: Temporal.Instant | null;
  active: boolean;
}

export interface CouponValues extends Omit<Coupon, 'id' | 'active'> {
  /** Null: as it is; a new one is. */
  active: boolean | null;
}

const violations = { coupons_code: duplicate('code') };

export async function findUsableCoupon(
  tx: Tx,
  centralId: number,
  code: string,
  now: Temporal.Instant,
): Promise<Pick<Coupon, 'id' | 'percent'> | undefined> {
  const [row] = await tx<{ id: number; percent: string }>`
    select id, percent from coupons
    where central_id = ${centralId} and upper(code) = upper(${code}) and active
      and (valid_until is null or valid_until > ${now})`;
  return row;
}

export async function listCoupons(tx: Tx, centralId: number, page: Page): Promise<Coupon[]> {
  return tx<Coupon>`
    select id, code, percent, generator_id as "generatorId", valid_until as "validUntil", active from coupons
    where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findCoupon(tx: Tx, centralId: number, id: number): Promise<Coupon | undefined> {
  const [row] = await tx<Coupon>`
    select id, code, percent, generator_id as "generatorId", valid_until as "validUntil", active from coupons
    where central_id = ${centralId} and id = ${id}`;
  return row;
}

export async function insertCoupon(tx: Tx, centralId: number, coupon: CouponValues): Promise<number> {
  const inserted = tx<{ id: number }>`
    insert into coupons (central_id, id, code, percent, generator_id, valid_until, active)
    values (${centralId}, next_id(${centralId}, 'coupon'), ${coupon.code}, ${coupon.percent}, ${coupon.generatorId},
      ${coupon.validUntil}, coalesce(${coupon.active}, true))
    returning id`;
  const [row] = await refuseViolations(inserted, violations);
  return row!.id;
}

export async function updateCoupon(
  tx: Tx,
  centralId: number,
  id: number,
  coupon: CouponValues,
): Promise<boolean> {
  const updated = tx`
    update coupons set code = ${coupon.code}, percent = ${coupon.percent}, generator_id = ${coupon.generatorId},
      valid_until = ${coupon.validUntil}, active = coalesce(${coupon.active}, active)
    where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseViolations(updated, violations)).length > 0;
}

export async function deleteCoupon(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx`delete from coupons where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
