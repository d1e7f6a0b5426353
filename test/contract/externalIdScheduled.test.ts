import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Client, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { scheduledRow, setBalance } from '../support/rows.ts';
import { dispatchNow, eventsOfDelivery, eventsOfScheduled, readScheduled } from '../support/scheduled.ts';
import { assertOk, assertRefused, countResults } from '../support/steps.ts';

// Contract 4.18 and 4.29: the caller's own key of a scheduled delivery.

const malote = await startMalote();
const { central, manager, manager2, operator } = malote;
const person = { nome: 'Ana Luz', cpf: '529.982.247-25' };

const create = (id_externo: string, changes = {}, login: Client = manager, headers = {}): Promise<Answer> =>
  login.post(
    '/entregas/programadas',
    scheduledOrder({ data: '20/11/2026', id_externo, ...changes }),
    headers,
  );
const read = (id: string): Promise<Json> => readScheduled(manager, Number(id));
const byKey = (key: string, login: Client = manager, query = ''): Promise<Answer> =>
  login.get(`/entregas/programadas/externo/${encodeURIComponent(key)}${query}`);
const list = async (query: string, login: Client = manager): Promise<string[]> =>
  assertOk(await login.get(`/entregas/programadas?${query}`)).body.data.map(
    (each: Json) => each.id_mch_programada,
  );

async function created(key: string, changes = {}, login: Client = manager): Promise<string> {
  const { data } = assertOk(await create(key, changes, login)).body;
  assert.equal(data.resultado, 'criada');
  return data.id_mch;
}

test('a scheduled delivery with a key is created, shows it, and is read and listed by it', async () => {
  const id = await created('PED-1');
  const answer = assertOk(await manager.get(`/entregas/programadas/${id}`));
  assert.equal(answer.body.data.id_externo, 'PED-1');
  assert.equal(assertOk(await byKey('PED-1')).text, answer.text);
  assert.deepEqual(await list('id_externo=PED-1'), [id]);
  assert.deepEqual(await list('id_externo=PED-1', manager2), []);
  assert.equal(assertOk(await operator.get(`/programadas/${id}`)).body.data.id_externo, 'PED-1');
  assertRefused(await byKey('PED-1', manager2), 404, /programada não encontrada/);
  const plain = assertOk(await manager.post('/entregas/programadas', scheduledOrder({ data: '20/11/2026' })));
  assert.deepEqual(Object.keys(plain.body.data), ['id_mch']);
  assert.ok(!('id_externo' in (await read(plain.body.data.id_mch))));
  for (const key of ['', 'x'.repeat(101)])
    assert.equal((await manager.get(`/entregas/programadas?id_externo=${key}`)).status, 400);
});

test('deliveries and scheduled deliveries have separate keys', async () => {
  const id = await created('PED-2');
  const immediate = order({ id_externo: 'PED-2' });
  const opened = assertOk(await manager.post('/entregas', immediate)).body.data;
  assert.equal(opened.resultado, 'criada');
  assert.equal(assertOk(await byKey('PED-2')).body.data.id_mch_programada, id);
  assert.equal(assertOk(await manager.get('/entregas/externo/PED-2')).body.data.id, opened.id_mch);
});

test('the same content again answers the same id, also after the time of the dispatch', async () => {
  const id = await created('PED-3');
  const before = await scheduledRow(malote, Number(id));
  assert.deepEqual(assertOk(await create('PED-3')).body.data, { id_mch: id, resultado: 'repetida' });
  assert.deepEqual(await scheduledRow(malote, Number(id)), before);
  await dispatchNow(malote, Number(id));
  assert.deepEqual(assertOk(await create('PED-3')).body.data, { id_mch: id, resultado: 'repetida' });
  assertRefused(await create('PED-3', { hora: '19:00:00' }), 406, new RegExp(`pedido ${id}`));
});

