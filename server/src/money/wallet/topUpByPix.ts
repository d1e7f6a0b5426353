import { randomBytes } from 'node:crypto';
import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { enterMove } from './moveCredit.ts';
import {
  countAwaitedPix,
  deleteUnpaidPix,
  insertPixTopUp,
  lockAwaitedPix,
  markPixCredited,
  type PixTopUp,
} from './pixTopUpStore.ts';
import { lockBalance } from './walletStore.ts';

const UNPAID_KEPT_DAYS = 30;
/** The maximum of unpaid codes of a company. All are listed, because any of them may be paid. */
export const AWAITED_PIX_MAX = 200;
/** Characters that are not confused when read from a bank statement. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const RANDOM_LETTERS = 8;

/** CR, the company, and random characters: at most 25 characters, the limit of Pix. */
function newIdentifier(companyId: number): string {
  const letters = [...randomBytes(RANDOM_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `CR${companyId}X${letters.join('')}`.slice(0, 25);
}

/** Records a request for credit by Pix, which the central credits when the money has arrived. */
export async function requestPixTopUp(
  { db, clock }: Deps,
  { centralId, userId }: Caller,
  { companyId, cents }: { companyId: number; cents: number },
): Promise<PixTopUp> {
  const now = clock.now();
  const wanted = {
    identifier: newIdentifier(companyId),
    companyId,
    amountCents: cents,
    requestedAt: now,
  };
  await db.begin(async (tx) => {
    // One request of a company at a time, so that the count holds. The wallet is locked before its codes.
    await lockBalance(tx, centralId, companyId);
    await deleteUnpaidPix(tx, centralId, companyId, now.subtract({ hours: 24 * UNPAID_KEPT_DAYS }));
    // No old code is replaced by a new one, because it may be in payment.
    if ((await countAwaitedPix(tx, centralId, companyId, AWAITED_PIX_MAX)) >= AWAITED_PIX_MAX)
      throw new Refusal('too-many-pix', { max: AWAITED_PIX_MAX });
    await insertPixTopUp(tx, centralId, wanted, userId);
  });
  return wanted;
}

/**
 * Credits the money of a code that has arrived, with the identifier in the note. The lock of the code's row admits one
 * of several simultaneous credits, and the code's row refers to the entry.
 */
export async function creditPixTopUp(
  deps: Deps,
  caller: Caller,
  { companyId, identifier, cents, note }: PixCredit,
): Promise<number> {
  const { centralId } = caller;
  return deps.db.begin(async (tx) => {
    const { amountCents } = await lockAwaitedPix(tx, centralId, companyId, identifier);
    const move = { companyId, cents: cents ?? amountCents, note: note ?? `Pix ${identifier}` };
    const entryId = await enterMove(tx, caller, move, 'top_up', deps.clock.now());
    await markPixCredited(tx, centralId, identifier, entryId);
    return entryId;
  });
}

export interface PixCredit {
  companyId: number;
  identifier: string;
  /** Null: the amount of the code. */
  cents: number | null;
  note: string | null;
}
