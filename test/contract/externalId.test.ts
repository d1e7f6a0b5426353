import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Client, Json } from '../support/client.ts';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import { deliveryRow, setBalance } from '../support/rows.ts';
import { eventsOfDelivery } from '../support/scheduled.ts';
import { assertOk, assertRefused, countResults, newDriver } from '../support/steps.ts';

// Contract 4.17 and 4.29: the caller's own key of a delivery.

const malote = await startMalote();
const { central, manager, manager2, operator, neighbour } = malote;
const person = { nome: 'Ana Luz', cpf: '529.982.247-25' };

const create = (id_externo: string, changes = {}, login: Client = manager, headers = {}): Promise<Answer> =>
  login.post('/entregas', order({ id_externo, ...changes }), headers);
const read = async (id: string, login: Client = manager): Promise<Json> =>
  assertOk(await login.get(`/entregas/${id}`)).body.data;
const byKey = (key: string, login: Client = manager, query = ''): Promise<Answer> =>
  login.get(`/entregas/externo/${encodeURIComponent(key)}${query}`);

async function created(key: string, changes = {}, login: Client = manager): Promise<string> {
  const { data } = assertOk(await create(key, changes, login)).body;
  assert.equal(data.resultado, 'criada');
  return data.id_mch;
}

test('an order with a key is created and shows it; one without is answered as ever and shows none', async () => {
  const { body, text } = assertOk(await create('PED-1'));
  assert.match(body.data.id_mch, /^\d+$/);
  assert.equal(text, `{"success":true,"data":{"id_mch":"${body.data.id_mch}","resultado":"criada"}}`);
  assert.equal((await read(body.data.id_mch)).id_externo, 'PED-1');
  const plain = assertOk(await manager.post('/entregas', order()));
  assert.equal(plain.text, `{"success":true,"data":{"id_mch":"${plain.body.data.id_mch}"}}`);
  assert.ok(!('id_externo' in (await read(plain.body.data.id_mch))));
  const nothing = assertOk(await manager.post('/entregas', order({ id_externo: null })));
  assert.deepEqual(Object.keys(nothing.body.data), ['id_mch']);
});

test('the key of the order and those of its stops are kept apart', async () => {
  const paradas = [{ ...stop(0), id_externo: 'PED-2' }];
  const id = await created('pedido-2', { paradas });
  const { data } = assertOk(await manager.get(`/entregas/${id}/detalhes`)).body;
  assert.equal(data.id_externo, 'pedido-2');
  assert.deepEqual(
    data.paradas.map(({ id_externo }: Json) => id_externo),
    ['PED-2'],
  );
  assertRefused(await byKey('PED-2'), 404, /entrega não encontrada/);
});

test('the same content again answers the same id and changes nothing, whatever the order of its fields', async () => {
  const id = await created('PED-3', { observacao: 'portão azul', com_retorno: false });
  const before = await deliveryRow(malote, Number(id));
  const id_externo = 'PED-3';
  const rest = order({ observacao: 'portão azul' });
  for (const body of [
    { ...rest, id_externo },
    { ...rest, id_externo, codigo_cupom: null, paradas: [{ ...stop(0), lat_parada: '-30.048900' }] },
  ]) {
    const { data } = assertOk(await manager.post('/entregas', body)).body;
    assert.deepEqual(data, { id_mch: id, resultado: 'repetida' });
  }
  assert.deepEqual(await deliveryRow(malote, Number(id)), before);
});

