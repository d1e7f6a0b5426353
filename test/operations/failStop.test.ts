import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { failing } from '../support/failures.ts';
import { along, motorcycleCents, pickupAt, start, stopsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import {
  allOf,
  assertOk,
  assertRefused,
  deliveryIn,
  newDriver,
  openDelivery,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, central, clock, db } = malote;
const { fail, conclude, detail, history, failures } = failing(malote);
const ALL_LEFT = {
  failureAbsent: 'leave',
  failureWrongAddress: 'leave',
  failureRefused: 'leave',
  failureOther: 'leave',
};
const cents = (amount: string): number => Math.round(Number(amount) * 100);

test('a stop that fails is tried again at the end of the order, while another one is left', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 3);
  const [first, second, third] = delivery.stopIds;
  assertOk(await operator.post(`/entregas/${delivery.id}/paradas/${first}/chegar`, {}));
  const before = await detail(delivery);
  const answer = assertOk(await fail(delivery, 0, { observacao: ' Toquei duas vezes ' }));
  assert.deepEqual(answer.body, {
    success: true,
    data: {
      id_mch: String(delivery.id),
      parada_id: String(first),
      decisao: 'tentar_depois',
      paradas_restantes: 3,
      status: 'E',
    },
  });
  const after = await detail(delivery);
  assert.deepEqual(
    after.paradas.map(({ id, ordem }: Json) => [Number(id), ordem]),
    [
      [second, 0],
      [third, 1],
      [first, 2],
    ],
  );
  assert.equal(after.valor, before.valor, 'another attempt in the run costs nothing');
  const postponed = after.paradas[2];
  assert.equal(postponed.nao_entregue_em, null);
  assert.deepEqual(
    postponed.tentativas.map(({ numero, motivo, observacao, decisao }: Json) => [
      numero,
      motivo,
      observacao,
      decisao,
    ]),
    [[1, 'ausente', 'Toquei duas vezes', 'tentar_depois']],
  );
  // The driver arrives there a second time.
  assertOk(await operator.post(`/entregas/${delivery.id}/paradas/${first}/chegar`, {}));
  assert.deepEqual(
    (await failures()).filter(({ id_mch }) => id_mch === String(delivery.id)),
    [],
  );
});

test('the last attempt is followed by what the central set for it: the goods go back', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  assert.equal(assertOk(await fail(delivery)).body.data.decisao, 'tentar_depois');
  const last = assertOk(await fail(delivery)).body.data;
  assert.deepEqual([last.decisao, last.paradas_restantes, last.status], ['retornar', 1, 'E']);
  const read = await detail(delivery);
  assert.deepEqual([read.com_retorno, read.retorno_por_falha], [true, true]);
  assertOk(await conclude(delivery, 1));
  const finished = assertOk(await operator.post(`/entregas/${delivery.id}/finalizar`, {}));
  assert.equal(finished.body.data.status, 'F');
});

test('with nothing else left to visit there is no later', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 1);
  const { body } = assertOk(await fail(delivery));
  assert.deepEqual([body.data.decisao, body.data.paradas_restantes, body.data.status], ['retornar', 0, 'E']);
  assertRefused(await conclude(delivery), 406, /etapa não é possível/);
  assertOk(await operator.post(`/entregas/${delivery.id}/finalizar`, {}));
  assertRefused(await fail(delivery), 406, /já foi finalizada/);
});

