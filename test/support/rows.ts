import type { ClaimTarget } from '../../server/src/grouping/claimStore.ts';
import type { Json } from './client.ts';
import type { TestMalote } from './malote.ts';

// What is stored but shown by no interface, or shown only rounded. Contract tests read it here, never by SQL of their own.

/** A delivery of central 1, with all its columns. */
export async function deliveryRow({ db }: TestMalote, id: number): Promise<Json> {
  const [row] = await db<Json>`select * from deliveries where central_id = 1 and id = ${id}`;
  return row;
}

/** A scheduled delivery, with all its columns. */
export async function scheduledRow({ db }: TestMalote, id: number, centralId = 1): Promise<Json> {
  const [row] = await db<Json>`select * from scheduled where central_id = ${centralId} and id = ${id}`;
  return row;
}

/** The stops that a request of central 1 carries, in their order, with the columns that a person reads or counts. */
export const stopRows = ({ db }: TestMalote, { noun, id }: ClaimTarget): Promise<Json[]> =>
  db.run<Json>(
    `select id, address, complement, reference, district, city, state, lat, lng, order_number, external_id,
       recipient_name, recipient_phone, note, collect_cents
     from ${noun === 'delivery' ? 'stops' : 'scheduled_stops'}
     where central_id = 1 and ${noun === 'delivery' ? 'delivery_id' : 'scheduled_id'} = $1 order by position`,
    [id],
  );

/** The states of all offers of a delivery; those of one driver alone where it is named. */
export async function offerStates(
  { db }: TestMalote,
  deliveryId: number,
  driverId: number | null = null,
): Promise<string[]> {
  const rows = await db<{ state: string }>`
    select state from offers where central_id = 1 and delivery_id = ${deliveryId}
      and (${driverId}::bigint is null or driver_id = ${driverId})`;
  return rows.map(({ state }) => state);
}

/** The deliveries that the dispatch of a scheduled delivery made. */
export async function madeBy({ db }: TestMalote, scheduledId: number): Promise<number[]> {
  const rows = await db<{ id: number }>`
    select id from deliveries where central_id = 1 and scheduled_id = ${scheduledId} order by id`;
  return rows.map(({ id }) => id);
}

/** The newest event of central 1. */
export async function newestEvent({ db }: TestMalote): Promise<Json> {
  const [row] = await db<Json>`
    select type, company_id, sequence, payload from events where central_id = 1 order by id desc limit 1`;
  return row;
}

/** How many answers are kept under an Idempotency-Key. */
export async function countKeys({ db }: TestMalote, key: string): Promise<number> {
  const rows = await db`select key from idempotency_keys where key = ${key}`;
  return rows.length;
}
