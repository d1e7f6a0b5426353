import { test } from 'node:test';
import { groupDeliveries, start, stopIdsOf } from '../../support/grouping.ts';
import { startMalote } from '../../support/malote.ts';
import { stop } from '../../support/orders.ts';
import { assertOk, deliveryIn, newDriver } from '../../support/steps.ts';

/* Commands with locks that other tests do not take, or only where commands meet. lockOrder.test.ts records them. */
const malote = await startMalote();
const { operator, manager } = malote;

test('a delivery on hold is carried on by another driver', async () => {
  const other = await newDriver(malote);
  const { id } = await deliveryIn(malote, 'on_hold');
  assertOk(await operator.post(`/entregas/${id}/reatribuir`, { condutor_id: other, motivo: 'Pneu furado' }));
});

test('a carrier ends when the last order leaves, and both are paid by credit', async () => {
  const empresa = { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' };
  const topUp = { empresa, valor: 500, observacao: 'Crédito' };
  assertOk(await malote.central.post('/entregas/empresas/creditos/recargas', topUp));
  const byCredit = (place: number) => ({ paradas: [stop(place)], forma_pagamento: 'R' });
  const carrier = await start(malote, byCredit(0));
  const [own] = await stopIdsOf(malote, { noun: 'delivery', id: carrier });
  const grouped = await start(malote, byCredit(4));
  assertOk(await groupDeliveries(malote, carrier, [grouped]));
  assertOk(await operator.post(`/entregas/${carrier}/paradas/${own}/chegar`));
  assertOk(await operator.post(`/entregas/${carrier}/paradas/${own}/concluir`));
  assertOk(await manager.post(`/entregas/${grouped}/cancelar`, { motivo_id: 2 }));
});
