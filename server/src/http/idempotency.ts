import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../centrals/caller.ts';
import { passwordDigest } from '../centrals/passwords.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Db, withSettling } from '../postgres/database.ts';
import type { Needs } from '../postgres/needs.ts';
import { isStorable } from './body.ts';
import { deleteOldKeys, findKeyedAnswer, insertKey, saveKeyedAnswer } from './idempotencyStore.ts';
import { invalid } from './invalidInput.ts';

const KEY_LENGTH_MAX = 255;
const KEPT_HOURS = 48;
const DELETED_AT_ONCE = 1_000;
const ANSWER_POLLS = 20;
const ANSWER_POLL_MS = 100;

export interface KeyedRequest {
  key: string;
  caller: Caller;
  method: string;
  path: string;
  body: unknown;
}

export interface CarriedOut {
  answer: string;
  /** What is stored and replayed: the answer, unless that holds a secret. */
  kept: string;
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
  carryOut: (db: Db) => Promise<CarriedOut>,
  onAnswerLost: (error: unknown) => void,
): Promise<string> {
  const { key } = request;
  const { centralId } = request.caller;
  const fingerprint = await fingerprintOf(request);
  const earlier = await replay(db, centralId, key, fingerprint);
  if (earlier !== undefined) return earlier;

  const settlingDb = withSettling(db, async (tx) => {
    if (!(await insertKey(tx, centralId, key, fingerprint, clock.now()))) throw new KeyTaken();
  });
  let carriedOut: CarriedOut;
  try {
    carriedOut = await carryOut(settlingDb);
  } catch (error) {
    // What refuses a request may be its own effect, carried out while this repetition was on its way.
    if (!(error instanceof KeyTaken || error instanceof Refusal)) throw error;
    const done = await replay(db, centralId, key, fingerprint);
    if (done !== undefined) return done;
    if (error instanceof Refusal) throw error;
    return lost();
  }
  // The request has been carried out: whatever becomes of its copy, its sender gets the answer.
  const { answer, kept } = carriedOut;
  await saveKeyedAnswer(db, centralId, key, fingerprint, kept, clock.now()).catch(onAnswerLost);
  return answer;
}

function lost(): never {
  throw new Refusal('idempotency-answer-lost');
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
  return lost();
}

/** Nobody meets an answer that was given to somebody who sees more. */
async function fingerprintOf({ key, caller, method, path, body }: KeyedRequest): Promise<Buffer> {
  const said = await withoutPassword(key, body);
  return sha256(JSON.stringify([caller.companyId, caller.driverId, method, path, said]));
}

/** A plain digest of a password could be guessed from; its key's row is no place for one. */
async function withoutPassword(key: string, body: unknown): Promise<unknown> {
  const { senha: password } = (body ?? {}) as { senha?: unknown };
  if (typeof password !== 'string') return body;
  return { ...(body as object), senha: await passwordDigest(password, sha256(key)) };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= KEY_LENGTH_MAX && isStorable(key))
    return key;
  throw invalid(
    'Idempotency-Key',
    `deve ter de 1 a ${KEY_LENGTH_MAX} caracteres`,
    `must have 1 to ${KEY_LENGTH_MAX} characters`,
  );
}

/** Retries come within minutes; after two days a key is free again. To be called now and then. */
export async function forgetOldKeys({ db, clock }: Needs): Promise<number> {
  const before = clock.now().subtract({ hours: KEPT_HOURS });
  let forgotten = 0;
  for (;;) {
    const deleted = await deleteOldKeys(db, before, DELETED_AT_ONCE);
    forgotten += deleted;
    if (deleted < DELETED_AT_ONCE) return forgotten;
  }
}
