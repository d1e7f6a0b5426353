import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, assertRefused, newDriver, openDelivery, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, db } = malote;

const asking = (valor_cobrar: string) => ({ paradas: [{ ...order().paradas[0], valor_cobrar }] });

async function underWay(changes: Record<string, unknown>): Promise<TestDelivery & { driverId: number }> {
  const delivery = await openDelivery(malote, changes);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  return { ...delivery, driverId };
}
const conclude = ({ id, stopIds }: TestDelivery, body: Record<string, unknown> = {}) =>
  operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, body);
const cashOf = async (driverId: number): Promise<string> =>
  assertOk(await operator.get(`/condutores/${driverId}/ganhos`)).body.data.dinheiro_a_entregar;
const detailOf = async (id: number): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data;
const creditedIn = async (id: number): Promise<number> => {
  const [row] = await db<{ cents: number }>`
    select coalesce(-sum(amount_cents), 0)::bigint as cents from company_entries
    where central_id = 1 and delivery_id = ${id} and kind = 'cash'`;
  return row!.cents;
};

for (const forma_pagamento of ['F', 'R'])
  test(`what a stop of a delivery paid by ${forma_pagamento} asks for is never left out of the accounts`, async () => {
    const delivery = await underWay({ forma_pagamento, ...asking('42.90') });
    const nonsense = await conclude(delivery, {
      valor_recebido: '42.90',
      forma_recebimento: forma_pagamento,
    });
    assertRefused(nonsense, 422, /falta como o destinatário pagou/);
    assert.equal(nonsense.body.errors[0].kind, 'proof-payment-missing');
    assertOk(await conclude(delivery));
    assert.equal(await cashOf(delivery.driverId), '42.90');
    assert.equal(await creditedIn(delivery.id), 4_290);
    assert.equal((await detailOf(delivery.id)).dinheiro_recebido, '42.90');
  });

test('an amount without its form is cash, of an invoiced delivery too', async () => {
  const delivery = await underWay({ forma_pagamento: 'F', ...asking('42.90') });
  assertOk(await conclude(delivery, { valor_recebido: '40.00' }));
  assert.equal(await cashOf(delivery.driverId), '40.00');
  assert.equal((await detailOf(delivery.id)).paradas[0].forma_recebimento, 'D');
});

test('nothing paid, and what was paid by Pix, leave no cash with the driver of an invoiced delivery', async () => {
  for (const body of [{ valor_recebido: '0.00' }, { valor_recebido: '42.90', forma_recebimento: 'X' }]) {
    const delivery = await underWay({ forma_pagamento: 'F', ...asking('42.90') });
    assertOk(await conclude(delivery, body));
    assert.equal(await cashOf(delivery.driverId), '0.00');
  }
});

test('the detail says what was collected in cash where nothing was recorded, and not what was taken back', async () => {
  const atStop = await underWay({ forma_pagamento: 'D', ...asking('42.90') });
  assertOk(await conclude(atStop));
  assert.equal((await detailOf(atStop.id)).dinheiro_recebido, '42.90');
  const whole = await underWay({ forma_pagamento: 'D' });
  assert.equal((await detailOf(whole.id)).dinheiro_recebido, null);
  assertOk(await conclude(whole));
  const { valor, dinheiro_recebido } = await detailOf(whole.id);
  assert.equal(dinheiro_recebido, valor);
  const { lancamentos } = assertOk(await operator.get(`/condutores/${whole.driverId}/extrato`)).body.data;
  const collected = lancamentos.find(({ tipo }: Json) => tipo === 'dinheiro_recebido');
  const reversal = { tipo: 'estorno', lancamento_id: Number(collected.id), motivo: 'Não pagou' };
  assertOk(await operator.post(`/condutores/${whole.driverId}/lancamentos`, reversal));
  assert.equal((await detailOf(whole.id)).dinheiro_recebido, '0.00');
});

