import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES } from '../../server/src/deliveries/deliveries/status.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import { deliveryRow } from '../support/rows.ts';
import {
  assertOk,
  assertRefused,
  deliveryIn,
  newDriver,
  openDelivery,
  type TestDelivery,
} from '../support/steps.ts';

// Contract 4.10.
const malote = await startMalote();

async function carryOut(delivery: TestDelivery, driverId: number): Promise<void> {
  const step = async (path: string, body: unknown = {}) =>
    assertOk(await malote.operator.post(`/entregas/${delivery.id}/${path}`, body));
  await step('aceitar', { condutor_id: driverId });
  malote.clock.advance({ minutes: 10 });
  await step('iniciar');
  malote.clock.advance({ hours: 25, minutes: 1, seconds: 5 });
  for (const stopId of delivery.stopIds) await step(`paradas/${stopId}/concluir`);
  await step('finalizar');
}
const receiptOf = async ({ id }: TestDelivery) =>
  assertOk(await malote.central.get(`/entregas/${id}/recibo`)).body;

const cityStop = (index: number) => ({
  ...stop(index),
  cidade_parada: 'Porto Alegre',
  estado_parada: 'RS',
});

test('the receipt of a corporate delivery has exactly the fields and types of the contract', async () => {
  malote.clock.set('2026-11-16T15:00:00Z');
  const delivery = await openDelivery(malote, {
    forma_pagamento: 'F',
    paradas: [cityStop(0), cityStop(1)],
  });
  await carryOut(delivery, 1);
  const { net_cents, travelled_metres } = await deliveryRow(malote, delivery.id);
  const value = (net_cents / 100).toFixed(2);
  assert.deepEqual(await receiptOf(delivery), {
    success: true,
    data: {
      id_mch: String(delivery.id),
      condutor: { nome: 'João Silva', telefone: '51999990001', modelo: 'Honda CG 160', placa: 'IXA1B23' },
      dados_solicitacao: {
        valor: value,
        valor_original: value,
        duracao: '25:01:05',
        distancia: (Math.round(travelled_metres / 10) / 100).toFixed(2),
        tarifa: 'Moto padrão',
        id_categoria: '1',
        categoria: 'Moto',
        descricao_categoria: 'Entregas de moto, até 10 kg',
        desconto: 0,
        tipo_pagamento: 'F',
      },
      empresa: { empresa_id: '1', nome: 'Padaria Moinhos', cpf: '11222333000181' },
      partida: {
        endereco: pickup.endereco,
        bairro: pickup.bairro,
        cidade: 'Porto Alegre',
        estado: 'RS',
        data_hora: '2026-11-16T15:10:00Z',
      },
      desejado: {
        endereco: 'Avenida Ipiranga, 2',
        bairro: 'Azenha',
        cidade: 'Porto Alegre',
        estado: 'RS',
        data_hora: '2026-11-17T16:11:05Z',
      },
    },
  });
});

test('with a coupon the value is net, the original is gross, and the discount is a number', async () => {
  const delivery = await openDelivery(malote, { codigo_cupom: 'DEMO10' });
  await carryOut(delivery, await newDriver(malote));
  const { dados_solicitacao: facts } = (await receiptOf(delivery)).data;
  assert.equal(facts.desconto, 10);
  const { gross_cents, net_cents } = await deliveryRow(malote, delivery.id);
  assert.ok(net_cents < gross_cents);
  assert.equal(facts.valor, (net_cents / 100).toFixed(2));
  assert.equal(facts.valor_original, (gross_cents / 100).toFixed(2));
});

test('a delivery that returned ended at the pickup', async () => {
  const delivery = await openDelivery(malote, { com_retorno: true });
  await carryOut(delivery, await newDriver(malote));
  const { partida, desejado } = (await receiptOf(delivery)).data;
  assert.equal(desejado.endereco, pickup.endereco);
  assert.equal(desejado.bairro, pickup.bairro);
  assert.notEqual(desejado.data_hora, partida.data_hora);
});

