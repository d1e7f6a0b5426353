import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { newestEvent } from '../support/rows.ts';
import { dispatchAll, eventsOfScheduled, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();

const codesOf = (body: { errors: { code: number; message: string }[] }) =>
  body.errors.map(({ code }) => code);

test('answers with the scheduled id as a string', async () => {
  const answer = await malote.manager.post('/entregas/programadas', scheduledOrder());
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['success', 'data']);
  assert.deepEqual(Object.keys(answer.body.data), ['id_mch']);
  assert.match(answer.body.data.id_mch, /^\d+$/);
});

test('a central user names the company, or the person it is for', async () => {
  const corporate = await malote.central.post('/entregas/programadas', scheduledOrder({ empresa_id: 2 }));
  assert.equal(corporate.status, 200, corporate.text);
  const seen = await malote.manager2.get(`/entregas/programadas/${corporate.body.data.id_mch}`);
  assert.deepEqual(seen.body.data.empresa, { id: '2', nome: 'Farmácia Guaíba' });

  const personal = await malote.central.post(
    '/entregas/programadas',
    scheduledOrder({ categoria_nome: 'moto', cliente: { nome: 'Rita', cpf: '529.982.247-25' } }),
  );
  assert.equal(personal.status, 200, personal.text);
  const read = await malote.central.get(`/entregas/programadas/${personal.body.data.id_mch}`);
  assert.deepEqual(read.body.data.empresa, { id: null, nome: null });
});

test('everything that is wrong with a body comes back at once, one entry per field', async () => {
  const body = order({ forma_pagamento: 'V', paradas: [], data: '31/02/2027' });
  const answer = await malote.manager.post('/entregas/programadas', body);
  assert.equal(answer.status, 400);
  assert.equal(answer.body.success, false);
  const fields = answer.body.errors.map(
    (problem: { message: string }) => /^'([^']+)': ./.exec(problem.message)?.[1],
  );
  assert.deepEqual(fields.toSorted(), ['data', 'forma_pagamento', 'hora', 'paradas']);
  assert.deepEqual(new Set(codesOf(answer.body)), new Set([2]));
});

for (const [what, changes] of [
  ['an hour that no clock shows', { hora: '24:00:00' }],
  ['a date in another order', { data: '2026-11-16' }],
  ['a date beyond what can be stored', { data: '31/12/9999' }],
  ['eleven stops', { paradas: Array.from({ length: 11 }, (_, index) => stop(index)) }],
  ['no stops', { paradas: [] }],
  ['coordinates as numbers', { partida: { ...order().partida, lat: -30.03 } }],
] as const)
  test(`refuses ${what} with 400 and code 2`, async () => {
    const answer = await malote.manager.post('/entregas/programadas', scheduledOrder(changes));
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(codesOf(answer.body), [2]);
  });

for (const [status, what, changes] of [
  [422, 'a dispatch in the past', { hora: '11:59:59' }],
  [422, 'a dispatch at this very second', { hora: '12:00:00' }],
  [422, 'a point outside the operating areas', { paradas: [{ ...stop(), lat_parada: '-10.0' }] }],
  [404, 'a category that is not there', { categoria_id: 999 }],
  [422, 'a category and another name', { categoria_id: 1, categoria_nome: 'Carro' }],
  [422, 'a coupon that is not there', { codigo_cupom: 'NUNCA' }],
  [404, "another company than the manager's own", { empresa_id: 2 }],
] as const)
  test(`refuses ${what} with ${status} and code 0`, async () => {
    const answer = await malote.manager.post('/entregas/programadas', scheduledOrder(changes));
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(codesOf(answer.body), [0]);
  });

test('a company of another central is the same as none', async () => {
  const answer = await malote.central.post('/entregas/programadas', scheduledOrder({ empresa_id: 10000001 }));
  assert.equal(answer.status, 404);
});

test('credits are not asked for before dispatch, but a company is', async () => {
  const company = await malote.manager.post(
    '/entregas/programadas',
    scheduledOrder({ forma_pagamento: 'R' }),
  );
  assert.equal(company.status, 200, company.text);
  const person = await malote.central.post(
    '/entregas/programadas',
    scheduledOrder({
      forma_pagamento: 'R',
      categoria_id: 1,
      cliente: { nome: 'Rita', cpf: '52998224725' },
    }),
  );
  assert.equal(person.status, 422);
});

test('the same Idempotency-Key schedules once', async () => {
  const headers = { 'idempotency-key': 'one-order' };
  const first = await malote.manager.post('/entregas/programadas', scheduledOrder(), headers);
  const again = await malote.manager.post('/entregas/programadas', scheduledOrder(), headers);
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(again.body, first.body);
  const other = await malote.manager.post(
    '/entregas/programadas',
    scheduledOrder({ hora: '14:00:00' }),
    headers,
  );
  assert.equal(other.status, 409);
});

