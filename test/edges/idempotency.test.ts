import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { type Answer, client } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { clientFor, everyEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { runText } from '../support/runText.ts';

const malote = await startMalote();
const { central, manager, manager2, operator, db } = malote;
const neighbourOperator = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-vizinha',
  user: 'vizinha',
  password: 'demo',
});

const newKey = () => ({ 'idempotency-key': randomUUID() });
const deliveries = async () => {
  const [row] = await db<{ count: number }>`select count(*) as count from deliveries`;
  return row!.count;
};

const keys = () => db`select user_id, key from idempotency_keys order by user_id, key`;
const couponExample = everyEndpoint.find(({ name }) => name === 'POST /cupons (operacao)')!.endpoint
  .bodyExample as object;
const coupon = (code: string) => ({ ...couponExample, codigo: code });

/** The same content with the fields of every object in the opposite order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, field]) => [name, backwards(field)]),
  );
}

test('the same key and body replay the stored answer, and nothing happens again', async () => {
  const key = newKey();
  const before = await deliveries();
  const first = await manager.post('/entregas', order(), key);
  assert.equal(first.status, 200, first.text);
  assert.equal(first.headers.get('idempotency-replayed'), null);
  for (let again = 0; again < 3; again += 1) {
    const replayed = await manager.post('/entregas', order(), key);
    assert.equal(replayed.status, 200);
    assert.equal(replayed.text, first.text);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
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

test('two logins may use the same key, each for itself, and never meet', async () => {
  const key = newKey();
  const body = order();
  const before = await deliveries();
  const ofCentral = order({ empresa_id: 1 });
  const answers = [
    await manager.post('/entregas', body, key),
    await manager2.post('/entregas', body, key),
    await central.post('/entregas', ofCentral, key),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(new Set(answers.map(({ body }) => body.data.id_mch)).size, 3);
  assert.equal((await manager.post('/entregas', body, key)).text, answers[0]!.text);
  assert.equal((await manager2.post('/entregas', body, key)).text, answers[1]!.text);
  assert.equal((await central.post('/entregas', ofCentral, key)).text, answers[2]!.text);
  assert.equal(await deliveries(), before + 3);
});

test('another central may use the same key for itself', async () => {
  const key = newKey();
  const mine = await operator.post('/cupons', coupon('MESMA'), key);
  assert.equal(mine.status, 200, mine.text);
  const theirs = await neighbourOperator.post('/cupons', coupon('OUTRA'), key);
  assert.equal(theirs.status, 200, theirs.text);
  assert.equal(theirs.body.data.codigo, 'OUTRA');
  assert.equal((await operator.post('/cupons', coupon('MESMA'), key)).text, mine.text);
});

test('a login’s key is the same in both interfaces', async () => {
  const key = newKey();
  assert.equal((await central.post('/entregas', order({ empresa_id: 1 }), key)).status, 200);
  assertFailure(await operator.post('/cupons', coupon('CHAVE'), key), 409, 0);
});

test('the order of fields is not part of the content, at any depth', async () => {
  const key = newKey();
  const body = order({}, 2);
  const first = await manager.post('/entregas', body, key);
  const turned = await manager.post('/entregas', backwards(body), key);
  assert.notEqual(JSON.stringify(body), JSON.stringify(backwards(body)));
  assert.equal(turned.status, 200, turned.text);
  assert.equal(turned.text, first.text);
  assertFailure(
    await manager.post('/entregas', { ...body, paradas: body.paradas.toReversed() }, key),
    409,
    0,
  );
});

test('a number and the same digits as text are different contents', async () => {
  const key = newKey();
  assert.equal((await manager.post('/entregas', { ...order(), minha_marca: 1 }, key)).status, 200);
  for (const minha_marca of ['1', [1], true, 1.5])
    assertFailure(await manager.post('/entregas', { ...order(), minha_marca }, key), 409, 0);
  assert.equal((await manager.post('/entregas', { minha_marca: 1.0, ...order() }, key)).status, 200);
});

test('a body of almost 64 KiB is recognised in whatever order its fields come', async () => {
  const key = newKey();
  const fields = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`campo${index}`, String(index).repeat(300)]),
  );
  const body = { ...order(), meus_dados: fields };
  const first = await manager.post('/entregas', body, key);
  assert.equal(first.status, 200, first.text);
  assert.equal((await manager.post('/entregas', backwards(body), key)).text, first.text);
});

test('no answer is stored for a POST that only reads, so it is always current', async () => {
  const reading = everyEndpoint.filter(({ endpoint }) => endpoint.readOnly);
  assert.deepEqual(
    reading.map(({ name }) => name),
    everyEndpoint
      .filter(
        ({ endpoint }) =>
          endpoint.method === 'POST' &&
          /consultar|exportar|entregas\/status|estimativas|simular|previa|\/rotas|enderecos\/(buscar|localizar|reverso|conhecidos)|destinatarios\/buscar/.test(
            endpoint.path,
          ),
      )
      .map(({ name }) => name),
  );
  const before = await keys();
  for (const placed of reading) {
    const path = pathWith(placed.endpoint.path, () => 1);
    await clientFor(malote, placed).post(path, placed.endpoint.bodyExample, newKey());
  }
  const key = newKey();
  const earlier = await central.post('/entregas/consultar', {}, key);
  await manager.post('/entregas', order());
  const later = await central.post('/entregas/consultar', {}, key);
  assert.equal(later.body.data.length, earlier.body.data.length + 1);
  assert.deepEqual(await keys(), before);
});

test('a wiped sandbox may be wiped again, since no key of it would be left to tell', async () => {
  for (let times = 0; times < 2; times += 1) {
    const answer = await malote.sandbox.delete('/sandbox', { 'idempotency-key': 'apagar' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('idempotency-replayed'), null);
  }
});

test('no answer is stored for positions, which may be reported twice', async () => {
  const repeatable = everyEndpoint.filter(
    ({ endpoint }) => endpoint.isRepeatable && endpoint.path !== '/sandbox',
  );
  assert.deepEqual(
    repeatable.map(({ name }) => name),
    ['POST /condutores/:id/posicao (operacao)', 'POST /condutores/posicoes (operacao)'],
  );
  const before = await keys();
  for (const { endpoint } of repeatable)
    for (const key of [newKey(), newKey()])
      for (let times = 0; times < 2; times += 1) {
        const path = pathWith(endpoint.path, () => 1);
        const answer = await malote.driver(1).post(path, endpoint.bodyExample, key);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers.get('idempotency-replayed'), null);
      }
  assert.deepEqual(await keys(), before);
});

test('what a login stores under its keys has an end, and no key is given up before its time', async () => {
  const driver = malote.driver(2);
  const send = (key?: Record<string, string>) =>
    driver.post('/condutores/2/disponibilidade', { disponivel: true }, key);
  const first = newKey();
  assert.equal((await send(first)).status, 200);
  await db`
    insert into idempotency_keys (central_id, user_id, key, fingerprint, answer, created_at)
    select central_id, user_id, 'large', fingerprint, repeat('x', 4 * 1024 * 1024), created_at
    from idempotency_keys where key = ${first['idempotency-key']}`;
  let refused: Answer | undefined;
  for (let sent = 0; sent < 600 && !refused; sent += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(newKey())));
    refused = answers.find(({ status }) => status !== 200);
  }
  assertFailure(refused!, 429, 0);
  assert.equal(refused!.headers.get('x-error-kind'), 'too-many-keys');
  assert.ok(Number(refused!.headers.get('retry-after')) > 0);
  const replayed = await send(first);
  assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
  assert.equal((await send()).status, 200);
  assert.equal(
    (await malote.driver(3).post('/condutores/3/disponibilidade', { disponivel: true }, newKey())).status,
    200,
  );

  await db`delete from idempotency_keys where key = 'large'`;
  malote.clock.advance({ minutes: 2 });
  assert.equal((await send(newKey())).status, 200);
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

test('the answer is committed with what it tells of: if it cannot be kept, nothing has happened', async () => {
  await runText(
    db,
    `create function refuse_answer() returns trigger language plpgsql as $$
     begin raise exception 'no room for an answer'; end $$`,
    [],
  );
  await runText(
    db,
    `create trigger refuse_answer before update on idempotency_keys for each row execute function refuse_answer()`,
    [],
  );
  const key = newKey();
  const before = await deliveries();
  const failed = await manager.post('/entregas', order(), key);
  await runText(db, 'drop trigger refuse_answer on idempotency_keys', []);
  assertFailure(failed, 500, 0);
  assert.equal(await deliveries(), before);
  assert.equal((await manager.post('/entregas', order(), key)).status, 200);
  assert.equal(await deliveries(), before + 1);
});

test('no key is ever there without its answer', async () => {
  const [unanswered] = await db<{ count: number }>`
    select count(*) as count from idempotency_keys where answer is null`;
  assert.equal(unanswered!.count, 0);
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
  assert.ok((await tidyUp(malote.app.deps)).keys! > 0);
  assert.equal((await tidyUp(malote.app.deps)).keys, 0);
  const kept = await db<{ key: string }>`select key from idempotency_keys`;
  assert.deepEqual(
    kept.map(({ key }) => key),
    [young['idempotency-key']],
  );
});
