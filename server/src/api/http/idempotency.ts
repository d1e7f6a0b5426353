import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../centrals/caller.ts';
import {
  claimKey,
  findKeyedAnswer,
  insertAnswer,
  isKeyTaken,
  markAnswered,
  type OwnedKey,
} from '../../centrals/idempotencyStore.ts';
import { passwordDigest } from '../../centrals/passwords.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { type AnswerStorage, commitWithAnswer } from '../../platform/postgres/commitWithAnswer.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { canonicalJson, isStorable } from './body.ts';
import { invalid } from './invalidInput.ts';
import { assertRoomForKey, countKey } from './keptKeys.ts';

const KEY_LENGTH_MAX = 255;

export interface KeyedRequest {
  key: string;
  caller: Caller;
  method: string;
  /** The endpoint's path with the names of its parameters; their values are in `params`. */
  path: string;
  params: Readonly<Record<string, number>>;
  query: unknown;
  body: unknown;
  /** The endpoint takes a password in `senha`. */
  takesPassword: boolean;
}

export interface CarriedOut {
  answer: string;
  /** What is stored and replayed: the answer, unless it contains a secret. */
  kept: string;
}

export interface KeyedResult {
  answer: string;
  /** The stored answer of an earlier attempt. */
  isReplayed: boolean;
}

/**
 * Executes a request at most once per login and Idempotency-Key, and replays its answer afterwards.
 *
 * The key and the answer are written by the transaction that takes effect, so either all three exist or none.
 * Refused requests take no effect and leave no key: they may be sent again. Only a request that needs no
 * transaction, such as one that changes nothing any more, stores its answer afterwards.
 */
export async function runIdempotent(
  { db, clock }: Deps,
  request: KeyedRequest,
  carryOut: (db: Db) => Promise<CarriedOut>,
): Promise<KeyedResult> {
  const { key, caller } = request;
  // Only the service itself acts without a login, and it sends no requests.
  const owned = { centralId: caller.centralId, userId: caller.userId ?? 0, key };
  const fingerprint = await fingerprintOf(request);
  const earlier = await replay(db, owned, fingerprint);
  if (earlier !== undefined) return { answer: earlier, isReplayed: true };
  await assertRoomForKey(db, owned, caller, clock.now().epochMilliseconds);

  const storage: AnswerStorage<CarriedOut> = {
    request: sha256(canonicalJson([owned.userId, key, fingerprint.toString('hex')])),
    open: (tx) => claimKey(tx, owned, fingerprint, clock.now()),
    keep: (tx, { kept }) => markAnswered(tx, owned, kept),
  };
  const attempt = beginAttempt(db, `${owned.centralId} ${storage.request.toString('hex')}`);
  try {
    const { answer, isStored } = await commitWithAnswer(db, storage, carryOut);
    if (!isStored) await insertAnswer(db, owned, fingerprint, answer.kept, clock.now());
    countKey(db, owned, answer.kept);
    return { answer: answer.answer, isReplayed: false };
  } catch (error) {
    // The refusal may be caused by the effect of the same request, executed while this repetition was arriving.
    if (!(isKeyTaken(error) || error instanceof Refusal)) throw error;
    // An earlier attempt may also succeed where this one did not, for instance when a router does not answer for a
    // moment. An attempt that has already waited for it is refused with own-attempt-running instead.
    if (!(error instanceof Refusal && error.kind === 'own-attempt-running')) await attempt.earlierEnded;
    const done = await replay(db, owned, fingerprint);
    if (done !== undefined) return { answer: done, isReplayed: true };
    throw error instanceof Refusal ? error : new Refusal('unavailable');
  } finally {
    attempt.end();
  }
}

/** The last attempt of each request that this process carries out. */
const lastAttempts = new WeakMap<Db, Map<string, Promise<void>>>();

/** An attempt waits for those before it and for none after it, so that no two wait for each other. */
function beginAttempt(db: Db, request: string): { earlierEnded: Promise<void>; end(): void } {
  const attempts = lastAttempts.get(db) ?? new Map<string, Promise<void>>();
  lastAttempts.set(db, attempts);
  const earlierEnded = attempts.get(request) ?? Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const allEnded = earlierEnded.then(() => promise);
  attempts.set(request, allEnded);
  void allEnded.then(() => {
    if (attempts.get(request) === allEnded) attempts.delete(request);
  });
  return { earlierEnded, end: resolve };
}

async function replay(db: Db, owned: OwnedKey, fingerprint: Buffer): Promise<string | undefined> {
  const earlier = await findKeyedAnswer(db, owned);
  if (!earlier) return undefined;
  if (!earlier.fingerprint.equals(fingerprint)) throw new Refusal('idempotency-key-reused');
  return earlier.answer ?? undefined;
}

/** No login receives a stored answer from a time when its scope was wider. */
async function fingerprintOf(request: KeyedRequest): Promise<Buffer> {
  const { caller, method, path, params, query } = request;
  const { companyId, driverId } = caller;
  const content = await withoutPassword(request);
  return sha256(canonicalJson([companyId, driverId, method, path, params, query, content]));
}

/**
 * A plain digest of a password could be guessed, so the fingerprint contains a slow digest. That shares its queue with
 * all logins, so a password field that the endpoint does not have is left out instead.
 */
async function withoutPassword({ key, caller, body, takesPassword }: KeyedRequest): Promise<unknown> {
  const { senha: password, ...rest } = (body ?? {}) as { senha?: unknown };
  if (typeof password !== 'string') return body;
  if (!takesPassword) return rest;
  return { ...rest, senha: await passwordDigest(password, sha256(key), caller.centralId) };
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
