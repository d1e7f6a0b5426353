import type { Tx } from '../postgres/database.ts';

/** The turn of a central to order, which only this process has. */
export interface Turn {
  centralId: number;
  /** Grows with every turn; the seed of all random decisions. */
  seed: number;
}

/** Starts the automatic orders of a central. */
export async function insertRhythm(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  await tx`
    insert into demo_rhythms (central_id, next_at, turns) values (${centralId}, ${now}, 0)
    on conflict (central_id) do nothing`;
}

export async function deleteRhythm(tx: Tx, centralId: number): Promise<void> {
  await tx`delete from demo_rhythms where central_id = ${centralId}`;
}

/**
 * When an order is due. The longest pause between two is a few minutes, so a later time was stored before the clock was
 * set back. The same holds for a lease that is longer than usual.
 */
const isDueAt = (now: string): string =>
  `(next_at <= ${now} or next_at > ${now}::timestamptz + interval '5 minutes')`;
const isUnheldAt = (now: string): string =>
  `(held_until is null or held_until <= ${now} or held_until > ${now}::timestamptz + interval '2 minutes')`;

export async function findDueRhythms(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct central_id from demo_rhythms where ${isDueAt('$1')} order by central_id`,
    [now],
  );
  return rows.map((row) => row.central_id);
}

/** Takes the turn, unless another process has it. The lease expires if the process ends. */
export async function holdTurn(
  tx: Tx,
  centralId: number,
  holder: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<Turn | undefined> {
  const [row] = await tx.run<{ turns: number }>(
    `update demo_rhythms set holder = $2::uuid, held_until = $3
     where central_id = $1 and ${isDueAt('$4')} and ${isUnheldAt('$4')}
     returning turns`,
    [centralId, holder, until, now],
  );
  return row && { centralId, seed: row.turns };
}

/** Ends the turn. The lease's holder is compared, so a process that was too slow changes nothing. */
export async function endTurn(
  tx: Tx,
  centralId: number,
  holder: string,
  nextAt: Temporal.Instant,
): Promise<void> {
  await tx`
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
  const [row] = await tx<Fleet>`
    select (select count(*) from drivers
        where central_id = ${centralId} and simulated and active and available) as couriers,
      count(*) as scheduled, count(*) filter (where dispatch_at <= ${soon}) as "leavingSoon"
    from scheduled where central_id = ${centralId} and situation = 'awaiting'`;
  return row!;
}

/** Deliveries that the rhythm held back, recognised by its reason. Oldest first. */
export async function findHeld(
  tx: Tx,
  centralId: number,
  reason: string,
): Promise<{ id: number; since: Temporal.Instant }[]> {
  return tx`
    select id, held_at as since from deliveries
    where central_id = ${centralId} and status = 'awaiting_release' and held_reason = ${reason}
    order by held_at, id`;
}