test('other content edits the order while it may be edited, by the rules of the edit', async () => {
  const id = await created('PED-4');
  const changed = { observacao: 'nos fundos', paradas: [stop(1), stop(2)] };
  const { data } = assertOk(await create('PED-4', changed)).body;
  assert.deepEqual(data, { id_mch: id, resultado: 'editada' });
  const delivery = await read(id);
  assert.equal(delivery.paradas.length, 2);
  assert.equal(delivery.id_externo, 'PED-4');
  const [, removed, edited] = await eventsOfDelivery(malote, Number(id));
  assert.equal(removed?.type, 'delivery.stop_removed');
  assert.deepEqual([edited?.type, edited?.payload.change], ['delivery.changed', 'edited']);
  assert.equal(assertOk(await create('PED-4', changed)).body.data.resultado, 'repetida');
  // The last creation wins, also if it repeats an earlier one.
  assert.equal(assertOk(await create('PED-4')).body.data.resultado, 'editada');
  assertRefused(await create('PED-4', { categoria_id: 999_999 }), 404, /categoria/);
});

test('a late repetition of the creation does not undo an edit', async () => {
  const id = await created('PED-5');
  assertOk(await manager.put(`/entregas/${id}`, order({ observacao: 'editada' }, 2)));
  assert.equal(assertOk(await create('PED-5')).body.data.resultado, 'repetida');
  assert.equal((await read(id)).paradas.length, 2);
});

test('an edit neither takes nor changes a key', async () => {
  const id = await created('PED-6');
  const answer = assertOk(await manager.put(`/entregas/${id}`, order({ id_externo: 'PED-6b' })));
  assert.match(String(answer.headers.get('x-ignored-fields')), /id_externo/);
  assert.equal((await read(id)).id_externo, 'PED-6');
});

test('an order in progress is found by the same content, and refuses other content', async () => {
  const id = await created('PED-7');
  const driver = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  assert.deepEqual(assertOk(await create('PED-7')).body.data, { id_mch: id, resultado: 'repetida' });
  const refused = await create('PED-7', { observacao: 'tarde demais' });
  assertRefused(refused, 406, new RegExp(`pedido ${id}, que não pode mais ser alterado`));
  assert.equal(refused.headers.get('x-error-kind'), 'external-id-taken');
  const english = await create('PED-7', { observacao: 'late' }, manager, { 'accept-language': 'en' });
  assertRefused(english, 406, new RegExp(`order ${id}, which cannot be changed`));
});

test('a finished order answers the same content and refuses other content', async () => {
  const id = await created('PED-8');
  const driver = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const [parada] = (await read(id)).paradas;
  assertOk(await operator.post(`/entregas/${id}/paradas/${parada.id}/concluir`));
  assert.equal((await read(id)).status_solicitacao, 'F');
  assert.equal(assertOk(await create('PED-8')).body.data.resultado, 'repetida');
  assertRefused(await create('PED-8', { forma_pagamento: 'X' }), 406, /não pode mais ser alterado/);
});

test('a cancelled order keeps its key: creating again is refused, with the same content too', async () => {
  const id = await created('PED-9');
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  assertRefused(await create('PED-9'), 406, new RegExp(`pedido ${id}`));
  assertRefused(await create('PED-9', { forma_pagamento: 'X' }), 406, new RegExp(`pedido ${id}`));
});

