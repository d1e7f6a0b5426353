import { readSettings } from '../centrals/settings.ts';
import type { Tx } from '../postgres/database.ts';

export async function findKeepingTimes(tx: Tx): Promise<{ centralId: number; days: number }[]> {
  const rows = await tx<{ id: number; settings: Record<string, unknown> }>`
    select id, settings from centrals order by id`;
  return rows.map(({ id, settings }) => ({ centralId: id, days: readSettings(settings).eventsKeptDays }));
}

/** Ids grow with time, so the oldest are the first; a step never looks at more rows than it may delete. */
export async function deleteOldEvents(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx`
    delete from events where central_id = ${centralId} and id in (
      select id from (
        select id, occurred_at from events where central_id = ${centralId} order by id limit ${limit}) oldest
      where occurred_at < ${before})
    returning id`;
  return rows.length;
}

export async function deleteOldPositions(tx: Tx, before: Temporal.Instant, limit: number): Promise<number> {
  const rows = await tx`
    delete from events where (central_id, id) in (
      select central_id, id from events
      where type = 'delivery.position' and occurred_at < ${before} limit ${limit})
    returning id`;
  return rows.length;
}
