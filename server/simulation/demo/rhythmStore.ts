import type { Tx } from '../../src/platform/postgres/database.ts';
import { type Sql, sql } from '../../src/platform/postgres/sql.ts';
import { HISTORY_DAYS } from './history.ts';

/** The turn of a central to order, which only this process has. */
export interface Turn {
  centralId: number;
  /** Grows with every turn; the seed of all random decisions. */
  seed: number;
}

/** Starts the automatic orders of a central. Its first turns write its history, unless these are left out. */
export async function insertRhythm(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  firstTurn = HISTORY_DAYS,
): Promise<void> {
  await tx.rows`
    insert into demo_rhythms (central_id, next_at, turns) values (${centralId}, ${now}, ${firstTurn})
    on conflict (central_id) do nothing`;
}

export async function deleteRhythm(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`delete from demo_rhythms where central_id = ${centralId}`;
}

/**
 * When an order is due. The longest pause between two is a few minutes, so a later time was stored before the clock was
 * set back. The same holds for a lease that is longer than usual. A Friday evening begins at once.
 */
const isDueAt = (now: Temporal.Instant): Sql =>
  sql`(next_at <= ${now} or next_at > ${now}::timestamptz + interval '5 minutes'
    or next_at > ${now}::timestamptz + interval '5 seconds' and exists (
      select from centrals where id = central_id and settings @> '{"simulatedFriday": true}'))`;
const isUnheldAt = (now: Temporal.Instant): Sql =>
  sql`(held_until is null or held_until <= ${now} or held_until > ${now}::timestamptz + interval '2 minutes')`;

export async function findDueRhythms(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct central_id from demo_rhythms where ${isDueAt(now)} order by central_id`;
  return rows.map((row) => row.centralId);
}

/** Takes the turn, unless another process has it. The lease expires if the process ends. */
export async function holdTurn(
  tx: Tx,
  centralId: number,
  holder: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<Turn | undefined> {
  const row = await tx.row<{ turns: number }>`
    update demo_rhythms set holder = ${holder}::uuid, held_until = ${until}
    where central_id = ${centralId} and ${isDueAt(now)} and ${isUnheldAt(now)}
    returning turns`;
  return row && { centralId, seed: row.turns };
}

/** Ends the turn. The lease's holder is compared, so a process that was too slow changes nothing. */
export async function endTurn(
  tx: Tx,
  centralId: number,
  holder: string,
  nextAt: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update demo_rhythms set next_at = ${nextAt}, turns = turns + 1, holder = null, held_until = null
    where central_id = ${centralId} and holder = ${holder}::uuid`;
}

export interface Fleet {
  couriers: number;
  leavingSoon: number;
  scheduled: number;
}

/** Uses the partial indexes of simulated drivers and of awaiting scheduled deliveries. */
export async function findFleet(tx: Tx, centralId: number, soon: Temporal.Instant): Promise<Fleet> {
  const row = await tx.row<Fleet>`
    select (select count(*) from drivers
        where central_id = ${centralId} and simulated and active and available) as couriers,
      count(*) as scheduled, count(*) filter (where dispatch_at <= ${soon}) as leaving_soon
    from scheduled where central_id = ${centralId} and situation = 'awaiting'`;
  return row!;
}

/** Deliveries that the rhythm held back, recognised by its reason. Oldest first. */
export async function findHeld(
  tx: Tx,
  centralId: number,
  reason: string,
): Promise<{ id: number; since: Temporal.Instant }[]> {
  return tx.rows`
    select id, held_at as since from deliveries
    where central_id = ${centralId} and status = 'awaiting_release' and held_reason = ${reason}
    order by held_at, id`;
}
