import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import type { Answer, Client, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, pickup, places, scheduledOrder } from '../support/orders.ts';
import { dispatchAll, readScheduled } from '../support/scheduled.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, operator, clock } = malote;
const person = { nome: 'Ana Luz', cpf: '529.982.247-25' };

async function quote(body: Record<string, unknown> = order(), login: Client = manager): Promise<Json> {
  return assertOk(await login.post('/entregas/cotacoes', body)).body.data;
}

const create = (cotacao_id: string, changes = {}, login: Client = manager, stops = 1): Promise<Answer> =>
  login.post('/entregas', order({ cotacao_id, ...changes }, stops));

const priceOf = async (answer: Answer, login: Client = manager): Promise<string> => {
  const id = assertOk(answer).body.data.id_mch;
  return (await login.get(`/entregas/${id}`)).body.data.valor_corrida;
};

const tariffCosts = async (base: string): Promise<void> => {
  const { body } = assertOk(await operator.get('/tarifas'));
  for (const { id, ...tariff } of body.data)
    assertOk(await operator.put(`/tarifas/${id}`, { ...tariff, bandeirada: base }));
};

test('a quote says the price with its parts, minutes, kilometres, arrival, and until when it holds', async () => {
  const now = clock.now();
  const made = await quote(order({}, 3));
  assert.match(made.cotacao_id, /^cot_[\w-]{22}$/);
  assert.equal(made.valida_ate, now.add({ minutes: 10 }).toString({ smallestUnit: 'second' }));
  assert.equal(typeof made.estimativa_valor, 'number');
  assert.ok(Number.isInteger(made.estimativa_minutos));
  assert.ok(made.estimativa_km > 0);
  assert.deepEqual(made.partida, { lat: Number(pickup.lat), lng: Number(pickup.lng) });
  const cents = made.linhas.reduce((sum: number, { valor }: Json) => sum + Math.round(100 * valor), 0);
  assert.equal(cents, Math.round(100 * made.estimativa_valor));
  assert.ok(made.linhas.some(({ tipo }: Json) => tipo === 'paradas_extras'));
  const [from, until] = [made.chegada.de, made.chegada.ate].map((at) => Temporal.Instant.from(at));
  assert.ok(Temporal.Instant.compare(now, from!) < 0 && Temporal.Instant.compare(from!, until!) < 0);
});

test('a quote costs what an estimate of the same trip costs', async () => {
  const { body } = assertOk(await manager.post('/entregas/empresas/1/estimativas', estimate()));
  const made = await quote();
  for (const field of ['estimativa_valor', 'estimativa_minutos', 'estimativa_km', 'tarifa_nome'] as const)
    assert.equal(made[field], body.data[field]);
});

test('an order with a quote pays exactly that, whatever the tariff has become', async () => {
  const made = await quote();
  const scheduled = await quote(scheduledOrder({ data: '20/11/2026' }));
  await tariffCosts('55.00');
  const dearer = await priceOf(await manager.post('/entregas', order()));
  assert.ok(Number(dearer) > made.estimativa_valor + 20);
  assert.equal(await priceOf(await create(made.cotacao_id)), made.estimativa_valor.toFixed(2));
  const planned = await manager.post(
    '/entregas/programadas',
    scheduledOrder({ data: '20/11/2026', cotacao_id: scheduled.cotacao_id }),
  );
  const id = Number(assertOk(planned).body.data.id_mch);
  const { valor } = await readScheduled(manager, id);
  assert.equal(valor.estimado, scheduled.estimativa_valor.toFixed(2));
  clock.advance({ hours: 24 * 5 });
  await dispatchAll(malote);
  const { id_mch } = await readScheduled(manager, id);
  const dispatched = await manager.get(`/entregas/${id_mch}`);
  assert.equal(dispatched.body.data.valor_corrida, scheduled.estimativa_valor.toFixed(2));
  await tariffCosts('5.00');
});

test('a single destination is quoted like one stop, and ordered as one', async () => {
  const { paradas: _stops, forma_pagamento: _payment, ...rest } = order();
  const destino = { endereco: 'Avenida Ipiranga, 1', bairro: 'Azenha', ...places[0] };
  const made = await quote({ ...rest, destino });
  assertOk(await create(made.cotacao_id));
});

test('what decides neither price nor route may be given with the order only', async () => {
  const made = await quote(order({ paradas: [{ ...order().paradas[0], nome_cliente_parada: 'Outro' }] }));
  assertOk(await create(made.cotacao_id, { forma_pagamento: 'X', observacao: 'portão azul' }));
});

test('a coupon of a quote is taken with its percentage of that time', async () => {
  const coupon = assertOk(await operator.post('/cupons', { codigo: 'COTADO', percentual: '50.00' }));
  const plain = await quote();
  const made = await quote(order({ codigo_cupom: 'cotado' }));
  assert.equal(made.valor_original, plain.estimativa_valor.toFixed(2));
  assert.ok(made.estimativa_valor <= plain.estimativa_valor / 2 + 0.01);
  const { id, ...fields } = coupon.body.data;
  assertOk(await operator.put(`/cupons/${id}`, { ...fields, codigo: 'COTADO', percentual: '1.00' }));
  const opened = await create(made.cotacao_id, { codigo_cupom: 'COTADO' });
  assert.equal(await priceOf(opened), made.estimativa_valor.toFixed(2));
  assertRefused(await manager.post('/entregas/cotacoes', order({ codigo_cupom: 'nada' })), 422, /^cupom/);
});

