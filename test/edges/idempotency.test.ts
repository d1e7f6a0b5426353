import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { forgetOldKeys } from '../../server/src/http/idempotency.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';

const malote = await startMalote();
const { central, manager, manager2, neighbour, db } = malote;

const newKey = () => ({ 'idempotency-key': randomUUID() });
const deliveries = async () => {
  const [row] = await db<{ count: number }>`select count(*) as count from deliveries`;
  return row!.count;
};

test('the same key and body replay the stored answer, and nothing happens again', async () => {
  const key = newKey();
  const before = await deliveries();
  const first = await manager.post('/entregas', order(), key);
  assert.equal(first.status, 200, first.text);
  for (let again = 0; again < 3; again += 1) {
    const replayed = await manager.post('/entregas', order(), key);
    assert.equal(replayed.status, 200);
    assert.equal(replayed.text, first.text);
    assert.equal(replayed.headers.get('content-type'), first.headers.get('content-type'));
  }
  assert.equal(await deliveries(), before + 1);
});

test('the same key with another body is 409, and so is another path or method', async () => {
  const key = newKey();
  const { body } = await manager.post('/entregas', order(), key);
  const before = await deliveries();
  assertFailure(await manager.post('/entregas', order({}, 2), key), 409, 0);
  assertFailure(await manager.post('/entregas/programadas', scheduledOrder(), key), 409, 0);
  assertFailure(await manager.post(`/entregas/${body.data.id_mch}/cancelar`, { motivo_id: 2 }, key), 409, 0);
  assert.equal(await deliveries(), before);
});

test('another company’s manager never meets the stored answer', async () => {
  const key = newKey();
  const body = order({ empresa_id: 1 });
  const first = await manager.post('/entregas', body, key);
  const other = await manager2.post('/entregas', body, key);
  assertFailure(other, 409, 0);
  assert.ok(!other.text.includes(first.body.data.id_mch));
  assertFailure(await central.post('/entregas', body, key), 409, 0);
});

test('another central may use the same key for itself', async () => {
  const key = newKey();
  const mine = await central.post('/entregas/consultar', {}, key);
  await manager.post('/entregas', order());
  const theirs = await neighbour.post('/entregas/consultar', {}, key);
  assert.deepEqual(theirs.body, { success: true, data: [] });
  assert.equal((await central.post('/entregas/consultar', {}, key)).text, mine.text);
});

test('many at once with the same key are carried out once, and all get the same answer', async () => {
  const key = newKey();
  const before = await deliveries();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => manager.post('/entregas', order(), key)),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(await deliveries(), before + 1);
});

test('many at once with the same key and different bodies: one is carried out, the others are 409', async () => {
  const key = newKey();
  const before = await deliveries();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => manager.post('/entregas', order({}, index + 1), key)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 7);
  assert.equal(await deliveries(), before + 1);
});

test('a refused request keeps no key: mended, it may be sent again', async () => {
  const key = newKey();
  assertFailure(await manager.post('/entregas', order({ paradas: [] }), key), 400, 2);
  assertFailure(await manager.post('/entregas', order({ categoria_id: 999_999 }), key), 404, 0);
  assert.equal((await manager.post('/entregas', order(), key)).status, 200);
});

test('PUT and DELETE are replayed too', async () => {
  const created = await manager.post('/entregas/programadas', scheduledOrder({}, 3));
  const id = created.body.data.id_mch;
  const putKey = newKey();
  const edited = await manager.put(`/entregas/programadas/${id}`, scheduledOrder({}, 3), putKey);
  assert.equal(edited.status, 200, edited.text);
  const [stops] = await db<{ ids: number[] }>`
    select array_agg(id) as ids from scheduled_stops where scheduled_id = ${id}`;
  const replayed = await manager.put(`/entregas/programadas/${id}`, scheduledOrder({}, 3), putKey);
  assert.equal(replayed.text, edited.text);
  const [same] = await db<{ ids: number[] }>`
    select array_agg(id) as ids from scheduled_stops where scheduled_id = ${id}`;
  assert.deepEqual(same, stops);

  const deleteKey = newKey();
  const path = `/entregas/programadas/${id}/paradas/${stops!.ids[0]}`;
  const removed = await manager.delete(path, deleteKey);
  assert.equal(removed.status, 200, removed.text);
  assert.equal((await manager.delete(path, deleteKey)).text, removed.text);
  assertFailure(await manager.delete(path), 404, 0);
});

test('a process that died between its commit and its answer did it once, and says so', async () => {
  const key = newKey();
  const first = await manager.post('/entregas', order(), key);
  assert.equal(first.status, 200);
  await db`update idempotency_keys set status = null, answer = null where key = ${key['idempotency-key']}`;
  const before = await deliveries();
  const again = await manager.post('/entregas', order(), key);
  assertFailure(again, 409, 0);
  assert.match(again.body.errors[0].message, /já foi executada/);
  assert.equal(await deliveries(), before);
});

test('a key must have 1 to 255 characters', async () => {
  for (const key of ['', 'k'.repeat(256)])
    assert.deepEqual(complainedFields(await manager.post('/entregas', order(), { 'idempotency-key': key })), [
      'Idempotency-Key',
    ]);
  const longest = await manager.post('/entregas', order(), { 'idempotency-key': 'k'.repeat(255) });
  assert.equal(longest.status, 200);
});

test('on a GET the key means nothing', async () => {
  const key = newKey();
  const { body } = await manager.post('/entregas', order());
  const path = `/entregas/${body.data.id_mch}/status`;
  assert.deepEqual((await manager.get(path, key)).body.data, { status: 'D' });
  assert.equal((await manager.post(`/entregas/${body.data.id_mch}/cancelar`, { motivo_id: 2 })).status, 200);
  assert.deepEqual((await manager.get(path, key)).body.data, { status: 'C' });
});

test('keys older than two days are forgotten, younger ones are not', async () => {
  const old = newKey();
  const young = newKey();
  await manager.post('/entregas', order(), old);
  malote.clock.advance({ hours: 24 });
  await manager.post('/entregas', order(), young);
  malote.clock.advance({ hours: 24, seconds: 1 });
  assert.ok((await forgetOldKeys(malote.app.needs)) > 0);
  assert.equal(await forgetOldKeys(malote.app.needs), 0);
  const kept = await db<{ key: string }>`select key from idempotency_keys`;
  assert.deepEqual(
    kept.map(({ key }) => key),
    [young['idempotency-key']],
  );
});
