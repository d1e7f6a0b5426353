import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { changeRecord } from '../support/registers.ts';
import { balanceCents, deliveryRow, entriesOf } from '../support/rows.ts';
import { eventsOfDelivery } from '../support/scheduled.ts';
import {
  allOf,
  assertOk,
  assertRefused,
  countStatuses,
  deliveryIn,
  newDriver,
  openDelivery,
} from '../support/steps.ts';

// Contract 4.8.
const malote = await startMalote();

const balance = () => balanceCents(malote);
const statusOf = async (id: number): Promise<string> =>
  assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data.status;

test('a cancelled delivery is C, with the moment and the reason', async () => {
  const { id } = await openDelivery(malote);
  const answer = await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 7 });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, message: 'entrega cancelada' });
  assert.equal(await statusOf(id), 'C');
  const { data } = assertOk(await malote.manager.get(`/entregas/${id}`)).body;
  assert.equal(data.status_solicitacao, 'C');
  assert.equal(data.data_hora_cancelamento, '2026-11-16 12:00:00');
  assert.equal(data.data_hora_cancelamento_utc, '2026-11-16T15:00:00Z');
  assert.equal((await deliveryRow(malote, id)).cancellation_reason_id, 7);
});

test('the message is English on request', async () => {
  const { id } = await openDelivery(malote);
  const answer = await malote.manager.post(
    `/entregas/${id}/cancelar`,
    { motivo_id: 1 },
    { 'accept-language': 'en' },
  );
  assert.equal(answer.body.message, 'delivery cancelled');
});

test('the reserve returns to the balance, once', async () => {
  const before = await balance();
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const reserved = before - (await balance());
  assert.ok(reserved > 0);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 })),
  );
  assert.deepEqual(countStatuses(answers), { 200: 1, 406: 4 });
  assert.equal(await balance(), before);
  assert.deepEqual(await entriesOf(malote, id), [
    ['reserve', -reserved],
    ['release', reserved],
  ]);
});

test('the reason must exist and be active, in this central', async (t) => {
  const { id } = await openDelivery(malote);
  await changeRecord(t, malote.operator, '/motivos-cancelamento/13', { ativo: false });
  const before = await allOf(malote, id);
  for (const reasonId of [13, 14, 2_147_483_648, Number.MAX_SAFE_INTEGER])
    assertRefused(
      await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: reasonId }),
      404,
      /motivo de cancelamento não encontrado/,
    );
  assert.deepEqual(await allOf(malote, id), before);
});

for (const [body, message] of [
  [{}, "'motivo_id': é obrigatório"],
  [undefined, "'motivo_id': é obrigatório"],
  [{ motivo_id: '2' }, "'motivo_id': deve ser número inteiro"],
  [{ motivo_id: 1.5 }, "'motivo_id': deve ser número inteiro"],
  [{ motivo_id: 0 }, "'motivo_id': deve ser no mínimo 1"],
  [{ motivo_id: null }, "'motivo_id': deve ser número inteiro"],
] as const)
  test(`the body ${JSON.stringify(body)} is 400 with code 2`, async () => {
    const answer = await malote.manager.post('/entregas/1/cancelar', body);
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body, { success: false, errors: [{ code: 2, message }] });
  });

test('a finished, cancelled or not attended delivery stays what it is', async () => {
  for (const status of ['finished', 'cancelled', 'not_attended'] as const) {
    const { id } = await deliveryIn(malote, status);
    const before = await allOf(malote, id);
    assertRefused(
      await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }),
      406,
      /já foi finalizada, cancelada ou não atendida/,
    );
    assert.deepEqual(await allOf(malote, id), before);
  }
});

test("another company's delivery, and another central's, is the same as none", async () => {
  const { id } = await openDelivery(malote);
  for (const [who, target] of [
    [malote.manager2, id],
    [malote.neighbour, id],
    [malote.manager, 999_999],
  ] as const)
    assertRefused(await who.post(`/entregas/${target}/cancelar`, { motivo_id: 2 }), 404, /não encontrada/);
  assert.equal(await statusOf(id), 'D');
});

test('cancelling a grouper cancels those grouped into it and gives back what each holds', async () => {
  const before = await balance();
  const grouper = await openDelivery(malote, { forma_pagamento: 'R' });
  const grouped = await openDelivery(malote, { forma_pagamento: 'R' });
  for (const { id } of [grouper, grouped]) {
    assertOk(await malote.operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
    assertOk(await malote.operator.post(`/entregas/${id}/iniciar`));
  }
  assertOk(await groupDeliveries(malote, grouper.id, [grouped.id]));
  assertOk(await malote.manager.post(`/entregas/${grouper.id}/cancelar`, { motivo_id: 3 }));
  assert.equal(await statusOf(grouper.id), 'C');
  assert.equal(await statusOf(grouped.id), 'C');
  assert.equal(await balance(), before);
  const carrier = await deliveryRow(malote, grouper.id);
  for (const row of [carrier, await deliveryRow(malote, grouped.id)])
    assert.partialDeepStrictEqual(row, { cancellation_reason_id: 3, reserved_cents: 0 });
  const events = await eventsOfDelivery(malote, grouped.id);
  assert.partialDeepStrictEqual(events.at(-1)!.payload, {
    status: 'cancelled',
    previousStatus: 'in_progress',
    driverId: carrier.driver_id,
    reasonId: 3,
  });
});

test('the same key cancels once and answers twice', async () => {
  const { id } = await openDelivery(malote);
  const key = { 'idempotency-key': `cancel-${id}` };
  const first = await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }, key);
  const again = await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }, key);
  assert.equal(first.status, 200);
  assert.equal(again.status, 200);
  assert.equal(again.text, first.text);
  const other = await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 3 }, key);
  assertRefused(other, 409, /Idempotency-Key/);
});

const { manager, operator } = malote;

const creditLeft = async (): Promise<number> =>
  (await manager.get('/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos'))
    .body.data.saldo;
const open = async (payment: string): Promise<string> =>
  (await manager.post('/entregas', order({ forma_pagamento: payment }))).body.data.id_mch;
const accept = (id: string) => operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 });
const cancel = async (id: string) => {
  const answer = await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  assert.equal(answer.status, 200, answer.text);
};
const fee = async (id: string) => (await manager.get(`/entregas/${id}`)).body.data.taxas_cancelamento;

test('without a fee taxas_cancelamento stays null', async () => {
  const id = await open('D');
  await accept(id);
  await cancel(id);
  assert.equal(await fee(id), null);
});

test('where the central sets a fee, it is due once a driver has accepted', async () => {
  await malote.configure({ cancellationFeeCents: 350 });
  const early = await open('D');
  await cancel(early);
  assert.equal(await fee(early), null, 'nobody had accepted');

  const late = await open('D');
  await accept(late);
  await cancel(late);
  assert.equal(await fee(late), '3.50');
});

test('a company that pays from its wallet gets the reserve back and is charged the fee', async () => {
  await malote.configure({ cancellationFeeCents: 350 });
  const before = await creditLeft();
  const id = await open('R');
  await accept(id);
  await cancel(id);
  assert.equal(Math.round((before - (await creditLeft())) * 100), 350);
  assert.equal(await fee(id), '3.50');
});

test('a fee never overdraws a wallet', async (t) => {
  await malote.configureFor(t, { cancellationFeeCents: 1_000_000 });
  const id = await open('R');
  await accept(id);
  await cancel(id);
  assert.equal(await creditLeft(), 0);
});
