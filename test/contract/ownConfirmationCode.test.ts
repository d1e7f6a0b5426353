import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complainedFields } from '../support/envelope.ts';
import { groupIntoDelivery } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, scheduledOrder, stop } from '../support/orders.ts';
import { dispatched, dispatchNow, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

// Contract 2.7: a stop's own codigo_confirmacao (4 digits) is kept.
const malote = await startMalote();
const { manager, operator } = malote;
await malote.configure({ confirmationCode: true });

const withCodes = (...codes: unknown[]) => ({
  paradas: codes.map((codigo_confirmacao, index) => ({ ...stop(index), codigo_confirmacao })),
});
const codesOf = async (id: number): Promise<(number | null)[]> =>
  assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data.map(
    (row: { codigo_confirmacao: number | null }) => row.codigo_confirmacao,
  );

test('POST /entregas: a code as text or integer -> links-rastreio answers it as an integer', async () => {
  const { id } = await openDelivery(malote, withCodes('4821', 1234, '0123', '0000'));
  assert.deepEqual(await codesOf(id), [4821, 1234, 123, 0]);
});

test('POST /entregas: no code, or null -> one is made', async () => {
  const { id } = await openDelivery(malote, withCodes(null, undefined, '7777'));
  const codes = await codesOf(id);
  assert.ok(codes.slice(0, 2).every((code) => code !== null && code >= 1000 && code <= 9999));
  assert.equal(codes[2], 7777);
});

test('a code that is not of four digits -> 400, named, also when scheduled and edited', async () => {
  const wrong = withCodes('123', '12345', 'abcd', '', 123, 12_345, 4821.5, true, '٠١٢٣');
  const fields = wrong.paradas.map((_, index) => `paradas[${index}].codigo_confirmacao`);
  assert.deepEqual(complainedFields(await manager.post('/entregas', order(wrong))), fields);
  assert.deepEqual(
    complainedFields(await manager.post('/entregas/programadas', scheduledOrder(wrong))),
    fields,
  );
  const id = await schedule(manager);
  const edited = await manager.put(`/entregas/programadas/${id}`, scheduledOrder(wrong));
  assert.deepEqual(complainedFields(edited), fields);
});

test('a scheduled delivery -> its codes survive edit, grouping and dispatch', async () => {
  const grouper = await schedule(manager, withCodes('1111'));
  const other = await schedule(manager, { paradas: [{ ...stop(1), codigo_confirmacao: '0222' }] });
  const edit = { data: '16/11/2026', hora: '13:00:00', forma_pagamento: 'D', partida: pickup };
  assertOk(await manager.put(`/entregas/programadas/${grouper}`, { ...edit, ...withCodes('0333') }));
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
  );
  await dispatchNow(malote, grouper);
  const { id_mch } = assertOk(await manager.get(`/entregas/programadas/${grouper}`)).body.data;
  assert.deepEqual(
    (await codesOf(Number(id_mch))).toSorted((a, b) => Number(a) - Number(b)),
    [222, 333],
  );
});

test('a scheduled delivery grouped into one in progress -> its code goes along', async () => {
  const running = await deliveryIn(malote, 'in_progress');
  const scheduledId = await schedule(manager, { paradas: [{ ...stop(2), codigo_confirmacao: '0456' }] });
  assertOk(await groupIntoDelivery(malote, running.id, [scheduledId]));
  assert.ok((await codesOf(running.id)).includes(456));
});

test('the driver concludes with the recipient’s own code, and with no other', async () => {
  const { deliveryId } = await dispatched(malote, withCodes('0123', '0009'), 2);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${deliveryId}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${deliveryId}/iniciar`));
  const stops = assertOk(await manager.get(`/entregas/${deliveryId}`)).body.data.paradas;
  const conclude = (index: number, codigo_confirmacao: number) =>
    operator.post(`/entregas/${deliveryId}/paradas/${stops[index].id}/concluir`, { codigo_confirmacao });
  assertRefused(await conclude(0, 1230), 422, /código de confirmação incorreto/);
  assertOk(await conclude(0, 123));
  assertOk(await conclude(1, 9));
});

test('the recipient’s page shows all four digits', async () => {
  const { id } = await openDelivery(malote, withCodes('0042'));
  const [{ link_rastreio }] = assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
  const page = await (await fetch(link_rastreio)).text();
  assert.match(page, />\s*0042\s*</);
});

test('a central that asks for no codes -> null, and the code is kept for when it does', async () => {
  const { id } = await openDelivery(malote, withCodes('0815'));
  await malote.configure({ confirmationCode: false });
  assert.deepEqual(await codesOf(id), [null]);
  await malote.configure({ confirmationCode: true });
  assert.deepEqual(await codesOf(id), [815]);
});