test('a return that nobody ordered is priced by the tariff’s return factor and is on the receipt', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const before = await detail(delivery);
  const positions = (await stopsOf(malote, { noun: 'delivery', id: delivery.id })).map(({ lat, lng }) => ({
    lat,
    lng,
  }));
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  const after = await detail(delivery);
  const outward = await along([pickupAt, ...positions]);
  const back = await along([positions[1]!, pickupAt]);
  const [tariff] = await db<{ factor: string }>`
    select return_factor as factor from tariffs where central_id = 1 and name = ${before.tarifa}`;
  const factor = Number(tariff!.factor);
  const whole = {
    metres: outward.metres + back.metres * factor,
    seconds: outward.seconds + back.seconds * factor,
  };
  assert.equal(cents(after.valor), motorcycleCents(whole, 2));
  assert.ok(cents(after.valor) > cents(before.valor));
  assertOk(await conclude(delivery, 1));
  assertOk(await operator.post(`/entregas/${delivery.id}/finalizar`, {}));
  const receipt = assertOk(await manager.get(`/entregas/${delivery.id}/recibo`)).body.data;
  assert.equal(receipt.dados_solicitacao.valor, after.valor);
  assert.equal(receipt.desejado.endereco, receipt.partida.endereco, 'it ended at the pickup');
  const shown = assertOk(await manager.get(`/entregas/${delivery.id}`)).body.data;
  assert.deepEqual([shown.com_retorno, shown.desejado.endereco], [true, shown.partida.endereco]);
  assert.deepEqual(
    Object.keys(shown.paradas[0]).sort(),
    [
      'id',
      'endereco',
      'complemento',
      'bairro',
      'cidade',
      'uf',
      'lat',
      'lng',
      'ordem',
      'numero_pedido',
    ].sort(),
    'a stop of the query stays as the contract has it',
  );
});

test('a delivery that returns anyway costs the same, and its goods go back with it', async () => {
  const opened = await openDelivery(malote, { com_retorno: true }, 1);
  const id = await start(malote, { com_retorno: true });
  const [stop] = await stopsOf(malote, { noun: 'delivery', id });
  const delivery: TestDelivery = { ...opened, id, stopIds: [stop!.id] };
  const before = await detail(delivery);
  assertOk(await fail(delivery, 0, { motivo: 'endereco_errado' }));
  const after = await detail(delivery);
  assert.deepEqual([after.valor, after.retorno_por_falha], [before.valor, false]);
});

test('leaving the goods at the end ends the stop; the last one finishes the delivery without a return', async (t) => {
  await malote.configureFor(t, ALL_LEFT);
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const price = (await detail(delivery)).valor;
  const first = assertOk(await fail(delivery, 0, { motivo: 'outro' })).body.data;
  assert.deepEqual([first.decisao, first.paradas_restantes, first.status], ['deixar_no_fim', 1, 'E']);
  const last = assertOk(await fail(delivery, 1, { motivo: 'recusado' })).body.data;
  assert.deepEqual([last.decisao, last.paradas_restantes, last.status], ['deixar_no_fim', 0, 'F']);
  const read = await detail(delivery);
  assert.deepEqual([read.status, read.valor, read.com_retorno], ['F', price, false]);
  assert.deepEqual(
    read.paradas.map(({ concluida_em, nao_entregue_em }: Json) => [concluida_em, nao_entregue_em !== null]),
    [
      [null, true],
      [null, true],
    ],
  );
  assert.equal(assertOk(await manager.get(`/entregas/${delivery.id}/recibo`)).status, 200);
});

test('a company’s own rules come before those of its central', async (t) => {
  const company = assertOk(await operator.get('/empresas/1')).body.data;
  t.after(() => operator.put('/empresas/1', company));
  const own = { recusado: 'deixar_no_fim', tentativas_max: 1, apos_tentativas: 'deixar_no_fim' };
  const changed = assertOk(await operator.put('/empresas/1', { ...company, falha: own }));
  assert.deepEqual(assertOk(await operator.get('/empresas/1')).body.data.falha, own, changed.text);
  const delivery = await deliveryIn(malote, 'in_progress', 3);
  assert.equal(assertOk(await fail(delivery, 0, { motivo: 'recusado' })).body.data.decisao, 'deixar_no_fim');
  assert.equal(assertOk(await fail(delivery, 1)).body.data.decisao, 'deixar_no_fim', 'one attempt is enough');
  assert.equal(
    assertOk(await fail(delivery, 2, { motivo: 'endereco_errado' })).body.data.decisao,
    'retornar',
    'what it did not decide is the central’s',
  );
});

