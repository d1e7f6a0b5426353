import type { Actor } from '../events/actor.ts';
import type { WalletEvent } from '../events/event.ts';
import { insertEventsSql } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';

const RECORD_WALLET_EVENT = insertEventsSql(
  ['central_id', 'type', 'company_id', 'payload', 'occurred_at', 'user_id'],
  `select $1::bigint, $3::text, $2::bigint,
    jsonb_build_object('balanceCents', (
      select balance_cents from wallets where central_id = $1 and company_id = $2)) || $4::jsonb,
    $5::timestamptz, $6::bigint`,
);

/** Called after the entry, whose transaction holds the wallet's lock: the balance is the one after that entry. */
export async function recordWalletEvent(
  tx: Tx,
  centralId: number,
  { companyId, type, payload }: WalletEvent,
  { at, by }: Actor,
): Promise<void> {
  await tx.run(RECORD_WALLET_EVENT, [centralId, companyId, type, payload, at, by]);
}
