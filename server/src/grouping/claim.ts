import { randomUUID } from 'node:crypto';

/** Automatic merge and grouping by hand exclude each other, and are told apart to whoever must wait. */
export type ClaimPurpose = 'grouping' | 'automatic_merge';

export interface ClaimTarget {
  noun: 'scheduled' | 'delivery';
  id: number;
}

/**
 * A lease on requests that are being grouped.
 *
 * It is taken before the router is asked, so that a second grouping of any of them is refused at once
 * instead of planned in vain, and given back by the transaction that saves the plan. It stops nobody else:
 * an edit or a cancellation goes on as ever, and the save finds out by the version. Whoever dies while
 * holding it leaves it to be taken over by the next who wants it; where that cannot be seen, it expires.
 */
export interface Claim {
  centralId: number;
  token: string;
  purpose: ClaimPurpose;
  targets: readonly ClaimTarget[];
  /** The repeatable request that it was taken for: another attempt at it waits instead of being refused. */
  request: Buffer | null;
}

/** Longer than any router is waited for; a claim that outlives it may be taken over, and then nothing is saved. */
export const CLAIM_SECONDS = 30;

export const newClaim = (
  centralId: number,
  purpose: ClaimPurpose,
  targets: readonly ClaimTarget[],
  request: Buffer | null = null,
): Claim => ({ centralId, token: randomUUID(), purpose, targets, request });
