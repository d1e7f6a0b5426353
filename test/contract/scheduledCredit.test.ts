import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder } from '../support/orders.ts';
import { dispatchAll, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
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

/** Nothing waits any more, and the wallet holds exactly this. */
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

/** What one with so many stops costs. */
async function costOf(stops: number): Promise<number> {
  const id = await schedule(manager, {}, stops);
  const price = await priceOf(id);
  assertOk(await operator.post(`/programadas/${id}/cancelar`, {}));
  return price;
}
const one = await costOf(1);
const three = await costOf(3);

test('one that the balance covers to the cent is created, and nothing is reserved yet', async () => {
  await begin(one);
  assertOk(await create());
  const { saldo, saldo_programadas } = await statement();
  assert.equal(cents(saldo), one);
  assert.equal(cents(saldo_programadas), one);
});

test('one that the balance does not cover is refused, and none is made', async () => {
  await begin(one - 1);
  assertRefused(await create(), 422, LACKING);
  assertOk(await create({ forma_pagamento: 'D' }));
  assert.equal((await statement()).saldo_programadas, '0.00');
});

test('one that is free needs no credit', async () => {
  await begin(0);
  const coupon = { codigo: 'TUDO', percentual: '100.00' };
  assertOk(await operator.post('/cupons', coupon));
  assertOk(await create({ codigo_cupom: 'TUDO' }));
});

test('what others that wait will take is counted, and no longer once they are cancelled or have left', async () => {
  await begin(2 * one);
  const first = Number(assertOk(await create()).body.data.id_mch);
  assertOk(await create());
  assertRefused(await create(), 422, LACKING);
  assertOk(await operator.post(`/programadas/${first}/cancelar`, {}));
  assertOk(await create());
  assertRefused(await create(), 422, LACKING);
  malote.clock.advance({ hours: 2 });
  await dispatchAll(malote);
  assert.equal((await statement()).saldo, '0.00');
  assertOk(await central.post(`${credits}/recargas`, { valor: one / 100, empresa: bakery }));
  assertOk(await create({ data: '17/11/2026' }));
});

test('of many created at once no more are accepted than the balance covers', async () => {
  await begin(3 * one + 1);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create({ data: '17/11/2026' })));
  assert.deepEqual(countStatuses(answers), { 200: 3, 422: 9 });
  assert.equal(cents((await statement()).saldo_programadas), 3 * one);
});

test('an edit to credit, or to a higher price, is refused where it is not covered, and changes nothing', async () => {
  await begin(one + 1);
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
  await begin(4 * one);
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
  assert.equal(cents((await statement()).saldo_programadas), 4 * one);
});

test('grouping into one that pays by credit is refused where the joint price is not covered', async () => {
  await begin(one);
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
  await begin(2 * one);
  const data = '17/11/2026';
  const grouper = Number(assertOk(await create({ data })).body.data.id_mch);
  const other = Number(assertOk(await create({ data })).body.data.id_mch);
  assertOk(await central.post(`${credits}/saques`, { valor: (2 * one) / 100, empresa: bakery }));
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
  );
});

test('a stop is removed whatever the balance, and the price that falls frees credit for others', async () => {
  await begin(three);
  const data = '17/11/2026';
  const id = Number(assertOk(await create({ data }, 3)).body.data.id_mch);
  assertRefused(await create({ data }), 422, LACKING);
  assertOk(await central.post(`${credits}/saques`, { valor: one / 100, empresa: bakery }));
  const stops = (await readScheduled(manager, id)).paradas;
  for (const { id: stopId } of stops.slice(1))
    assertOk(await manager.delete(`/entregas/programadas/${id}/paradas/${stopId}`));
  assert.equal(cents((await statement()).saldo_programadas), await priceOf(id));
});

test('what was withdrawn meanwhile is missed at dispatch, and a top-up before it is enough', async () => {
  const data = '18/11/2026';
  await begin(2 * one);
  const lost = Number(assertOk(await create({ data, hora: '10:00:00' })).body.data.id_mch);
  const saved = Number(assertOk(await create({ data, hora: '11:00:00' })).body.data.id_mch);
  assertOk(await central.post(`${credits}/saques`, { valor: (2 * one) / 100, empresa: bakery }));
  malote.clock.advance({ hours: 44, minutes: 30 });
  await dispatchAll(malote);
  assert.equal((await readScheduled(manager, lost)).situacao, 'X');
  assertOk(await central.post(`${credits}/recargas`, { valor: one / 100, empresa: bakery }));
  malote.clock.advance({ hours: 1 });
  await dispatchAll(malote);
  assert.equal((await readScheduled(manager, saved)).situacao, 'D');
  assert.equal((await statement()).saldo, '0.00');
});