test('an order that was grouped into another cannot be edited by its key', async () => {
  const [grouper, id] = [await created('PED-10a'), await created('PED-10b')];
  const driver = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${grouper}/aceitar`, { condutor_id: driver }));
  assertOk(await operator.post(`/entregas/${grouper}/iniciar`));
  const other = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: other }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  assertOk(await manager.post(`/entregas/${grouper}/agrupar`, { solicitacoes_agrupadas: [Number(id)] }));
  assertRefused(await create('PED-10b', { observacao: 'outra' }), 406, new RegExp(`pedido ${id}`));
  assert.equal(assertOk(await create('PED-10b')).body.data.id_mch, id);
});

test('eight parallel creations with one key make one order', async () => {
  for (const [key, changes] of [
    ['ao-mesmo-tempo', {}],
    ['com crédito', { forma_pagamento: 'R' }],
    ['com cupom', { codigo_cupom: 'DEMO10' }],
  ] as const) {
    await setBalance(malote, 100_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(key, changes)));
    const ids = new Set(answers.map((answer) => assertOk(answer).body.data.id_mch));
    assert.equal(ids.size, 1);
    const results = countResults(answers);
    assert.deepEqual(results, { criada: 1, repetida: 7 });
    const { data } = assertOk(await manager.post('/entregas/consultar', { id_externo: key })).body;
    assert.deepEqual(
      data.map(({ id }: Json) => id),
      [...ids],
    );
  }
});

test('parallel creations with one key and different contents make one order, with one of the contents', async () => {
  const notes = Array.from({ length: 6 }, (_, index) => `observação ${index}`);
  const answers = await Promise.all(notes.map((observacao) => create('disputada', { observacao })));
  const ids = new Set(answers.map((answer) => assertOk(answer).body.data.id_mch));
  assert.equal(ids.size, 1);
  const results = countResults(answers);
  assert.deepEqual(results, { criada: 1, editada: 5 });
  const { note } = await deliveryRow(malote, Number([...ids][0]));
  assert.ok(notes.includes(note), note);
});

test('parallel edits to one content by one key edit once', async () => {
  const id = await created('PED-11');
  const answers = await Promise.all(Array.from({ length: 6 }, () => create('PED-11', { com_retorno: true })));
  const results = countResults(answers);
  assert.deepEqual(results, { editada: 1, repetida: 5 });
  const events = await eventsOfDelivery(malote, Number(id));
  assert.equal(events.filter(({ type }) => type === 'delivery.changed').length, 1);
});

test('a key is of one company; other companies, and orders without one, have their own', async () => {
  const mine = await created('PED-12');
  const theirs = await created('PED-12', {}, manager2);
  const nobodys = await created('PED-12', { cliente: person }, central);
  assert.equal(new Set([mine, theirs, nobodys]).size, 3);
  assert.deepEqual(assertOk(await create('PED-12', { empresa_id: 1 }, central)).body.data, {
    id_mch: mine,
    resultado: 'repetida',
  });
  assert.equal(
    assertOk(await create('PED-12', { cliente: { ...person, nome: 'Ana Luz Melo' } }, central)).body.data
      .resultado,
    'editada',
  );
  assert.equal((await read(nobodys, central)).nome_cliente, 'Ana Luz Melo');
});

test('eight parallel creations without a company make one order, too', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => create('pessoa', { cliente: person }, central)),
  );
  assert.equal(new Set(answers.map((answer) => assertOk(answer).body.data.id_mch)).size, 1);
});

test('an order is read by its key, in the shape of 2.1', async () => {
  const key = 'pedido nº 13/ü?#%&+ 𝒜';
  const id = await created(key);
  assert.equal(assertOk(await byKey(key)).text, assertOk(await manager.get(`/entregas/${id}`)).text);
  assertRefused(await byKey(key, manager2), 404, /entrega não encontrada/);
  assertRefused(await byKey(key, neighbour), 404, /entrega não encontrada/);
  assertRefused(await byKey('nunca vista'), 404, /entrega não encontrada/);
});

test('a central user says of which company a key is, where several have it', async () => {
  const [mine, theirs] = [await created('PED-14'), await created('PED-14', {}, manager2)];
  const refused = await byKey('PED-14', central);
  assertRefused(refused, 409, /mais de uma empresa/);
  assert.equal(refused.headers.get('x-error-kind'), 'external-id-ambiguous');
  assert.equal(assertOk(await byKey('PED-14', central, '?empresa_id=1')).body.data.id, mine);
  assert.equal(assertOk(await byKey('PED-14', central, '?empresa_id=2')).body.data.id, theirs);
  assertRefused(await byKey('PED-14', central, '?empresa_id=0'), 404, /não encontrada/);
  const nobodys = await created('PED-14', { cliente: person }, central);
  assert.equal(assertOk(await byKey('PED-14', central, '?empresa_id=0')).body.data.id, nobodys);
  assert.equal(assertOk(await byKey('PED-14', manager)).body.data.id, mine);
  assertRefused(await byKey('PED-14', manager, '?empresa_id=2'), 404, /não encontrada/);
  const only = await created('PED-14b');
  assert.equal(assertOk(await byKey('PED-14b', central)).body.data.id, only);
});

test('a key that is no text of 1 to 100 characters is refused', async () => {
  for (const wrong of ['', 'x'.repeat(101), 7, {}, [], true, 'a\u0000b', '\ud83d']) {
    const answer = await manager.post('/entregas', order({ id_externo: wrong }));
    assert.equal(answer.status, 400, JSON.stringify(wrong));
    assert.equal(answer.body.errors[0].code, 2);
    assert.match(answer.body.errors[0].message, /id_externo/);
  }
  await created('𝒜'.repeat(100));
  assert.equal(assertOk(await byKey('𝒜'.repeat(100))).status, 200);
  for (const path of ['x'.repeat(101), 'a%00b']) {
    const answer = await manager.get(`/entregas/externo/${path}`);
    assert.equal(answer.status, 400, path);
    assert.equal(answer.body.errors[0].code, 2);
    assert.match(answer.body.errors[0].message, /id_externo/);
  }
  for (const query of ['-1', 'x', '1.5']) {
    const answer = await manager.get(`/entregas/externo/PED-1?empresa_id=${query}`);
    assert.equal(answer.status, 400, query);
  }
});

test('the query filters by the key, together with other filters', async () => {
  const id = await created('PED-15', { forma_pagamento: 'X' });
  const found = async (body: object, login: Client = manager) =>
    assertOk(await login.post('/entregas/consultar', body)).body.data.map((each: Json) => each.id);
  assert.deepEqual(await found({ id_externo: 'PED-15' }), [id]);
  assert.deepEqual(await found({ id_externo: 'PED-15', tipo_pagamento: 'X', status_solicitacao: 'D' }), [id]);
  assert.deepEqual(await found({ id_externo: 'PED-15', tipo_pagamento: 'D' }), []);
  assert.deepEqual(await found({ id_externo: 'PED-15' }, manager2), []);
  assert.deepEqual(await found({ id_externo: 'ped-15' }), []);
  for (const id_externo of ['', 'x'.repeat(101), 5])
    assert.equal((await manager.post('/entregas/consultar', { id_externo })).status, 400);
});

test('every event of the delivery names its key', async () => {
  const id = await created('PED-16');
  const driver = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
  assertOk(await operator.post(`/entregas/${id}/desistir`, { condutor_id: driver }));
  assertOk(await create('PED-16', { paradas: [stop(3)] }));
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  const { data } = assertOk(await manager.get(`/entregas/${id}/detalhes`)).body;
  assert.ok(data.eventos.length >= 5);
  for (const { dados, tipo } of data.eventos) assert.equal(dados.id_externo, 'PED-16', tipo);
  const plain = assertOk(await manager.post('/entregas', order())).body.data.id_mch;
  const { data: without } = assertOk(await manager.get(`/entregas/${plain}/detalhes`)).body;
  for (const { dados } of without.eventos) assert.ok(!('id_externo' in dados));
  for (const { payload } of await eventsOfDelivery(malote, Number(plain))) assert.ok(!('ownKey' in payload));
});

test('an Idempotency-Key replays its answer; another one with the same content finds the order', async () => {
  const first = assertOk(await create('PED-17', {}, manager, { 'idempotency-key': 'chave-17' }));
  const again = assertOk(await create('PED-17', {}, manager, { 'idempotency-key': 'chave-17' }));
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const other = assertOk(await create('PED-17', {}, manager, { 'idempotency-key': 'chave-17b' }));
  assert.deepEqual(other.body.data, { ...first.body.data, resultado: 'repetida' });
  const changed = { observacao: 'outra' };
  assert.equal((await create('PED-17', changed, manager, { 'idempotency-key': 'chave-17' })).status, 409);
  const edited = await create('PED-17', changed, manager, { 'idempotency-key': 'chave-17c' });
  assert.equal(assertOk(edited).body.data.resultado, 'editada');
  const replayed = await create('PED-17', changed, manager, { 'idempotency-key': 'chave-17c' });
  assert.equal(replayed.text, edited.text);
});

test('parallel creations with one key and different Idempotency-Keys make one order', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      create('PED-18', {}, manager, { 'idempotency-key': `paralela-${index}` }),
    ),
  );
  assert.equal(new Set(answers.map((answer) => assertOk(answer).body.data.id_mch)).size, 1);
});

const quote = async (changes = {}): Promise<Json> =>
  assertOk(await manager.post('/entregas/cotacoes', order(changes))).body.data;

test('a request with a quote may be repeated by its key; a second quote of the same order stays unused', async () => {
  const { cotacao_id } = await quote();
  const id = await created('PED-19', { cotacao_id });
  assert.deepEqual(assertOk(await create('PED-19', { cotacao_id })).body.data, {
    id_mch: id,
    resultado: 'repetida',
  });
  const second = await quote();
  const again = assertOk(await create('PED-19', { cotacao_id: second.cotacao_id })).body.data;
  assert.deepEqual(again, { id_mch: id, resultado: 'repetida' });
  assertOk(await manager.post('/entregas', order({ cotacao_id: second.cotacao_id })));
});

test('eight parallel creations with one key and one quote make one order', async () => {
  const { cotacao_id } = await quote();
  const answers = await Promise.all(Array.from({ length: 8 }, () => create('PED-20', { cotacao_id })));
  assert.equal(new Set(answers.map((answer) => assertOk(answer).body.data.id_mch)).size, 1);
});

test('other content with a quote takes the price of the quote', async () => {
  const id = await created('PED-21');
  const paradas = [stop(5)];
  const made = await quote({ paradas });
  const answer = await create('PED-21', { paradas, cotacao_id: made.cotacao_id });
  assert.deepEqual(assertOk(answer).body.data, { id_mch: id, resultado: 'editada' });
  assert.equal((await read(id)).valor_corrida, made.estimativa_valor.toFixed(2));
  const reused = await create('PED-22', { paradas, cotacao_id: made.cotacao_id });
  assertRefused(reused, 409, /já foi usada/);
});

test('a refused creation leaves its key free', async () => {
  assertRefused(await create('PED-23', { codigo_cupom: 'NADA' }), 422, /cupom/);
  await created('PED-23');
});

test('the key costs a creation one statement', async () => {
  const send = (changes: Record<string, unknown>) => manager.post('/entregas', order(changes));
  const count = async (changes: Record<string, unknown>) =>
    (await countStatements(async () => assertOk(await send(changes)))).texts.length;
  for (const each of ['a', 'b', 'c', 'd', 'e']) await send({ id_externo: `conta-${each}` });
  const counts = { plain: [] as number[], keyed: [] as number[] };
  // A block of ids may run out during one of them.
  for (const each of ['f', 'g', 'h']) {
    counts.plain.push(await count({}));
    counts.keyed.push(await count({ id_externo: `conta-${each}` }));
  }
  assert.equal(Math.min(...counts.plain), 1);
  assert.equal(Math.min(...counts.keyed), 2);
  assert.equal(await count({ id_externo: 'conta-h' }), 1);
});

test('the console’s detail shows the key', async () => {
  const id = await created('ERP-99241');
  assert.equal(assertOk(await operator.get(`/entregas/${id}`)).body.data.id_externo, 'ERP-99241');
  const plain = assertOk(await manager.post('/entregas', order({ partida: pickup }))).body.data.id_mch;
  assert.ok(!('id_externo' in assertOk(await operator.get(`/entregas/${plain}`)).body.data));
});
