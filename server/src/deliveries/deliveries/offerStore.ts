import { latestDate } from '../kernel/clock.ts';
import type { Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';

export type OfferState = 'open' | 'refused' | 'expired' | 'accepted' | 'withdrawn';

/** Why a driver refuses an offer. */
export type RefusalReason = 'far' | 'busy' | 'pay' | 'other';

export interface Offer {
  id: number;
  driverId: number;
  state: OfferState;
  expiresAt: Temporal.Instant | null;
}

/** The open offer of a delivery to a driver (at most one), or else the newest in any state. */
export async function findOffer(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
): Promise<Offer | undefined> {
  const [row] = await tx<{ id: number; state: OfferState; expires_at: Temporal.Instant | null }>`
    select id, state, expires_at from offers
    where central_id = ${centralId} and delivery_id = ${deliveryId} and driver_id = ${driverId}
    order by state = 'open' desc, offered_at desc, id desc limit 1`;
  return row && { id: row.id, driverId, state: row.state, expiresAt: row.expires_at };
}

export async function insertOffer(
  tx: Tx,
  centralId: number,
  offer: { deliveryId: number; driverId: number; expiresAt: Temporal.Instant | null },
  now: Temporal.Instant,
): Promise<void> {
  const id = await newId(tx, centralId, 'offer');
  await tx`
    insert into offers (central_id, id, delivery_id, driver_id, state, offered_at, expires_at)
    values (${centralId}, ${id}, ${offer.deliveryId}, ${offer.driverId}, 'open', ${now},
      ${offer.expiresAt})`;
}

/** Inserts several offers. The caller holds the locks of the deliveries and of the drivers. */
export async function insertOffers(
  tx: Tx,
  centralId: number,
  offers: readonly { deliveryId: number; driverId: number }[],
  expiresAt: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'offer', offers.length);
  await tx`
    insert into offers (central_id, id, delivery_id, driver_id, state, offered_at, expires_at)
    select ${centralId}, id, delivery_id, driver_id, 'open', ${now}, ${expiresAt}
    from unnest(${ids}::bigint[], ${offers.map(({ deliveryId }) => deliveryId)}::bigint[],
      ${offers.map(({ driverId }) => driverId)}::bigint[]) as given (id, delivery_id, driver_id)`;
}

/**
 * Closes a delivery's open offers as refused, one driver's or, without a driver, all of them. Returns how many there
 * were.
 */
export async function refuseOffers(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number | null,
  { reason, note }: { reason: RefusalReason | null; note: string | null },
  now: Temporal.Instant,
): Promise<number> {
  const rows = await tx`
    update offers set state = 'refused', closed_at = greatest(${now}::timestamptz, offered_at),
      refusal_reason = ${reason}, refusal_note = ${note}
    where central_id = ${centralId} and delivery_id = ${deliveryId} and state = 'open'
      and (${driverId}::bigint is null or driver_id = ${driverId})
    returning id`;
  return rows.length;
}

/** A driver has accepted: its open offer is closed as accepted, all others as withdrawn. */
export async function settleOffers(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.defer`
    update offers set state = case when driver_id = ${driverId} then 'accepted' else 'withdrawn' end,
      closed_at = greatest(${now}::timestamptz, offered_at)
    where central_id = ${centralId} and delivery_id = ${deliveryId} and state = 'open'`;
}

/** Withdraws the offers of a delivery in these states. A driver whose offer was withdrawn may be asked again. */
export async function withdrawOffers(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  states: readonly ('open' | 'accepted')[],
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update offers set state = 'withdrawn', closed_at = greatest(${now}::timestamptz, offered_at)
    where central_id = ${centralId} and delivery_id = ${deliveryId} and state = any(${states}::text[])`;
}

export async function hasOpenOffer(tx: Tx, centralId: number, deliveryId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from offers
    where central_id = ${centralId} and delivery_id = ${deliveryId} and state = 'open' limit 1`;
  return rows.length > 0;
}

