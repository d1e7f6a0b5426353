import { randomBytes } from 'node:crypto';
import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { enterMove } from './moveCredit.ts';
import {
  countAwaitedPix,
  deleteUnpaidPix,
  insertPixTopUp,
  lockAwaitedPix,
  markPixCredited,
  type PixTopUp,
} from './pixTopUpStore.ts';

const UNPAID_KEPT_DAYS = 30;
/** Of one company; all of them are listed, since any of them may be paid. */
export const AWAITED_PIX_MAX = 200;
/** Easily told apart when somebody reads it from a bank statement. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const RANDOM_LETTERS = 8;

/** CR, the company, and letters that nobody can guess: at most 25 characters, as Pix allows. */
function newIdentifier(companyId: number): string {
  const letters = [...randomBytes(RANDOM_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `CR${companyId}X${letters.join('')}`.slice(0, 25);
}

/** Asks for credit by Pix: the central knows it from then on, and credits it when the money has arrived. */
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
    await deleteUnpaidPix(tx, centralId, companyId, now.subtract({ hours: 24 * UNPAID_KEPT_DAYS }));
    // None is forgotten for a newer one: somebody may be paying it.
    if ((await countAwaitedPix(tx, centralId, companyId, AWAITED_PIX_MAX)) >= AWAITED_PIX_MAX)
      throw new Refusal('too-many-pix', { max: AWAITED_PIX_MAX });
    await insertPixTopUp(tx, centralId, wanted, userId);
  });
  return wanted;
}

/**
 * The money of a code has arrived: adds the credit, with the identifier in the note. The lock of the code's row lets one
 * of those who do it at once, and the database keeps the entry with the code.
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
  /** Null: as much as the code says. */
  cents: number | null;
  note: string | null;
}
