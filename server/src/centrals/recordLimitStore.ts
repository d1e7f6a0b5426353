import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { lockCentral } from './centralStore.ts';
import { type RecordKind, recordLimits } from './recordLimits.ts';

const counted: Record<RecordKind, string> = {
  areas: 'operating_areas where central_id = $1',
  categories: 'categories where central_id = $1',
  tariffs: 'tariffs where central_id = $1',
  companies: 'companies where central_id = $1',
  drivers: 'drivers where central_id = $1',
  users: 'users where central_id = $1',
  keys: 'api_keys where central_id = $1 and revoked_at is null',
  coupons: 'coupons where central_id = $1',
  reasons: 'cancellation_reasons where central_id = $1',
  webhooks: 'webhooks where central_id = $1 and deleted_at is null',
};

/**
 * Refuses with too-many-records when the central has no room for one more. The lock of the central is held until the
 * end of the transaction, so that of several who create at once each counts those before it.
 */
export async function assertRoom(tx: Tx, centralId: number, kind: RecordKind): Promise<void> {
  await lockCentral(tx, centralId);
  const [row] = await tx.run<{ count: number }>(`select count(*) from ${counted[kind]}`, [centralId]);
  const max = recordLimits[kind];
  if (row!.count >= max) throw new Refusal('too-many-records', { max });
}