test('other content edits it while it awaits: everything becomes as it was sent', async () => {
  const id = await created('PED-4', { observacao: 'antes', codigo_cupom: 'DEMO10' });
  const changes = {
    hora: '18:30:00',
    forma_pagamento: 'X',
    observacao: 'depois',
    com_retorno: true,
    categoria_id: 2,
    paradas: [stop(1), stop(2)],
  };
  assert.deepEqual(assertOk(await create('PED-4', changes)).body.data, { id_mch: id, resultado: 'editada' });
  const shown = await read(id);
  assert.deepEqual(
    [shown.hora_previsao_disparo, shown.observacao, shown.categoria.id, shown.paradas.length, shown.situacao],
    ['18:30:00', 'depois', '2', 2, 'A'],
  );
  const row = await scheduledRow(malote, Number(id));
  assert.deepEqual([row.payment, row.has_return, row.coupon_id], ['instant_transfer', true, null]);
  const priced = assertOk(
    await manager.post('/entregas/programadas', scheduledOrder({ data: '20/11/2026', ...changes })),
  );
  assert.deepEqual(shown.valor, (await read(priced.body.data.id_mch)).valor);
  assert.deepEqual(assertOk(await create('PED-4', changes)).body.data, { id_mch: id, resultado: 'repetida' });
});

test('its rules are those of the edit: only managers change the order of a company, and the time is ahead', async () => {
  const id = await created('PED-5');
  const fromCentral = { empresa_id: 1, observacao: 'da central' };
  assertRefused(await create('PED-5', fromCentral, central), 406, new RegExp(`pedido ${id}`));
  assert.equal(assertOk(await create('PED-5', { empresa_id: 1 }, central)).body.data.id_mch, id);
  assertRefused(await create('PED-5', { data: '01/01/2020' }), 422, /futuro/);
  const nobodys = await created('PED-5', { cliente: person }, central);
  assert.deepEqual(
    assertOk(await create('PED-5', { cliente: person, observacao: 'da central' }, central)).body.data,
    { id_mch: nobodys, resultado: 'editada' },
  );
});

test('a cancelled one keeps its key; one whose dispatch failed awaits again with other content', async () => {
  const id = await created('PED-6');
  assertOk(await operator.post(`/programadas/${id}/cancelar`));
  assertRefused(await create('PED-6'), 406, new RegExp(`pedido ${id}`));
  await setBalance(malote, 100_000);
  const failing = await created('PED-7', { forma_pagamento: 'R' });
  await setBalance(malote, 0);
  await dispatchNow(malote, Number(failing));
  assert.equal((await read(failing)).situacao, 'X');
  assert.equal(assertOk(await create('PED-7', { forma_pagamento: 'R' })).body.data.resultado, 'repetida');
  assert.deepEqual(assertOk(await create('PED-7', { data: '21/11/2026' })).body.data, {
    id_mch: failing,
    resultado: 'editada',
  });
  assert.equal((await read(failing)).situacao, 'A');
});

test('a late repetition of the creation does not undo an edit', async () => {
  const id = await created('PED-8');
  assertOk(
    await manager.put(
      `/entregas/programadas/${id}`,
      scheduledOrder({ data: '22/11/2026', hora: '08:00:00' }),
    ),
  );
  assert.equal(assertOk(await create('PED-8')).body.data.resultado, 'repetida');
  assert.equal((await read(id)).data_previsao_disparo, '22/11/2026');
});

test('eight parallel creations with one key make one scheduled delivery', async () => {
  await setBalance(malote, 100_000);
  for (const [key, changes, headers] of [
    ['ao-mesmo-tempo', {}, () => ({})],
    ['com crédito', { forma_pagamento: 'R' }, () => ({})],
    ['com chaves', {}, (index: number) => ({ 'idempotency-key': `programada-${index}` })],
  ] as const) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create(key, changes, manager, headers(index))),
    );
    const results = countResults(answers);
    assert.deepEqual(results, { criada: 1, repetida: 7 });
    const ids = new Set(answers.map(({ body }) => body.data.id_mch));
    assert.deepEqual(await list(`id_externo=${encodeURIComponent(key)}`), [...ids]);
  }
});