/** A driver who gives up a delivery counts as having refused it, even if it was accepted without an offer. */
export async function insertGivenUp(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<void> {
  const id = await newId(tx, centralId, 'offer');
  await tx`
    with given_up as (
      update offers set state = 'refused', closed_at = greatest(${now}::timestamptz, offered_at)
      where central_id = ${centralId} and delivery_id = ${deliveryId} and state = 'accepted'
      returning id)
    insert into offers (central_id, id, delivery_id, driver_id, state, offered_at, closed_at)
    select ${centralId}, ${id}::bigint, ${deliveryId}, ${driverId}, 'refused', ${now}, ${now}
    where not exists (select from given_up)`;
}

export interface OfferMade {
  driverId: number;
  driverName: string;
  state: OfferState;
  offeredAt: Temporal.Instant;
  expiresAt: Temporal.Instant | null;
  closedAt: Temporal.Instant | null;
  refusalReason: RefusalReason | null;
  refusalNote: string | null;
}

/** All offers of a delivery, oldest first. */
export async function listOffers(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  { limit, offset }: Page,
): Promise<OfferMade[]> {
  return tx<OfferMade>`
    select o.driver_id as "driverId", driver.name as "driverName", o.state, o.offered_at as "offeredAt",
      o.expires_at as "expiresAt", o.closed_at as "closedAt", o.refusal_reason as "refusalReason",
      o.refusal_note as "refusalNote"
    from offers o
    join drivers driver on driver.central_id = ${centralId} and driver.id = o.driver_id
    where o.central_id = ${centralId} and o.delivery_id = ${deliveryId}
    order by o.offered_at, o.id limit ${limit} offset ${offset}`;
}

/**
 * An open offer that will not be answered: it expired, or its driver takes no offers any more. An offer to a driver
 * named by an operator does not expire and stays open while that driver is unavailable. An offer with a time in the
 * future was made before the clock was set back: it would stay open until then, so it is withdrawn and made again.
 */
const LAPSED = `(offer.expires_at <= $1 or not driver.active
  or offer.expires_at is not null
    and (not driver.available or offer.offered_at > ${latestDate('$1')}))`;
const OF_DRIVER = 'driver.central_id = $2 and driver.id = offer.driver_id and offer.central_id = $2';

/** Deliveries with such an offer, the oldest first. */
export async function findLapsedOffers(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(
    `select offer.delivery_id as id from offers offer join drivers driver on ${OF_DRIVER}
     where offer.state = 'open' and ${LAPSED}
     group by offer.delivery_id order by min(offer.expires_at), offer.delivery_id limit $3`,
    [now, centralId, limit],
  );
  return rows.map((row) => row.id);
}

/** Centrals with such an offer. */
export async function findLapsedCentrals(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct offer.central_id from offers offer
     join drivers driver on driver.central_id = offer.central_id and driver.id = offer.driver_id
     where offer.state = 'open' and ${LAPSED}`,
    [now],
  );
  return rows.map((row) => row.central_id);
}

/** Closes such offers of deliveries whose locks the caller holds; returns the delivery of each. */
export async function closeLapsedOffers(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  now: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(
    `update offers offer set state = case when offer.expires_at <= $1 then 'expired' else 'withdrawn' end,
       closed_at = greatest($1::timestamptz, offer.offered_at)
     from drivers driver
     where ${OF_DRIVER} and offer.delivery_id = any($3::bigint[]) and offer.state = 'open' and ${LAPSED}
     returning offer.delivery_id as id`,
    [now, centralId, deliveryIds],
  );
  return rows.map((row) => row.id);
}

/** Which of the deliveries have an open offer. */
export async function findWithOpenOffer(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<Set<number>> {
  const rows = await tx<{ delivery_id: number }>`
    select delivery_id from offers
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[]) and state = 'open'`;
  return new Set(rows.map((row) => row.delivery_id));
}

/** Removes the notes that drivers wrote when they refused these deliveries. */
export async function removeRefusalNotes(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx`
    update offers set refusal_note = null
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[]) and refusal_note is not null`;
}
