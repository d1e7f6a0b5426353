import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';

/** The position of an address that a driver proposes to the central. */
export interface AddressProposal {
  id: number;
  deliveryId: number;
  stopId: number;
  driverId: number;
  userId: number | null;
  line: string;
  district: string | null;
  city: string | null;
  state: string | null;
  position: Position;
  /** From the position of the stop to the proposed one. */
  metres: number;
  at: Temporal.Instant;
}

/** A proposal as the desk sees it. */
export interface ListedProposal extends AddressProposal {
  driverName: string;
}

type Row<Proposal extends AddressProposal> = Omit<Proposal, 'position'> & Position;

const toProposal = <Columns extends Position>({ lat, lng, ...rest }: Columns) => ({
  ...rest,
  position: { lat, lng },
});

/** The latest proposal for a stop replaces the one before. Returns the id of the proposal. */
export async function upsertProposal(tx: Tx, centralId: number, proposal: AddressProposal): Promise<number> {
  const { lat, lng } = proposal.position;
  const row = await tx.row<{ id: number }>`
    insert into address_proposals (central_id, id, delivery_id, stop_id, driver_id, user_id, line, district, city, state,
      lat, lng, metres, proposed_at)
    values (${centralId}, ${proposal.id}, ${proposal.deliveryId}, ${proposal.stopId}, ${proposal.driverId},
      ${proposal.userId}, ${proposal.line}, ${proposal.district}, ${proposal.city}, ${proposal.state}, ${lat}, ${lng},
      ${proposal.metres}, ${proposal.at})
    on conflict (central_id, stop_id) do update set
      delivery_id = excluded.delivery_id, driver_id = excluded.driver_id, user_id = excluded.user_id,
      line = excluded.line, district = excluded.district, city = excluded.city, state = excluded.state, lat = excluded.lat,
      lng = excluded.lng, metres = excluded.metres, proposed_at = excluded.proposed_at
    returning id`;
  return row!.id;
}

/** Keeps the newest `kept` proposals of a driver. */
export async function deleteOldestProposals(
  tx: Tx,
  centralId: number,
  driverId: number,
  kept: number,
): Promise<void> {
  await tx.rows`
    delete from address_proposals
    where central_id = ${centralId} and id = any(array(
      select id from address_proposals where central_id = ${centralId} and driver_id = ${driverId}
      order by proposed_at desc, id offset ${kept}))`;
}

/** The oldest first. */
export async function listProposals(tx: Tx, centralId: number, limit: number): Promise<ListedProposal[]> {
  const rows = await tx.rows<Row<ListedProposal>>`
    select p.id, p.delivery_id, p.stop_id, p.driver_id, p.user_id,
      p.line, p.district, p.city, p.state, p.lat, p.lng, p.metres, p.proposed_at as at, d.name as driver_name
    from address_proposals p
    join drivers d on d.central_id = ${centralId} and d.id = p.driver_id
    where p.central_id = ${centralId} order by p.proposed_at, p.id limit ${limit}`;
  return rows.map(toProposal);
}

/** Removes a proposal that is decided; of two who decide, the later finds nothing. */
export async function takeProposal(
  tx: Tx,
  centralId: number,
  id: number,
): Promise<AddressProposal | undefined> {
  const row = await tx.row<Row<AddressProposal>>`
    delete from address_proposals where central_id = ${centralId} and id = ${id}
    returning id, delivery_id, stop_id, driver_id,
      user_id, line, district, city, state, lat, lng, metres, proposed_at as at`;
  return row && toProposal(row);
}

/** Deletes proposals about these deliveries. */
export async function deleteProposalsAbout(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx.rows`
    delete from address_proposals
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[])`;
}

export const findCentralsWithOldProposals = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`address_proposals where proposed_at < ${before}`);

export async function deleteOldProposals(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
): Promise<number> {
  const rows = await tx.rows`
    delete from address_proposals where central_id = ${centralId} and proposed_at < ${before} returning id`;
  return rows.length;
}
