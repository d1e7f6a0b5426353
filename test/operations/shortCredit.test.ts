import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, groupDeliveries, start, stopsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { balanceCents, setBalance } from '../support/rows.ts';
import { assertOk } from '../support/steps.ts';

/*
 * The wallet of company 1 cannot pay for the return trip that a failed stop requires: the reserve for the delivery is
 * less than its price. No step is refused for that.
 */
const malote = await startMalote();
const { operator, manager } = malote;
const paidByCredit = { forma_pagamento: 'R' };
const heldAndPrice = async (id: number): Promise<[number, number]> => {
  const [row] = await malote.db<{ held: number; price: number }>`
    select reserved_cents as held, net_cents as price from deliveries where central_id = 1 and id = ${id}`;
  return [row!.held, row!.price];
};

/** Starts a delivery with stops at these places. */
async function goingBack(...places: number[]): Promise<number> {
  await setBalance(malote, 20_000);
  const { paradas } = at(...places);
  // The others are far away, so that the return trip costs more than the removed stop saves.
  for (const other of paradas.slice(1)) Object.assign(other, { lat_parada: '-30.08', lng_parada: '-51.18' });
  return start(malote, { ...paidByCredit, paradas });
}

/** The first stop fails while the wallet is empty. */
async function failFirst(id: number): Promise<void> {
  await setBalance(malote, 0);
  const [first] = await stopsOf(malote, { noun: 'delivery', id });
  assertOk(await operator.post(`/entregas/${id}/paradas/${first!.id}/falhar`, { motivo: 'recusado' }));
  const [held, price] = await heldAndPrice(id);
  assert.ok(held < price, 'the way back is not covered');
}
const openStops = async (id: number): Promise<number[]> =>
  (await stopsOf(malote, { noun: 'delivery', id })).slice(1).map((stop) => stop.id);

test('a grouped delivery is cancelled although the credit does not cover the way back', async () => {
  const carrier = await goingBack(5, 1);
  const grouped = await start(malote, { ...paidByCredit, ...at(2) });
  assertOk(await groupDeliveries(malote, carrier, [grouped]));
  await failFirst(carrier);
  assertOk(await manager.post(`/entregas/${grouped}/cancelar`, { motivo_id: 2 }));
  const [held, price] = await heldAndPrice(carrier);
  assert.ok(held <= price);
  assert.equal(await balanceCents(malote), 0);
});

test('a stop is removed although the credit does not cover the way back', async () => {
  const id = await goingBack(5, 1, 1);
  await failFirst(id);
  const [last] = (await openStops(id)).slice(-1);
  assertOk(await manager.delete(`/entregas/${id}/paradas/${last}`));
  const [held, price] = await heldAndPrice(id);
  assert.ok(held <= price);
});

test('an edit that adds nothing to the price is taken although the credit does not cover the way back', async () => {
  const id = await goingBack(5, 1, 1);
  await failFirst(id);
  const { versao } = assertOk(await operator.get(`/entregas/${id}`)).body.data;
  const paradas = (await openStops(id)).slice(0, 1).map((stop) => ({ id: stop }));
  assertOk(await operator.put(`/entregas/${id}/paradas`, { versao, paradas }));
  const [held, price] = await heldAndPrice(id);
  assert.ok(held <= price);
});

test('a delivery whose failed stop was put back ends, and pays what it cost before', async () => {
  const id = await goingBack(5, 1);
  const [, price] = await heldAndPrice(id);
  await failFirst(id);
  const [failed, other] = await stopsOf(malote, { noun: 'delivery', id });
  assertOk(await operator.post(`/entregas/${id}/paradas/${failed!.id}/retomar`));
  for (const stop of [other!, failed!])
    assertOk(await operator.post(`/entregas/${id}/paradas/${stop.id}/concluir`));
  const settled = await malote.db<{ cents: number }>`
    select amount_cents as cents from wallet_entries
    where central_id = 1 and delivery_id = ${id} and kind = 'settlement'`;
  assert.deepEqual(settled, [{ cents: -price }]);
});