test('the app asks for the price until an amount is recorded at a stop, as the accounts do', async () => {
  const delivery = await openDelivery(malote, { forma_pagamento: 'D' }, 2);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  const asked = async (): Promise<string | null> =>
    assertOk(await operator.get(`/condutores/${driverId}/trabalho`)).body.data.corridas[0].valor_a_receber;
  assert.equal(await asked(), (await detailOf(delivery.id)).valor);
  assertOk(await conclude(delivery, { valor_recebido: '15.00' }));
  assert.equal(await asked(), null);
  assertOk(await operator.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[1]}/concluir`));
  assert.equal(await cashOf(driverId), '15.00');
});

test('what another order of the group asks for does not stand for the price of its carrier', async () => {
  const carrier = await start(malote, { ...at(0), forma_pagamento: 'D' });
  const [other] = at(1).paradas as Json[];
  const grouped = await start(malote, {
    paradas: [{ ...other, valor_cobrar: '20.00' }],
    forma_pagamento: 'F',
  });
  assertOk(await groupDeliveries(malote, carrier, [grouped]));
  const { condutor_id, paradas, valor_corrida } = assertOk(await manager.get(`/entregas/${carrier}`)).body
    .data;
  const work = assertOk(await operator.get(`/condutores/${condutor_id}/trabalho`)).body.data;
  assert.equal(Number(work.corridas[0].valor_a_receber), Number(valor_corrida));
  const asks = (await detailOf(carrier)).paradas;
  for (const { id } of paradas) {
    const isAsking = asks.find((each: Json) => each.id === id).valor_cobrar !== null;
    const body = isAsking ? { valor_recebido: '20.00', forma_recebimento: 'D' } : {};
    assertOk(await operator.post(`/entregas/${carrier}/paradas/${id}/concluir`, body));
  }
  assert.equal(Number(await cashOf(Number(condutor_id))), Number(valor_corrida) + 20);
});

test('a carrier that ends when the last order leaves is charged without a discount that nobody gave', async () => {
  const [carrier, grouped] = [
    await start(malote, { ...at(0), forma_pagamento: 'F' }),
    await start(malote, { ...at(4), forma_pagamento: 'F' }),
  ];
  assertOk(await groupDeliveries(malote, carrier, [grouped]));
  const own = (await detailOf(carrier)).paradas.filter(
    ({ pedida_com }: Json) => pedida_com === String(carrier),
  );
  for (const { id } of own) assertOk(await operator.post(`/entregas/${carrier}/paradas/${id}/concluir`));
  assertOk(await manager.post(`/entregas/${grouped}/cancelar`, { motivo_id: 2 }));
  const [charge] = await db<{ net: number; gross: number; price: number }>`
    select e.amount_cents as net, e.gross_cents as gross, d.gross_cents as price
    from company_entries e join deliveries d on d.central_id = 1 and d.id = e.delivery_id
    where e.central_id = 1 and e.delivery_id = ${carrier} and e.kind = 'delivery'`;
  assert.equal(charge!.gross, charge!.net);
  assert.equal(charge!.gross, charge!.price);
});

test('the discounts of the lines of a closing are its discounts, of a cancelled delivery too', async () => {
  const delivery = await underWay({
    forma_pagamento: 'F',
    codigo_cupom: 'DEMO10',
    paradas: order({}, 2).paradas,
  });
  assertOk(await conclude(delivery));
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  const closed = assertOk(await operator.post('/empresas/1/fechamentos', { ate: '2026-12-31' })).body.data;
  const { lancamentos } = assertOk(await operator.get(`/fechamentos/${closed.id}?limite=100`)).body.data;
  const line = lancamentos.find((each: Json) => Number(each.entrega_id) === delivery.id);
  assert.equal(line.tipo, 'taxa_cancelamento');
  assert.ok(Number(line.desconto) > 0, JSON.stringify(line));
  const sum = lancamentos.reduce(
    (total: number, each: Json) => total + Math.round(Number(each.desconto) * 100),
    0,
  );
  assert.equal(sum, Math.round(Number(closed.descontos) * 100));
  const { conteudo } = assertOk(await operator.get(`/fechamentos/${closed.id}/arquivo?formato=csv`)).body
    .data;
  const cells = Buffer.from(conteudo, 'base64')
    .toString()
    .split('\r\n')
    .map((row) => row.split(';'));
  const [, , , , price, discount, total] = cells.find((row) => row[2] === String(delivery.id))!;
  const centsOf = (text: string | undefined): number => Number(text!.replace(',', ''));
  assert.equal(centsOf(price) + centsOf(discount), centsOf(total));
});
