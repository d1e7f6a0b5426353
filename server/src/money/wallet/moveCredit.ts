import type { Caller } from '../../centrals/caller.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { insertEntries } from './walletStore.ts';

/** A manual top-up or withdrawal. */
export interface CreditMove {
  companyId: number;
  /** Above 0, for top-ups and withdrawals. */
  cents: number;
  note: string | null;
}

/** Adds credit to a company's wallet; returns the id of the ledger entry. */
export const topUpWallet = (deps: Deps, caller: Caller, move: CreditMove): Promise<number> =>
  deps.db.begin((tx) => enterMove(tx, caller, move, 'top_up', deps.clock.now()));

/**
 * Withdraws credit, at most the balance (insufficient-balance). Reserved credit is not part of the balance and stays.
 * Credit that scheduled deliveries will need at their dispatch is part of it, and may be withdrawn.
 */
export const withdrawFromWallet = (deps: Deps, caller: Caller, move: CreditMove): Promise<number> =>
  deps.db.begin((tx) => enterMove(tx, caller, move, 'withdrawal', deps.clock.now()));

/** Within the caller's transaction. */
export async function enterMove(
  tx: Tx,
  { centralId, userId }: Caller,
  { companyId, cents, note }: CreditMove,
  kind: 'top_up' | 'withdrawal',
  now: Temporal.Instant,
): Promise<number> {
  const amountCents = kind === 'top_up' ? cents : -cents;
  const entry = { companyId, kind, amountCents, note, userId };
  const [entryId] = await insertEntries(tx, centralId, [entry], { at: now, by: userId });
  return entryId!;
}
