import type { Tx } from '../postgres/database.ts';
import { insertReserves, lockBalances, type Reservation } from '../wallet/reserveManyStore.ts';
import {
  claimDue,
  claimOne,
  type Dispatched,
  type Due,
  insertDispatched,
  waitBriefly,
} from './dispatchStore.ts';
import { failDispatch } from './failDispatch.ts';
import { type DispatchNeeds, isDatabaseGone, putOff } from './putOff.ts';

/** Enough to make a round trip serve many, few enough that several dispatchers share a rush. */
const DISPATCH_BATCH = 50;

/**
 * Makes a delivery of everything that is due, oldest first, and answers with how many were made. Any number of
 * processes may do this at once: each takes what no other holds, and what is taken is marked by the same
 * transaction that makes the delivery, so each is dispatched once, whatever dies in between.
 */
export async function dispatchReady(needs: DispatchNeeds, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const { claimed, made } = await dispatchBatch(needs);
    total += made;
    if (claimed < DISPATCH_BATCH || stopping?.aborted) return total;
  }
}

async function dispatchBatch(needs: DispatchNeeds): Promise<{ claimed: number; made: number }> {
  const { db, clock } = needs;
  const now = clock.now();
  let due: Due[] = [];
  try {
    const made = await db.begin(async (tx) => {
      due = await claimDue(tx, now, DISPATCH_BATCH);
      return dispatchClaimed(tx, due, now);
    });
    return { claimed: due.length, made };
  } catch (error) {
    if (due.length === 0 || isDatabaseGone(error)) throw error;
    // Something is wrong with one of them, and the others must not suffer for it.
    let made = 0;
    for (const one of due) made += await dispatchAlone(needs, one);
    return { claimed: due.length, made };
  }
}

async function dispatchAlone(needs: DispatchNeeds, one: Due): Promise<number> {
  const { db, clock } = needs;
  try {
    const now = clock.now();
    return await db.begin(async (tx) => dispatchClaimed(tx, await claimOne(tx, now, one), now));
  } catch (error) {
    await putOff(needs, one, error);
    return 0;
  }
}

/** The caller's transaction has claimed them. */
async function dispatchClaimed(tx: Tx, due: readonly Due[], now: Temporal.Instant): Promise<number> {
  if (due.length === 0) return 0;
  const { covered, uncovered } = await splitByCredit(tx, due);
  for (const one of uncovered) await failDispatch(tx, one, 'insufficient-balance', now);
  if (covered.length === 0) return 0;
  const made = await insertDispatched(tx, covered, now);
  await insertReserves(tx, made.flatMap(reservationOf), now);
  return made.length;
}

const reservationOf = ({ payment, centralId, companyId, deliveryId, netCents }: Dispatched): Reservation[] =>
  payment === 'credit_wallet' && companyId !== null && netCents > 0
    ? [{ centralId, companyId, deliveryId, cents: netCents }]
    : [];

/** Whose company can pay it, the older one first where the credit does not cover both. */
async function splitByCredit(
  tx: Tx,
  due: readonly Due[],
): Promise<{ covered: readonly Due[]; uncovered: readonly Due[] }> {
  const payers = due.flatMap(({ payment, centralId, companyId }) =>
    payment === 'credit_wallet' && companyId !== null ? [{ centralId, companyId }] : [],
  );
  if (payers.length === 0) return { covered: due, uncovered: [] };
  await waitBriefly(tx);
  const balances = await lockBalances(tx, payers);
  const left = new Map(
    balances.map(({ centralId, companyId, balanceCents }) => [`${centralId} ${companyId}`, balanceCents]),
  );
  const isCovered = ({ payment, centralId, companyId, netCents }: Due): boolean => {
    if (payment !== 'credit_wallet') return true;
    const wallet = `${centralId} ${companyId}`;
    const balance = left.get(wallet) ?? 0;
    if (balance < netCents) return false;
    left.set(wallet, balance - netCents);
    return true;
  };
  const { covered = [], uncovered = [] } = Object.groupBy(due, (one) =>
    isCovered(one) ? 'covered' : 'uncovered',
  );
  return { covered, uncovered };
}