test('a driver may not schedule', async () => {
  const headers = { authorization: `Basic ${btoa('condutor1:demo')}` };
  const answer = await malote.central.post('/entregas/programadas', scheduledOrder(), headers);
  assert.equal(answer.status, 403);
});

test('the creation is recorded as an event of its company', async () => {
  const created = await malote.manager.post('/entregas/programadas', scheduledOrder());
  const events = await eventsOfScheduled(malote, Number(created.body.data.id_mch));
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [['scheduled.changed', 1]],
  );
  assert.equal((await newestEvent(malote)).company_id, 1);
});

const { central, manager, operator } = malote;
const credits = '/entregas/empresas/creditos';
const bakery = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
const byCredit = (changes: Record<string, unknown> = {}, stops = 1) =>
  scheduledOrder({ forma_pagamento: 'R', ...changes }, stops);
const create = (changes: Record<string, unknown> = {}, stops = 1) =>
  manager.post('/entregas/programadas', byCredit(changes, stops));
const edit = (id: number, changes: Record<string, unknown> = {}, stops = 1) =>
  manager.put(`/entregas/programadas/${id}`, byCredit(changes, stops));
const LACKING = /^saldo insuficiente na carteira de créditos da empresa$/;

const cents = (amount: string | number): number => Math.round(Number(amount) * 100);
const statement = async () => (await operator.get('/empresas/1/extrato')).body.data;
const priceOf = async (id: number): Promise<number> =>
  cents((await operator.get(`/programadas/${id}`)).body.data.valor);

/** Cancels everything that waits, and sets the wallet to exactly this balance. */
async function begin(balance: number): Promise<void> {
  const { body } = await operator.get('/programadas?situacao=A&limite=100');
  for (const { id_mch_programada: id } of body.data)
    assertOk(await operator.post(`/programadas/${id}/cancelar`, {}));
  const { saldo, saldo_programadas } = await statement();
  assert.equal(saldo_programadas, '0.00');
  const difference = balance - cents(saldo);
  if (difference === 0) return;
  const way = difference > 0 ? 'recargas' : 'saques';
  assertOk(await central.post(`${credits}/${way}`, { valor: Math.abs(difference) / 100, empresa: bakery }));
}

/** The price of a delivery with this number of stops. */
async function costOf(stops: number): Promise<number> {
  const id = await schedule(manager, {}, stops);
  const price = await priceOf(id);
  assertOk(await operator.post(`/programadas/${id}/cancelar`, {}));
  return price;
}
const price = await costOf(1);
const three = await costOf(3);

test('a scheduled delivery that the balance covers to the cent is created, and nothing is reserved yet', async () => {
  await begin(price);
  assertOk(await create());
  const { saldo, saldo_programadas } = await statement();
  assert.equal(cents(saldo), price);
  assert.equal(cents(saldo_programadas), price);
});

test('a scheduled delivery that the balance does not cover is refused, and none is made', async () => {
  await begin(price - 1);
  assertRefused(await create(), 422, LACKING);
  assertOk(await create({ forma_pagamento: 'D' }));
  assert.equal((await statement()).saldo_programadas, '0.00');
});

test('a free scheduled delivery needs no credit', async () => {
  await begin(0);
  const coupon = { codigo: 'TUDO', percentual: '100.00' };
  assertOk(await operator.post('/cupons', coupon));
  assertOk(await create({ codigo_cupom: 'TUDO' }));
});

test('credit for other waiting deliveries is counted until they are cancelled or dispatched', async () => {
  await begin(2 * price);
  const first = Number(assertOk(await create()).body.data.id_mch);
  assertOk(await create());
  assertRefused(await create(), 422, LACKING);
  assertOk(await operator.post(`/programadas/${first}/cancelar`, {}));
  assertOk(await create());
  assertRefused(await create(), 422, LACKING);
  malote.clock.advance({ hours: 2 });
  await dispatchAll(malote);
  assert.equal((await statement()).saldo, '0.00');
  assertOk(await central.post(`${credits}/recargas`, { valor: price / 100, empresa: bakery }));
  assertOk(await create({ data: '17/11/2026' }));
});

test('concurrent creations are accepted only as far as the balance covers them', async () => {
  await begin(3 * price + 1);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create({ data: '17/11/2026' })));
  assert.deepEqual(countStatuses(answers), { 200: 3, 422: 9 });
  assert.equal(cents((await statement()).saldo_programadas), 3 * price);
});

