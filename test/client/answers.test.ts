import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnswerInfo,
  answerInfo,
  ConflictError,
  ConnectionError,
  InvalidInputError,
  Malote,
  type MaloteOptions,
  StateError,
} from '../../client/src/index.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();
const login = (changes: Partial<MaloteOptions> = {}): Malote =>
  new Malote({ url: malote.url, apiKey: 'demo-chave', user: 'gerente', password: 'demo', ...changes });
const manager = login();
const created = order() as Parameters<Malote['criarEntrega']>[0];

/** Answers with these responses, and then asks the service. */
function answering(...responses: (() => Response)[]) {
  const keys: (string | null)[] = [];
  const send: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const next = responses.shift();
    return next ? next() : fetch(input, init);
  };
  return { keys, fetch: send };
}
const refusal = (status: number, kind: string) => () =>
  new Response('{"success":false,"errors":[{"code":0,"message":"espere"}]}', {
    status,
    headers: { 'x-error-kind': kind },
  });

test('an answer says whether it was stored by an earlier request with the same key', async () => {
  const idempotencyKey = `pedido-${Math.random()}`;
  const first = await manager.criarEntrega(created, { idempotencyKey });
  const again = await manager.criarEntrega(created, { idempotencyKey });
  assert.equal(answerInfo(first)?.isReplayed, false);
  const info = answerInfo(again);
  assert.equal(info?.isReplayed, true);
  assert.equal(info.idempotencyKey, idempotencyKey);
  assert.equal(info.operationId, 'criarEntrega');
  assert.equal(info.status, 200);
  assert.equal(info.attempts, 1);
  assert.match(info.requestId ?? '', /\S{16,}/);
  assert.ok(info.rateLimit!.remaining < info.rateLimit!.limit);
  assert.equal(answerInfo({}), undefined);
});

test('every answer is reported to onAnswer, lists too, with the number of its attempts', async () => {
  const infos: AnswerInfo[] = [];
  const { fetch } = answering(refusal(503, 'unavailable'));
  await login({ fetch, onAnswer: (info) => infos.push(info) }).consultarEntregas({ limite: 1 });
  assert.deepEqual(
    infos.map(({ operationId, attempts, idempotencyKey }) => [operationId, attempts, idempotencyKey]),
    [['consultarEntregas', 2, undefined]],
  );
});

test('fields that the service ignores are named, and refused by a strict client', async () => {
  const misspelt = { ...created, observacoes: 'tocar a campainha' };
  const answer = await manager.criarEntrega(misspelt);
  assert.deepEqual(answerInfo(answer)?.ignoredFields, ['observacoes (observacao?)']);
  await assert.rejects(login({ strict: true }).criarEntrega(misspelt), InvalidInputError);
});

test('a write without a key is sent once, whatever happens', async () => {
  for (const lost of [() => Promise.reject(new TypeError('fetch failed')), refusal(503, 'unavailable')]) {
    const { keys, fetch } = answering(lost as () => Response);
    await assert.rejects(login({ fetch }).criarEntrega(created, { idempotencyKey: null }));
    assert.deepEqual(keys, [null]);
  }
});

for (const [status, kind] of [
  [409, 'grouping-in-progress'],
  [400, 'merge-in-progress'],
  [503, 'own-attempt-running'],
] as const)
  test(`${kind} is waited for, with the same key`, async () => {
    const { keys, fetch } = answering(refusal(status, kind), refusal(status, kind));
    await login({ fetch }).criarEntrega(created);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
  });

test('what is in progress for too long is an error of its own kind', async () => {
  const { keys, fetch } = answering(...Array(2).fill(refusal(409, 'grouping-in-progress')));
  await assert.rejects(login({ fetch, attempts: 2 }).criarEntrega(created), (error) => {
    assert.ok(error instanceof StateError && error instanceof ConflictError);
    assert.equal(error.kind, 'grouping-in-progress');
    assert.equal(error.idempotencyKey, keys[0]);
    return true;
  });
});

test('any other conflict is not repeated', async () => {
  const { keys, fetch } = answering(refusal(409, 'idempotency-key-reused'));
  await assert.rejects(login({ fetch }).criarEntrega(created), ConflictError);
  assert.equal(keys.length, 1);
});

test('a call ends when its whole time is over, in an attempt as in a pause', async () => {
  let attempts = 0;
  const silent: typeof fetch = (_, init) => {
    attempts++;
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  };
  const started = Date.now();
  await assert.rejects(
    login({ fetch: silent, totalTimeoutMs: 100 }).listarAreasAtuacao(),
    (error) => error instanceof ConnectionError && /no answer within/.test(error.message),
  );
  assert.equal(attempts, 1);
  assert.ok(Date.now() - started < 5_000);
  const { keys, fetch } = answering(refusal(503, 'unavailable'));
  await assert.rejects(login({ fetch }).listarAreasAtuacao({ totalTimeoutMs: 100 }), { status: 503 });
  assert.equal(keys.length, 1);
});