test('the driver’s app gets the rules of each run, and the outcomes of its stops', async () => {
  const delivery = await openDelivery(malote, {}, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 1 }));
  assertOk(await malote.driver(1).post(`/entregas/${delivery.id}/iniciar`));
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }, malote.driver(1)));
  const { data } = assertOk(await malote.driver(1).get('/condutores/1/trabalho')).body;
  const rules = {
    ausente: 'tentar_depois',
    endereco_errado: 'retornar',
    recusado: 'retornar',
    outro: 'retornar',
    tentativas_max: 2,
    apos_tentativas: 'retornar',
  };
  const run = data.corridas.find(({ id_mch }: Json) => id_mch === String(delivery.id));
  assert.deepEqual([data.regras.falha, run.falha, run.com_retorno], [rules, rules, true]);
  assert.deepEqual(
    run.paradas.map(({ situacao, tentativas }: Json) => [situacao, tentativas]),
    [
      ['nao_entregue', 1],
      ['pendente', 0],
    ],
  );
  assertOk(await central.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 6 }));
});

test('events name reason, attempt and decision, have the phone’s time, and nobody’s words', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  clock.advance({ minutes: 30 });
  const at = clock.now().subtract({ minutes: 12 });
  assertOk(await fail(delivery, 0, { observacao: 'Ana não estava', ocorrido_em: at.toString() }));
  const [last] = (await history(delivery)).slice(-1);
  assert.equal(last.type, 'entrega.parada_nao_entregue');
  assert.equal(last.timestamp, at.toString({ smallestUnit: 'millisecond' }));
  assert.equal(last.registrado_em, clock.now().toString({ smallestUnit: 'millisecond' }));
  const { motivo, tentativa, decisao, paradas_restantes, parada } = last.data;
  assert.deepEqual(
    [motivo, tentativa, decisao, paradas_restantes, parada.id],
    ['ausente', 1, 'tentar_depois', 2, String(delivery.stopIds[0])],
  );
  assert.ok(!JSON.stringify(last).includes('Ana'));
  // The next step cannot precede this one, although the stop no longer has an arrival.
  const early = at.subtract({ minutes: 5 }).toString();
  assertOk(
    await operator.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[1]}/chegar`, {
      ocorrido_em: early,
    }),
  );
  const [arrival] = (await history(delivery)).slice(-1);
  assert.equal(arrival.timestamp, at.toString({ smallestUnit: 'millisecond' }));
});

test('the integration interface tells a failed stop from one that was not reached', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  assertOk(await fail(delivery, 0, { motivo: 'endereco_errado' }));
  const read = assertOk(await manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  assert.deepEqual(
    read.paradas.map(({ status, data_hora_conclusao, tentativas }: Json) => [
      status,
      data_hora_conclusao,
      tentativas.map(({ motivo, decisao }: Json) => [motivo, decisao]),
    ]),
    [
      ['nao_entregue', null, [['endereco_errado', 'retornar']]],
      ['pendente', null, []],
    ],
  );
});

test('a grouped stop that fails is reported to the delivery it was ordered with', async () => {
  const [carrier, inside] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  assertOk(await manager.post(`/entregas/${carrier.id}/agrupar`, { solicitacoes_agrupadas: [inside.id] }));
  assertRefused(await fail(inside), 406, /agrupada/);
  const carried = { ...carrier, stopIds: inside.stopIds };
  assertOk(await fail(carried, 0, { motivo: 'recusado' }));
  for (const delivery of [carrier, inside])
    assert.equal((await history(delivery)).at(-1)!.type, 'entrega.parada_nao_entregue');
  // When it is cancelled alone, its failed stop stays with the grouper, whose driver has the goods.
  assertOk(await manager.post(`/entregas/${inside.id}/cancelar`, { motivo_id: 2 }));
  const read = await detail(carrier);
  assert.deepEqual([read.status, read.com_retorno, read.paradas.length], ['E', true, 2]);
});

test('goods that go back still do after their delivery is grouped into one without a return', async () => {
  const [carrier, inside] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress', 2),
  ];
  assertOk(await fail(inside, 0, { motivo: 'recusado' }));
  assertOk(await manager.post(`/entregas/${carrier.id}/agrupar`, { solicitacoes_agrupadas: [inside.id] }));
  const read = await detail(carrier);
  assert.deepEqual([read.com_retorno, read.retorno_por_falha, read.paradas.length], [true, true, 3]);
});

test('a failed stop cannot be removed, and what was driven to it is paid for when the rest is cancelled', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  const removed = await manager.delete(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}`);
  assert.equal(removed.status, 406, removed.text);
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  const read = await detail(delivery);
  const [stop] = await stopsOf(malote, { noun: 'delivery', id: delivery.id });
  const way = await along([pickupAt, { lat: stop!.lat, lng: stop!.lng }]);
  assert.equal(cents(read.taxa_cancelamento), motorcycleCents(way, 1));
});

