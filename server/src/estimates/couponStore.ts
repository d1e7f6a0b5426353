import type { Tx } from '../postgres/database.ts';

export interface Coupon {
  id: number;
  percent: string;
}

export async function findUsableCoupon(
  tx: Tx,
  centralId: number,
  code: string,
  now: Temporal.Instant,
): Promise<Coupon | undefined> {
  const [row] = await tx<Coupon>`
    select id, percent from coupons
    where central_id = ${centralId} and upper(code) = upper(${code}) and active
      and (valid_until is null or valid_until > ${now})`;
  return row;
}
