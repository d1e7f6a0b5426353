import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { at } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, newDriver, startDelivery, type TestDelivery } from '../support/steps.ts';

/* Earnings of drivers for deliveries that are cancelled. */
const malote = await startMalote();
const { operator, manager } = malote;

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const statement = async (driverId: number): Promise<Json> =>
  assertOk(await operator.get(`/condutores/${driverId}/extrato`)).body.data;
const summary = (entry: Json) => [entry.tipo, entry.valor, entry.entrega_id];

const underWay = (changes: Record<string, unknown> = {}, stops = 1) => startDelivery(malote, changes, stops);
const conclude = async ({ id }: TestDelivery, stopId: number) =>
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));

test('a cancellation that costs something is shared, one that costs nothing is not', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70, cancellationFeeCents: 400 });
  const delivery = await underWay({ forma_pagamento: 'F' });
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  assert.deepEqual((await statement(delivery.driverId!)).lancamentos.map(summary), [
    ['repasse', '2.80', String(delivery.id)],
  ]);
  assert.equal(
    assertOk(await operator.get(`/condutores/${delivery.driverId}/ganhos`)).body.data.hoje.entregas,
    0,
  );
  await malote.configure({ cancellationFeeCents: 0 });
  const free = await underWay({ forma_pagamento: 'F' });
  assertOk(await manager.post(`/entregas/${free.id}/cancelar`, { motivo_id: 2 }));
  assert.deepEqual((await statement(free.driverId!)).lancamentos, []);
});

test('after a concluded stop a cancelled delivery pays the share of what was carried out', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const delivery = await underWay({ ...at(0, 6, 4), forma_pagamento: 'F' });
  const { paradas } = assertOk(await manager.get(`/entregas/${delivery.id}`)).body.data;
  await conclude(delivery, Number(paradas[0].id));
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  const { taxas_cancelamento } = assertOk(await manager.get(`/entregas/${delivery.id}`)).body.data;
  assert.deepEqual((await statement(delivery.driverId!)).lancamentos.map(summary), [
    ['repasse', (Math.round(cents(taxas_cancelamento) * 0.7) / 100).toFixed(2), String(delivery.id)],
  ]);
});

test('a cancelled delivery’s cost is shared by the drivers who concluded stops, not by the last one', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const delivery = await underWay({ forma_pagamento: 'F' }, 3);
  const second = await newDriver(malote);
  const third = await newDriver(malote);
  const handTo = async (condutor_id: number) =>
    assertOk(
      await operator.post(`/entregas/${delivery.id}/reatribuir`, { condutor_id, motivo: 'Pneu furado' }),
    );
  await conclude(delivery, delivery.stopIds[0]!);
  await handTo(second);
  await conclude(delivery, delivery.stopIds[1]!);
  await handTo(third);
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  const { taxas_cancelamento } = assertOk(await manager.get(`/entregas/${delivery.id}`)).body.data;
  const share = Math.round(cents(taxas_cancelamento) * 0.7);
  const earned = await Promise.all(
    [delivery.driverId!, second, third].map(async (driverId) => cents((await statement(driverId)).saldo)),
  );
  assert.deepEqual(earned, [Math.round(share / 2), share - Math.round(share / 2), 0]);
});

test('a coupon on a cancelled delivery is the central’s too, also one that leaves nothing to pay', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const shareWith = async (changes: Record<string, unknown>): Promise<number> => {
    const delivery = await underWay({ forma_pagamento: 'F', ...changes }, 2);
    await conclude(delivery, delivery.stopIds[0]!);
    assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
    return cents((await statement(delivery.driverId!)).saldo);
  };
  const full = await shareWith({});
  assert.ok(full > 0);
  for (const percentual of ['50.00', '100.00']) {
    const codigo = `CANCELA${Number(percentual)}`;
    assertOk(await operator.post('/cupons', { codigo, percentual }));
    assert.equal(await shareWith({ codigo_cupom: codigo }), full);
  }
});
