import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
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

const balance = async (): Promise<number> => {
  const [row] = await malote.db<{ balance_cents: number }>`
    select balance_cents from wallets where central_id = 1 and company_id = 1`;
  return row!.balance_cents;
};
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
  const [row] = await malote.db<{ cancellation_reason_id: number }>`
    select cancellation_reason_id from deliveries where central_id = 1 and id = ${id}`;
  assert.equal(row!.cancellation_reason_id, 7);
});

test('the message is English to whoever prefers it', async () => {
  const { id } = await openDelivery(malote);
  const answer = await malote.manager.post(
    `/entregas/${id}/cancelar`,
    { motivo_id: 1 },
    { 'accept-language': 'en' },
  );
  assert.equal(answer.body.message, 'delivery cancelled');
});

test('what was reserved comes back to the balance, once', async () => {
  const before = await balance();
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const reserved = before - (await balance());
  assert.ok(reserved > 0);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 })),
  );
  assert.deepEqual(countStatuses(answers), { 200: 1, 406: 4 });
  assert.equal(await balance(), before);
  const entries = await malote.db<{ kind: string; amount_cents: number }>`
    select kind, amount_cents from wallet_entries where central_id = 1 and delivery_id = ${id} order by id`;
  assert.deepEqual(entries, [
    { kind: 'reserve', amount_cents: -reserved },
    { kind: 'release', amount_cents: reserved },
  ]);
});

test('the reason must exist and be active, in this central', async () => {
  const { id } = await openDelivery(malote);
  await malote.db`update cancellation_reasons set active = false where central_id = 1 and id = 13`;
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
  await malote.db`
    update deliveries set grouped_into = ${grouper.id} where central_id = 1 and id = ${grouped.id}`;
  assertOk(await malote.manager.post(`/entregas/${grouper.id}/cancelar`, { motivo_id: 3 }));
  assert.equal(await statusOf(grouper.id), 'C');
  assert.equal(await statusOf(grouped.id), 'C');
  assert.equal(await balance(), before);
  const rows = await malote.db<{ cancellation_reason_id: number; reserved_cents: number }>`
    select cancellation_reason_id, reserved_cents from deliveries
    where central_id = 1 and id in (${grouper.id}, ${grouped.id})`;
  for (const row of rows) assert.deepEqual(row, { cancellation_reason_id: 3, reserved_cents: 0 });
  const events = await malote.db<{ payload: unknown }>`
    select payload from events where central_id = 1 and delivery_id = ${grouped.id} order by sequence`;
  assert.partialDeepStrictEqual(events.at(-1)!.payload, {
    status: 'cancelled',
    previousStatus: 'in_progress',
    driverId: (
      await malote.db<{ driver_id: number }>`
      select driver_id from deliveries where central_id = 1 and id = ${grouper.id}`
    )[0]!.driver_id,
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