test('an edit to credit, or to a higher price, is refused where it is not covered, and changes nothing', async () => {
  await begin(price + 1);
  const cash = await schedule(manager, { data: '17/11/2026' });
  const paid = Number(assertOk(await create({ data: '17/11/2026' })).body.data.id_mch);
  const before = await Promise.all([readScheduled(manager, cash), readScheduled(manager, paid)]);
  assertRefused(await edit(cash, { data: '17/11/2026' }), 422, LACKING);
  assertRefused(await edit(paid, { data: '17/11/2026' }, 3), 422, LACKING);
  assert.deepEqual(await Promise.all([readScheduled(manager, cash), readScheduled(manager, paid)]), before);
  assertOk(await edit(paid, { data: '17/11/2026', hora: '14:00:00' }));
  assertOk(await edit(paid, { data: '17/11/2026', forma_pagamento: 'D' }, 3));
  assertOk(await edit(cash, { data: '17/11/2026' }));
});

test('edits and creations at once never count on the same credit', async () => {
  await begin(4 * price);
  const data = '17/11/2026';
  const ids = [
    await schedule(manager, { data }),
    await schedule(manager, { data }),
    await schedule(manager, { data }),
  ];
  const answers = await Promise.all([
    ...ids.map((id) => edit(id, { data })),
    ...Array.from({ length: 5 }, () => create({ data })),
  ]);
  assert.deepEqual(countStatuses(answers), { 200: 4, 422: 4 });
  assert.equal(cents((await statement()).saldo_programadas), 4 * price);
});

test('grouping into one that pays by credit is refused where the joint price is not covered', async () => {
  await begin(price);
  const data = '17/11/2026';
  const grouper = Number(assertOk(await create({ data })).body.data.id_mch);
  const other = await schedule(manager, { data }, 2);
  const body = { programadas_agrupadas: [other] };
  assertRefused(await manager.post(`/entregas/programadas/${grouper}/agrupar`, body), 422, LACKING);
  assertRefused(await operator.post(`/programadas/${grouper}/simular-agrupamento`, body), 422, LACKING);
  assert.equal((await readScheduled(manager, other)).situacao, 'A');
  assertOk(await central.post(`${credits}/recargas`, { valor: (2 * three) / 100, empresa: bakery }));
  assertOk(await operator.post(`/programadas/${grouper}/simular-agrupamento`, body));
  assertOk(await manager.post(`/entregas/programadas/${grouper}/agrupar`, body));
  assert.equal(cents((await statement()).saldo_programadas), await priceOf(grouper));
});

test('a group that takes no more than its parts is made although the credit was spent meanwhile', async () => {
  await begin(2 * price);
  const data = '17/11/2026';
  const grouper = Number(assertOk(await create({ data })).body.data.id_mch);
  const other = Number(assertOk(await create({ data })).body.data.id_mch);
  assertOk(await central.post(`${credits}/saques`, { valor: (2 * price) / 100, empresa: bakery }));
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
  );
});

test('a stop is removed whatever the balance, and the price that falls frees credit for others', async () => {
  await begin(three);
  const data = '17/11/2026';
  const id = Number(assertOk(await create({ data }, 3)).body.data.id_mch);
  assertRefused(await create({ data }), 422, LACKING);
  assertOk(await central.post(`${credits}/saques`, { valor: price / 100, empresa: bakery }));
  const stops = (await readScheduled(manager, id)).paradas;
  for (const { id: stopId } of stops.slice(1))
    assertOk(await manager.delete(`/entregas/programadas/${id}/paradas/${stopId}`));
  assert.equal(cents((await statement()).saldo_programadas), await priceOf(id));
});

test('credit withdrawn meanwhile is missing at dispatch, and a top-up before it is enough', async () => {
  const data = '18/11/2026';
  await begin(2 * price);
  const lost = Number(assertOk(await create({ data, hora: '10:00:00' })).body.data.id_mch);
  const saved = Number(assertOk(await create({ data, hora: '11:00:00' })).body.data.id_mch);
  assertOk(await central.post(`${credits}/saques`, { valor: (2 * price) / 100, empresa: bakery }));
  malote.clock.advance({ hours: 44, minutes: 30 });
  await dispatchAll(malote);
  assert.equal((await readScheduled(manager, lost)).situacao, 'X');
  assertOk(await central.post(`${credits}/recargas`, { valor: price / 100, empresa: bakery }));
  malote.clock.advance({ hours: 1 });
  await dispatchAll(malote);
  assert.equal((await readScheduled(manager, saved)).situacao, 'D');
  assert.equal((await statement()).saldo, '0.00');
});