test('an estimate takes a coupon', async () => {
  assertOk(await operator.post('/cupons', { codigo: 'METADE', percentual: '50.00' }));
  const path = '/entregas/empresas/1/estimativas';
  const { body: plain } = assertOk(await manager.post(path, estimate()));
  const { body: half } = assertOk(await manager.post(path, estimate({ codigo_cupom: 'metade' })));
  assert.ok(Math.abs(half.data.estimativa_valor - plain.data.estimativa_valor / 2) < 0.011);
  assertRefused(await manager.post(path, estimate({ codigo_cupom: 'nada' })), 422, /^cupom/);
});

test('an expired quote is refused, one that was deleted is not found', async () => {
  const made = await quote();
  clock.advance({ minutes: 10 });
  assertRefused(await create(made.cotacao_id), 406, /venceu/);
  clock.advance({ hours: 24 });
  await tidyUp(malote.app.deps);
  assertRefused(await create(made.cotacao_id), 404, /cotação não encontrada/);
});

test('how long a quote holds is a setting of the central', async () => {
  assertOk(await operator.put('/configuracoes', { cotacao_minutos: 45 }));
  const { valida_ate } = await quote();
  assert.equal(valida_ate, clock.now().add({ minutes: 45 }).toString({ smallestUnit: 'second' }));
  assertOk(await operator.put('/configuracoes', { cotacao_minutos: 10 }));
});

test('a quote is good for one order, however many try at once', async () => {
  const made = await quote();
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(made.cotacao_id)));
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 7 });
  assertRefused(await create(made.cotacao_id), 409, /já foi usada/);
});

test('a refused order leaves its quote unused', async () => {
  const made = await quote();
  const { saldo } = (await operator.get('/empresas/1/extrato')).body.data;
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await central.post('/entregas/empresas/creditos/saques', { valor: Number(saldo), empresa }));
  assertRefused(await create(made.cotacao_id, { forma_pagamento: 'R' }), 422, /saldo/);
  assertOk(await create(made.cotacao_id));
});

test('a repeated request with its Idempotency-Key gets the same delivery', async () => {
  const body = order({ cotacao_id: (await quote()).cotacao_id });
  const send = () => manager.post('/entregas', body, { 'idempotency-key': 'cotada-1' });
  const [first, again] = [await send(), await send()];
  assert.equal(assertOk(first).body.data.id_mch, assertOk(again).body.data.id_mch);
});

const moved = { ...order().paradas[0]!, ...{ lat_parada: '-30.0490' } };
for (const [what, changes] of [
  ['another stop', { paradas: [moved] }],
  ['another pickup', { partida: { ...pickup, lng: '-51.2304' } }],
  ['one more stop', { paradas: order({}, 2).paradas }],
  ['a way back', { com_retorno: true }],
  ['another category', { categoria_nome: 'Carro' }],
  ['a coupon', { codigo_cupom: 'METADE' }],
] as const)
  test(`an order with ${what} is not the one that was quoted`, async () => {
    assertRefused(await create((await quote()).cotacao_id, changes), 422, /difere da cotação/);
  });

test('a quote for now is not one for later, and the other way round', async () => {
  const later = scheduledOrder({ data: '30/11/2026' });
  const now = (await quote()).cotacao_id;
  assertRefused(
    await manager.post('/entregas/programadas', { ...later, cotacao_id: now }),
    422,
    /difere da cotação/,
  );
  assertRefused(await create((await quote(later)).cotacao_id), 422, /difere da cotação/);
});

test('a quote of another company, person or central gives nothing away', async () => {
  const made = await quote();
  assertRefused(await create(made.cotacao_id, {}, manager2), 404, /cotação não encontrada/);
  assertRefused(await create(made.cotacao_id, { empresa_id: 2 }, central), 422, /outra empresa/);
  const own = await quote(order({ cliente: person, categoria_id: 1 }), central);
  const other = { cliente: { ...person, cpf: '111.444.777-35' }, categoria_id: 1 };
  assertRefused(await create(own.cotacao_id, other, central), 422, /difere da cotação/);
  assertOk(await create(own.cotacao_id, { cliente: person, categoria_id: 1 }, central));
  for (const forged of ['cot_AAAAAAAAAAAAAAAAAAAAAA', "cot_' or 1=1 --", 'x'])
    assertRefused(await create(forged), 404, /cotação não encontrada/);
});

test('a body without stops, with both kinds of them, or with half a time is refused field by field', async () => {
  const { paradas: _stops, ...rest } = order();
  const destino = { endereco: 'Avenida Ipiranga, 1', bairro: 'Azenha', ...places[0] };
  for (const [body, field] of [
    [rest, 'paradas'],
    [order({ destino }), 'paradas'],
    [order({ data: '30/11/2026' }), 'hora'],
    [{ ...rest, destino: { ...destino, lat: undefined } }, 'destino.lat'],
  ] as const) {
    const answer = await manager.post('/entregas/cotacoes', body);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(
      answer.body.errors.map(({ message }: Json) => /^'([^']+)'/.exec(message)![1]),
      [field],
    );
  }
  const past = order({ data: '15/11/2026', hora: '10:00:00' });
  assertRefused(await manager.post('/entregas/cotacoes', past), 422, /futuro/);
});
