import type { Tx } from '../platform/postgres/database.ts';
import { violatedConstraint } from '../platform/postgres/databaseErrors.ts';
import { type Central, readSettings, type Settings, writeSettings } from './central.ts';

/** The sandbox of a central: a central of its own, which tenancy keeps apart from the real one. */
export interface Sandbox extends Central {
  sandboxOf: number;
  clockAheadSeconds: number;
}

interface SandboxRow {
  id: number;
  name: string;
  timeZone: string;
  active: boolean;
  settings: Record<string, unknown>;
  clockAheadSeconds: number;
}

/** The sandbox in use. */
export async function findSandbox(tx: Tx, centralId: number): Promise<Sandbox | undefined> {
  const row = await tx.row<SandboxRow>`
    select id, name, time_zone, active, settings, clock_ahead_seconds from centrals
    where sandbox_of = ${centralId} and active`;
  return row && { ...row, settings: readSettings(row.settings), sandboxOf: centralId };
}

export async function insertSandbox(
  tx: Tx,
  { id: centralId, timeZone }: Central,
  name: string,
  settings: Settings,
): Promise<number> {
  const row = await tx.row<{ id: number }>`
    insert into centrals (name, time_zone, settings, sandbox_of)
    values (${name}, ${timeZone}, ${writeSettings(settings)}, ${centralId}) returning id`;
  return row!.id;
}

/** From now on no request reaches it, and a job deletes it. */
export async function markWiped(tx: Tx, sandboxId: number): Promise<void> {
  await tx.rows`update centrals set active = false where id = ${sandboxId} and sandbox_of is not null`;
}

/** Undefined: the clock would be farther ahead than `secondsMax`, or the sandbox was wiped. */
export async function addToClock(
  tx: Tx,
  sandboxId: number,
  seconds: number,
  secondsMax: number,
): Promise<number | undefined> {
  const row = await tx.row<{ clockAheadSeconds: number }>`
    update centrals set clock_ahead_seconds = clock_ahead_seconds + ${seconds}
    where id = ${sandboxId} and sandbox_of is not null and active
      and clock_ahead_seconds + ${seconds}::bigint <= ${secondsMax}::bigint
    returning clock_ahead_seconds`;
  return row?.clockAheadSeconds;
}

/** The sandboxes whose clock was put forward. */
export async function listClocksAhead(tx: Tx): Promise<{ centralId: number; seconds: number }[]> {
  return tx.rows<{ centralId: number; seconds: number }>`
    select id as central_id, clock_ahead_seconds as seconds from centrals
    where sandbox_of is not null and active and clock_ahead_seconds > 0`;
}

/** How many sandboxes of a central were wiped and are not deleted yet. */
export async function countWiped(tx: Tx, centralId: number): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from centrals where sandbox_of = ${centralId} and not active`;
  return row!.count;
}

/** Wiped sandboxes, and those of closed centrals, which are to be deleted. */
export async function listWiped(tx: Tx): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from centrals where sandbox_of is not null and not active order by id`;
  return rows.map(({ id }) => id);
}

/** The last step of the deletion. False: rows still refer to it. */
export async function deleteWiped(tx: Tx, sandboxId: number): Promise<boolean> {
  try {
    await tx.rows`delete from centrals where id = ${sandboxId} and sandbox_of is not null and not active`;
    return true;
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
    return false;
  }
}