test('paid by credit, the way back is held and charged as far as the balance goes, and nobody is stranded', async () => {
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  const balance = async () =>
    Number(
      assertOk(
        await central.get(
          '/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos',
        ),
      ).body.data.saldo,
    );
  const opened = assertOk(
    await central.post('/entregas', {
      ...order({ forma_pagamento: 'R', empresa_id: 1 }, 2),
    }),
  );
  const id = Number(opened.body.data.id_mch);
  const stops = await stopsOf(malote, { noun: 'delivery', id });
  const delivery: TestDelivery = { id, stopIds: stops.map((stop) => stop.id), driverId: null };
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const ordered = cents((await detail(delivery)).valor);
  // All but 10 cents of the balance are spent elsewhere.
  const left = (await balance()) - 0.1;
  assertOk(
    await central.post('/entregas/empresas/creditos/saques', { valor: Number(left.toFixed(2)), empresa }),
  );
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  const price = cents((await detail(delivery)).valor);
  assert.ok(price > ordered + 10);
  assert.equal(await balance(), 0);
  assertOk(await conclude(delivery, 1));
  assertOk(await operator.post(`/entregas/${id}/finalizar`, {}));
  const charged = await db<{ amount_cents: number }>`
    select amount_cents from wallet_entries where central_id = 1 and delivery_id = ${id} and kind = 'settlement'`;
  assert.deepEqual(charged, [{ amount_cents: -(ordered + 10) }]);
  assertOk(await central.post('/entregas/empresas/creditos/recargas', { valor: 500, empresa }));
});

test('refusals: not a stop, not under way, done already, not the driver’s, and a body that says nothing', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const accepted = await deliveryIn(malote, 'accepted');
  const cancelled = await deliveryIn(malote, 'cancelled');
  assertRefused(await fail({ ...delivery, stopIds: [999_999] }), 404, /parada/);
  assertRefused(await fail({ ...delivery, id: 999_999 }), 404, /entrega/);
  assertRefused(await fail(delivery, 0, {}, malote.driver(2)), 404, /entrega/);
  assertRefused(await fail(accepted), 406, /etapa não é possível/);
  assert.equal((await fail(cancelled)).status, 406);
  const before = await allOf(malote, delivery.id);
  for (const body of [
    { motivo: 'chuva' },
    { motivo: null },
    { observacao: 'x'.repeat(301) },
    { ocorrido_em: 'hoje' },
  ]) {
    const answer = await fail(delivery, 0, body);
    assert.deepEqual([answer.status, answer.body.errors[0].code], [400, 2], answer.text);
  }
  assert.deepEqual(await allOf(malote, delivery.id), before);
  assertOk(await conclude(delivery));
  assertRefused(await fail(delivery), 406, /etapa não é possível/);
  const answer = await fail(delivery, 1, {}, manager);
  assert.equal(answer.status, 404, 'the integration interface has no such path');
});

test('a visit that an operator has reported is not counted again when the phone reports it', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const arrive = (tentativa: number) =>
    operator.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/chegar`, { tentativa });
  assertOk(await fail(delivery, 0));
  assertRefused(await arrive(1), 406, /etapa/);
  assertRefused(await fail(delivery, 0, { tentativa: 1 }), 406, /etapa/);
  const { paradas } = await detail(delivery);
  assert.deepEqual(
    paradas.map(({ tentativas }: Json) => tentativas.length),
    [0, 1],
  );
  assertOk(await arrive(2));
  assertOk(await fail(delivery, 0, { tentativa: 2 }));
});
