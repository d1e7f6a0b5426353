import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sight } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Db, withSettling } from '../postgres/database.ts';
import type { Needs } from '../postgres/needs.ts';
import { findKeyedAnswer, insertKey, saveKeyedAnswer } from './idempotencyStore.ts';

export const KEY_LENGTH_MAX = 255;
const ANSWER_POLLS = 20;
const ANSWER_POLL_MS = 100;

export interface KeyedRequest {
  key: string;
  sight: Sight;
  method: string;
  path: string;
  body: unknown;
}

class KeyTaken extends Error {}

/**
 * Carries a request out at most once per Idempotency-Key and replays its answer afterwards.
 *
 * The key's row is inserted by the same transaction that takes effect, so there is no moment in which the
 * effect is durable and the key is not, whatever dies. Refused requests take no effect and leave no key:
 * they may be sent again. Only the text of the answer is stored after the commit; should the process die
 * in between, a repetition is told that the request was carried out rather than doing it twice.
 */
export async function carryOutOnce(
  { db, clock }: Needs,
  request: KeyedRequest,
  carryOut: (db: Db) => Promise<string>,
): Promise<string> {
  const { key } = request;
  const { centralId } = request.sight;
  const fingerprint = fingerprintOf(request);
  const earlier = await replay(db, centralId, key, fingerprint);
  if (earlier !== undefined) return earlier;

  const settlingDb = withSettling(db, async (tx) => {
    if (!(await insertKey(tx, centralId, key, fingerprint, clock.now()))) throw new KeyTaken();
  });
  try {
    const answer = await carryOut(settlingDb);
    await saveKeyedAnswer(db, centralId, key, fingerprint, answer, clock.now());
    return answer;
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error;
    const answer = await replay(db, centralId, key, fingerprint);
    if (answer === undefined) throw new Refusal('idempotency-answer-lost');
    return answer;
  }
}

async function replay(
  db: Db,
  centralId: number,
  key: string,
  fingerprint: Buffer,
): Promise<string | undefined> {
  for (let poll = 0; poll < ANSWER_POLLS; poll += 1) {
    const earlier = await findKeyedAnswer(db, centralId, key);
    if (!earlier) return undefined;
    if (!earlier.fingerprint.equals(fingerprint)) throw new Refusal('idempotency-key-reused');
    if (earlier.answer !== null) return earlier.answer;
    // Committed a moment ago: its answer is on its way.
    await sleep(ANSWER_POLL_MS);
  }
  throw new Refusal('idempotency-answer-lost');
}

/** A company's manager never meets an answer that was given to somebody who sees more. */
const fingerprintOf = ({ sight, method, path, body }: KeyedRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([sight.companyId, method, path, body]))
    .digest();
