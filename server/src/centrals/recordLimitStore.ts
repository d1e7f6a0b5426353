import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { lockCentral } from './centralStore.ts';

/**
 * How many records of each kind a central may have. Areas, categories and tariffs are kept in memory by every process;
 * the others are bounded so that one central cannot fill the database for all.
 */
export const recordLimits = {
  areas: 500,
  categories: 100,
  tariffs: 5_000,
  companies: 10_000,
  drivers: 10_000,
  users: 20_000,
  /** In force. */
  keys: 100,
  coupons: 10_000,
  reasons: 200,
  /** Of the central and all its companies; each of these has a limit of its own beside it. */
  webhooks: 500,
} as const;

export type RecordKind = keyof typeof recordLimits;

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