test('the receipt ends at the stop that was visited last, whatever order was planned', async () => {
  const delivery = await openDelivery(malote, { paradas: [cityStop(0), cityStop(1), cityStop(2)] });
  const [first, second, third] = delivery.stopIds as [number, number, number];
  await carryOut({ ...delivery, stopIds: [third, first, second] }, await newDriver(malote));
  const { desejado } = (await receiptOf(delivery)).data;
  assert.equal(desejado.endereco, cityStop(1).endereco_parada);
});

test('without a company its three fields are null', async () => {
  const person = { nome: 'Maria Oliveira', cpf: '529.982.247-25', telefone: '51999991111' };
  const created = assertOk(
    await malote.central.post('/entregas', order({ cliente: person, categoria_id: 1 })),
  );
  const id = Number(created.body.data.id_mch);
  const { data } = assertOk(await malote.central.get(`/entregas/${id}`)).body;
  const delivery = {
    id,
    stopIds: data.paradas.map((stop: { id: string }) => Number(stop.id)),
    driverId: null,
  };
  await carryOut(delivery, await newDriver(malote));
  assert.deepEqual((await receiptOf(delivery)).data.empresa, { empresa_id: null, nome: null, cpf: null });
});

for (const status of STATUSES.filter((candidate) => candidate !== 'finished'))
  test(`there is no receipt yet while ${status}`, async () => {
    const { id } = await deliveryIn(malote, status);
    assertRefused(await malote.manager.get(`/entregas/${id}/recibo`), 406, /a entrega não foi finalizada/);
  });

test('the receipt of a grouped delivery is that of its grouper, before and after it finished', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  assertOk(await groupDeliveries(malote, grouper.id, [grouped.id]));
  const names = new RegExp(`recibo da entrega ${grouper.id}$`);
  assertRefused(await malote.manager.get(`/entregas/${grouped.id}/recibo`), 406, names);
  for (const stopId of [...grouper.stopIds, ...grouped.stopIds])
    assertOk(await malote.operator.post(`/entregas/${grouper.id}/paradas/${stopId}/concluir`));
  assertOk(await malote.operator.post(`/entregas/${grouper.id}/finalizar`));
  assertRefused(await malote.manager.get(`/entregas/${grouped.id}/recibo`), 406, names);
  assertOk(await malote.manager.get(`/entregas/${grouper.id}/recibo`));
});

test("another company's receipt, and another central's, is the same as none", async () => {
  const { id } = await deliveryIn(malote, 'finished');
  assertOk(await malote.manager.get(`/entregas/${id}/recibo`));
  for (const who of [malote.manager2, malote.neighbour])
    assertRefused(await who.get(`/entregas/${id}/recibo`), 404, /entrega não encontrada/);
  assertRefused(await malote.manager.get('/entregas/999999/recibo'), 404, /entrega não encontrada/);
  assert.equal((await malote.manager.get('/entregas/abc/recibo')).status, 400);
});

test('the query and the receipt give the same closing data', async () => {
  const delivery = await openDelivery(malote, { codigo_cupom: 'DEMO10', forma_pagamento: 'X' }, 3);
  await carryOut(delivery, await newDriver(malote));
  const { dados_solicitacao: facts, partida } = (await receiptOf(delivery)).data;
  const { data } = assertOk(await malote.central.get(`/entregas/${delivery.id}`)).body;
  assert.equal(facts.valor, data.valor_corrida);
  assert.equal(facts.duracao, data.duracao_corrida);
  assert.equal(facts.distancia, data.distancia_percorrida_km);
  assert.equal(facts.tarifa, data.tarifa);
  assert.equal(facts.id_categoria, data.id_categoria);
  assert.equal(facts.tipo_pagamento, data.tipo_pagamento);
  assert.equal(facts.desconto, Number(data.desconto));
  assert.equal(partida.data_hora, data.data_hora_inicio);
});
