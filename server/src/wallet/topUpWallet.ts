import type { Caller } from '../centrals/caller.ts';
import { recordCompanyEvent } from '../events/recordEvent.ts';
import type { Needs } from '../postgres/needs.ts';
import { insertEntry } from './walletStore.ts';

export interface TopUp {
  companyId: number;
  cents: number;
  note: string | null;
}

/** Adds credit to a company's wallet; answers with the id of the entry in its ledger. */
export async function topUpWallet(
  { db, clock }: Needs,
  { centralId, userId }: Caller,
  { companyId, cents, note }: TopUp,
): Promise<number> {
  const now = clock.now();
  return db.begin(async (tx) => {
    const entry = { companyId, kind: 'top_up', amountCents: cents, note, userId } as const;
    const entryId = await insertEntry(tx, centralId, entry, now);
    const payload = { entryId, kind: 'top_up', amountCents: cents, deliveryId: null };
    await recordCompanyEvent(tx, centralId, companyId, 'wallet.entry', payload, { at: now, by: userId });
    return entryId;
  });
}
