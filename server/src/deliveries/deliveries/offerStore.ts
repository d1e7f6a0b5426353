import { CLOCK_TOLERANCE } from '../../platform/kernel/clock.ts';
import type { Page } from '../../platform/kernel/page.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';

export type OfferState = 'open' | 'refused' | 'expired' | 'accepted' | 'withdrawn';

/** Why a driver refuses an offer. */
export type RefusalReason = 'far' | 'busy' | 'pay' | 'other';

export interface Offer {
  id: number;
  driverId: number;
  state: OfferState;
  expiresAt: Temporal.Instant | null;
  /** The plan of whose run it is a part; null: it is an offer of one delivery. */
  planId: number | null;
}

/** The open offer of a delivery to a driver (at most one), or else the newest in any state. */
export async function findOffer(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
): Promise<Offer | undefined> {
  const row = await tx.row<Omit<Offer, 'driverId'>>`
    select id, state, expires_at, plan_id from offers
    where central_id = ${centralId} and delivery_id = ${deliveryId} and driver_id = ${driverId}
    order by state = 'open' desc, offered_at desc, id desc limit 1`;
  return row && { ...row, driverId };
}

interface NewOffer {
  deliveryId: number;
  driverId: number;
  /** Of an offer that is part of a run. */
  planId?: number;
  placeInRun?: number;
}

/** The open offers to a driver of one run, in the order in which its deliveries are carried out. */
export const findRunOffers = (
  tx: Tx,
  centralId: number,
  driverId: number,
  planId: number,
  now: Temporal.Instant,
): Promise<{ deliveryId: number }[]> =>
  tx.rows`
    select delivery_id from offers
    where central_id = ${centralId} and driver_id = ${driverId} and state = 'open' and plan_id = ${planId}
      and (expires_at is null or expires_at > ${now})
    order by place_in_run, delivery_id`;

/** Offers without an end are open until they are answered. The caller holds the locks of the deliveries and of the drivers. */
export async function insertOffers(
  tx: Tx,
  centralId: number,
  offers: readonly NewOffer[],
  expiresAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'offer', offers.length);
  await tx.rows`
    insert into offers (central_id, id, delivery_id, driver_id, state, offered_at, expires_at, plan_id, place_in_run)
    select ${centralId}, id, delivery_id, driver_id, 'open', ${now}, ${expiresAt}, plan_id, place_in_run
    from unnest(${ids}::bigint[], ${offers.map(({ deliveryId }) => deliveryId)}::bigint[],
      ${offers.map(({ driverId }) => driverId)}::bigint[], ${offers.map(({ planId }) => planId ?? null)}::bigint[],
      ${offers.map(({ placeInRun }) => placeInRun ?? null)}::smallint[])
      as given (id, delivery_id, driver_id, plan_id, place_in_run)`;
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
  const rows = await tx.rows`
    update offers set state = 'refused', closed_at = greatest(${now}::timestamptz, offered_at),
      refusal_reason = ${reason}, refusal_note = ${note}
    where central_id = ${centralId} and delivery_id = ${deliveryId} and state = 'open'
      and (${driverId}::bigint is null or driver_id = ${driverId})
    returning id`;
  return rows.length;
}

/** A driver has accepted: its open offer is closed as accepted, all others as withdrawn. */
export async function closeOffersAccepted(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.write`
    update offers set state = case when driver_id = ${driverId} then 'accepted' else 'withdrawn' end,
      closed_at = greatest(${now}::timestamptz, offered_at)
    where central_id = ${centralId} and delivery_id = ${deliveryId} and state = 'open'`;
}

/** Withdraws the offers of a delivery in these states. A driver whose offer was withdrawn may be asked again. */
export async function withdrawOffers(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  states: readonly ('open' | 'accepted')[],
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update offers set state = 'withdrawn', closed_at = greatest(${now}::timestamptz, offered_at)
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[]) and state = any(${states}::text[])`;
}

export async function hasOpenOffer(tx: Tx, centralId: number, deliveryId: number): Promise<boolean> {
  const rows = await tx.rows`
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
  await tx.rows`
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
  return tx.rows<OfferMade>`
    select o.driver_id, driver.name as driver_name, o.state, o.offered_at,
      o.expires_at, o.closed_at, o.refusal_reason,
      o.refusal_note
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
const lapsed = (now: Temporal.Instant): Sql => sql`(offer.expires_at <= ${now} or not driver.active
  or offer.expires_at is not null
    and (not driver.available or offer.offered_at > ${now.add(CLOCK_TOLERANCE)}))`;

/** Deliveries with such an offer, the oldest first. */
export async function findLapsedOffers(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select offer.delivery_id as id from offers offer
    join drivers driver on driver.central_id = ${centralId} and driver.id = offer.driver_id
    where offer.central_id = ${centralId} and offer.state = 'open' and ${lapsed(now)}
    group by offer.delivery_id order by min(offer.expires_at), offer.delivery_id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Centrals with such an offer. */
export async function findLapsedCentrals(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct offer.central_id from offers offer
    join drivers driver on driver.central_id = offer.central_id and driver.id = offer.driver_id
    where offer.state = 'open' and ${lapsed(now)}`;
  return rows.map((row) => row.centralId);
}

/** Closes such offers of deliveries whose locks the caller holds; returns the delivery of each. */
export async function closeLapsedOffers(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  now: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    update offers offer set state = case when offer.expires_at <= ${now} then 'expired' else 'withdrawn' end,
      closed_at = greatest(${now}::timestamptz, offer.offered_at)
    from drivers driver
    where driver.central_id = ${centralId} and driver.id = offer.driver_id and offer.central_id = ${centralId}
      and offer.delivery_id = any(${deliveryIds}::bigint[]) and offer.state = 'open' and ${lapsed(now)}
    returning offer.delivery_id as id`;
  return rows.map((row) => row.id);
}

/** Which of the deliveries have an open offer. */
export async function findWithOpenOffer(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<Set<number>> {
  const rows = await tx.rows<{ deliveryId: number }>`
    select delivery_id from offers
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[]) and state = 'open'`;
  return new Set(rows.map((row) => row.deliveryId));
}

/** Removes the notes that drivers wrote when they refused these deliveries. */
export async function removeRefusalNotes(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx.rows`
    update offers set refusal_note = null
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[]) and refusal_note is not null`;
}

/** The reassignment of a carried delivery to another driver by an operator. */
export interface Handover {
  deliveryId: number;
  fromDriverId: number;
  toDriverId: number;
  /** The operator's text, visible to the central only. */
  reason: string;
}

export async function insertHandover(
  tx: Tx,
  centralId: number,
  { deliveryId, fromDriverId, toDriverId, reason }: Handover,
  { at, by }: { at: Temporal.Instant; by: number | null },
): Promise<void> {
  const id = await newId(tx, centralId, 'handover');
  await tx.rows`
    insert into handovers
      (central_id, id, delivery_id, from_driver_id, to_driver_id, reason, handed_over_at, user_id)
    values (${centralId}, ${id}, ${deliveryId}, ${fromDriverId}, ${toDriverId}, ${reason}, ${at}, ${by})`;
}

/** Whether the driver carried the delivery until an operator reassigned it. */
export async function wasHandedOver(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from handovers
    where central_id = ${centralId} and delivery_id = ${deliveryId} and from_driver_id = ${driverId} limit 1`;
  return rows.length > 0;
}

/** Removes operators' texts, which may name people. */
export async function removeReasonsOfHandovers(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx.rows`
    update handovers set reason = ''
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[])`;
}
