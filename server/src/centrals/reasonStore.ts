import type { Page } from '../platform/kernel/page.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { refuseIfUsed } from '../platform/postgres/databaseErrors.ts';
import { lockCentral } from './centralStore.ts';

/** A cancellation reason. */
export interface Reason {
  id: number;
  name: string;
  nameEn: string;
  active: boolean;
}

export interface ReasonValues extends Omit<Reason, 'id' | 'active'> {
  /** Null keeps the current value; a new reason is active. */
  active: boolean | null;
}

/** Whether a cancellation may name this reason. */
export async function isReasonActive(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from cancellation_reasons where central_id = ${centralId} and id = ${id} and active`;
  return rows.length > 0;
}

export async function listActiveReasons(tx: Tx, centralId: number): Promise<Reason[]> {
  return tx.rows<Reason>`
    select id, name, name_en, active from cancellation_reasons
    where central_id = ${centralId} and active order by id`;
}

export async function listReasons(tx: Tx, centralId: number, page: Page): Promise<Reason[]> {
  return tx.rows<Reason>`
    select id, name, name_en, active from cancellation_reasons
    where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findReason(tx: Tx, centralId: number, id: number): Promise<Reason | undefined> {
  const row = await tx.row<Reason>`
    select id, name, name_en, active from cancellation_reasons
    where central_id = ${centralId} and id = ${id}`;
  return row;
}

/** New reasons continue the numbers of the initial ones, so they need no sequence. */
export async function insertReason(tx: Tx, centralId: number, reason: ReasonValues): Promise<number> {
  await lockCentral(tx, centralId);
  const row = await tx.row<{ id: number }>`
    insert into cancellation_reasons (central_id, id, name, name_en, active)
    select ${centralId}, coalesce(max(id), 0) + 1, ${reason.name}, ${reason.nameEn},
      coalesce(${reason.active}, true)
    from cancellation_reasons where central_id = ${centralId}
    returning id`;
  return row!.id;
}

export async function updateReason(
  tx: Tx,
  centralId: number,
  id: number,
  reason: ReasonValues,
): Promise<boolean> {
  const rows = await tx.rows`
    update cancellation_reasons set name = ${reason.name}, name_en = ${reason.nameEn},
      active = coalesce(${reason.active}, active)
    where central_id = ${centralId} and id = ${id} returning id`;
  return rows.length > 0;
}

export async function deleteReason(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`
    delete from cancellation_reasons where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
