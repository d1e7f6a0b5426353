import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import type { Actor, RecordedEvent } from './event.ts';
import { insertEvent } from './eventStore.ts';

/** Records a test event. Only a trigger of the table sends it, to the webhook that it names, if any. */
export async function insertTestEvent(
  tx: Tx,
  centralId: number,
  { companyId, payload }: { companyId: number | null; payload: RecordedEvent<'webhook.test'>['payload'] },
  { at, by }: Actor,
): Promise<{ id: number; uid: string }> {
  const id = await newId(tx, centralId, 'event');
  await tx.rows`${insertEvent({
    id,
    central_id: centralId,
    type: 'webhook.test',
    company_id: companyId,
    payload,
    occurred_at: at,
    user_id: by,
  })}`;
  const row = await tx.row<{ uid: string }>`
    select uid from events where central_id = ${centralId} and id = ${id}`;
  return { id, uid: row!.uid };
}