test('parallel edits to one content by one key edit once', async () => {
  const id = await created('PED-9');
  const answers = await Promise.all(Array.from({ length: 6 }, () => create('PED-9', { hora: '20:00:00' })));
  const results = countResults(answers);
  assert.deepEqual(results, { editada: 1, repetida: 5 });
  const events = await eventsOfScheduled(malote, Number(id));
  assert.deepEqual(
    events.filter(({ type }) => type === 'scheduled.changed').map(({ payload }) => payload.change),
    ['created', 'edited'],
  );
});

test('a quote of a scheduled delivery is paid by an edit through its key', async () => {
  const id = await created('PED-10');
  const paradas = [stop(5)];
  const body = scheduledOrder({ data: '20/11/2026', paradas });
  const made = assertOk(await manager.post('/entregas/cotacoes', body)).body.data;
  const answer = await create('PED-10', { paradas, cotacao_id: made.cotacao_id });
  assert.equal(assertOk(answer).body.data.resultado, 'editada');
  assert.equal((await read(id)).valor.estimado, made.estimativa_valor.toFixed(2));
  assert.equal(
    assertOk(await create('PED-10', { paradas, cotacao_id: made.cotacao_id })).body.data.resultado,
    'repetida',
  );
  assertRefused(await create('PED-11', { paradas, cotacao_id: made.cotacao_id }), 409, /já foi usada/);
});

test('a coupon of the order stays valid for it, and a new one counts as its use', async () => {
  const coupon = { codigo: 'UMAVEZ', percentual: '10.00', limite_usos: 1 };
  assertOk(await operator.post('/cupons', coupon));
  const id = await created('PED-12', { codigo_cupom: 'UMAVEZ' });
  assert.equal(
    assertOk(await create('PED-12', { codigo_cupom: 'UMAVEZ', hora: '21:00:00' })).body.data.resultado,
    'editada',
  );
  assert.ok((await scheduledRow(malote, Number(id))).coupon_id);
  assertRefused(await create('PED-13', { codigo_cupom: 'UMAVEZ' }), 422, /cupom/);
  await created('PED-13');
  assertRefused(await create('PED-13', { codigo_cupom: 'UMAVEZ', hora: '21:00:00' }), 422, /cupom/);
});

test('every event of it names its key; the delivery that its dispatch makes has none', async () => {
  const id = await created('PED-14');
  assertOk(await create('PED-14', { paradas: [stop(3), stop(4)] }));
  const [first] = (await read(id)).paradas;
  assertOk(await manager.delete(`/entregas/programadas/${id}/paradas/${first.id}`));
  await dispatchNow(malote, Number(id));
  const events = await eventsOfScheduled(malote, Number(id));
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'scheduled.changed',
      'scheduled.stop_removed',
      'scheduled.changed',
      'scheduled.stop_removed',
      'scheduled.dispatched',
    ],
  );
  const { historico } = assertOk(await operator.get(`/programadas/${id}`)).body.data;
  assert.equal(historico.length, events.length);
  for (const { data } of historico) assert.equal(data.id_externo, 'PED-14');
  const { id_mch } = await read(id);
  assert.ok(!('id_externo' in assertOk(await manager.get(`/entregas/${id_mch}`)).body.data));
  for (const { payload } of await eventsOfDelivery(malote, Number(id_mch))) assert.ok(!('ownKey' in payload));
});

test('a central user says of which company a key is, where several have it', async () => {
  const [mine, theirs] = [await created('PED-15'), await created('PED-15', {}, manager2)];
  assertRefused(await byKey('PED-15', central), 409, /mais de uma empresa/);
  assert.equal(assertOk(await byKey('PED-15', central, '?empresa_id=1')).body.data.id_mch_programada, mine);
  assert.equal(assertOk(await byKey('PED-15', central, '?empresa_id=2')).body.data.id_mch_programada, theirs);
});
