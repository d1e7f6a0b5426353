import type { Position } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { latestExpiry } from '../grouping/claimStore.ts';

/** A scheduled delivery that may be merged, with its separate cost. */
export interface Mergeable {
  id: number;
  companyId: number;
  categoryId: number;
  dispatchAt: Temporal.Instant;
  pickup: Position;
  stops: Position[];
  returning: boolean;
  netCents: number;
  /** A plan is valid for this version only. */
  version: number;
  /** Equal for those that may travel together: company, pickup, category, payment, return and discount. */
  mergeKey: string;
}

interface MergeableRow {
  id: number;
  companyId: number;
  categoryId: number;
  dispatchAt: Temporal.Instant;
  pickupLat: number;
  pickupLng: number;
  hasReturn: boolean;
  netCents: number;
  version: number;
  mergeKey: string;
  stops: Position[];
}

/**
 * Centrals with automatic merge and candidates among the dispatches of the given range. Only that range of the index is
 * read, so neither other centrals nor later dispatches add to the cost.
 */
export async function findMergingCentrals(
  tx: Tx,
  from: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct s.central_id from scheduled s join centrals c on c.id = s.central_id
    where s.situation = 'awaiting' and s.dispatch_at > ${from} and s.dispatch_at <= ${until}
      and s.company_id is not null and not s.grouped_automatically
      and c.active and (c.settings ->> 'autoMerge')::boolean`;
  return rows.map((row) => row.centralId);
}

/**
 * Scheduled deliveries with a dispatch in the given range, by dispatch, without those that are claimed by a grouping.
 */
export async function findMergeable(
  tx: Tx,
  centralId: number,
  from: Temporal.Instant,
  until: Temporal.Instant,
  now: Temporal.Instant,
): Promise<Mergeable[]> {
  const rows = await tx.rows<MergeableRow>`
    select s.id, s.company_id, s.category_id, s.dispatch_at, s.pickup_lat, s.pickup_lng, s.has_return, s.net_cents,
      s.version, concat_ws(' ', s.company_id, round(s.pickup_lat::numeric, 5), round(s.pickup_lng::numeric, 5), s.category_id,
        s.payment, s.has_return, s.discount_percent, s.coupon_id) as merge_key,
      (select jsonb_agg(jsonb_build_object('lat', p.lat, 'lng', p.lng) order by p.position)
        from scheduled_stops p where p.central_id = ${centralId} and p.scheduled_id = s.id) as stops
    from scheduled s
    where s.central_id = ${centralId} and s.situation = 'awaiting' and s.company_id is not null
      and not s.grouped_automatically and s.dispatch_at > ${from} and s.dispatch_at <= ${until}
      and not exists (select 1 from claims c
        where c.central_id = ${centralId} and c.noun = 'scheduled' and c.target_id = s.id and c.expires_at > ${now}
          and c.expires_at <= ${latestExpiry(now)})
    order by s.dispatch_at, s.id limit 1000`;
  return rows.map((row) => ({
    id: row.id,
    companyId: row.companyId,
    categoryId: row.categoryId,
    dispatchAt: row.dispatchAt,
    pickup: { lat: row.pickupLat, lng: row.pickupLng },
    stops: row.stops,
    returning: row.hasReturn,
    netCents: row.netCents,
    version: row.version,
    mergeKey: row.mergeKey,
  }));
}

export interface MergeSaving {
  companyId: number;
  grouperId: number;
  orders: number;
  stops: number;
  secondsBefore: number;
  secondsAfter: number;
  metresBefore: number;
  metresAfter: number;
  netCentsBefore: number;
  netCentsAfter: number;
}

export async function insertMerge(
  tx: Tx,
  centralId: number,
  merge: MergeSaving,
  now: Temporal.Instant,
): Promise<void> {
  const id = await newId(tx, centralId, 'merge');
  await tx.rows`
    insert into automatic_merges (central_id, id, company_id, grouper_id, orders, stops, seconds_before, seconds_after,
      metres_before, metres_after, net_cents_before, net_cents_after, merged_at)
    values (${centralId}, ${id}, ${merge.companyId}, ${merge.grouperId}, ${merge.orders},
      ${merge.stops}, ${merge.secondsBefore}, ${merge.secondsAfter}, ${merge.metresBefore}, ${merge.metresAfter},
      ${merge.netCentsBefore}, ${merge.netCentsAfter}, ${now})`;
}

export async function listMerges(
  tx: Tx,
  centralId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<(MergeSaving & { mergedAt: Temporal.Instant })[]> {
  return tx.rows<MergeSaving & { mergedAt: Temporal.Instant }>`
    select company_id, grouper_id, orders, stops, seconds_before,
      seconds_after, metres_before, metres_after,
      net_cents_before, net_cents_after, merged_at
    from automatic_merges where central_id = ${centralId}
    order by merged_at desc, id desc limit ${limit} offset ${offset}`;
}
