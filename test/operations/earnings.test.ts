import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import {
  assertOk,
  assertRefused,
  newDriver,
  openDelivery,
  startDelivery,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, clock } = malote;

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const statement = async (driverId: number, query = ''): Promise<Json> =>
  assertOk(await operator.get(`/condutores/${driverId}/extrato${query}`)).body.data;
const earnings = async (driverId: number): Promise<Json> =>
  assertOk(await operator.get(`/condutores/${driverId}/ganhos`)).body.data;
const enter = (driverId: number, body: unknown) => operator.post(`/condutores/${driverId}/lancamentos`, body);
const priceOf = async (id: number): Promise<number> =>
  cents(assertOk(await manager.get(`/entregas/${id}`)).body.data.valor_corrida);
const summary = (entry: Json) => [entry.tipo, entry.valor, entry.entrega_id];

const underWay = (changes: Record<string, unknown> = {}, stops = 1) => startDelivery(malote, changes, stops);
const conclude = async ({ id }: TestDelivery, stopId: number) =>
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));
const finish = async (delivery: TestDelivery) => {
  for (const stopId of delivery.stopIds) await conclude(delivery, stopId);
};

test('a finished delivery brings its driver the percentage of the price, with an event', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const delivery = await underWay({ forma_pagamento: 'F' });
  await finish(delivery);
  const share = Math.round((await priceOf(delivery.id)) * 0.7);
  const { saldo, dinheiro_a_entregar, lancamentos, proximo } = await statement(delivery.driverId!);
  assert.equal(cents(saldo), share);
  assert.equal(dinheiro_a_entregar, '0.00');
  assert.equal(proximo, null);
  assert.equal(lancamentos.length, 1);
  const [{ id, ...entry }] = lancamentos;
  assert.deepEqual(entry, {
    numero: 1,
    tipo: 'repasse',
    valor: saldo,
    saldo_apos: saldo,
    dinheiro_apos: '0.00',
    dia: '2026-11-16',
    entrega_id: String(delivery.id),
    estorna_id: null,
    motivo: null,
    usuario_id: entry.usuario_id,
    data_hora: '2026-11-16T15:00:00Z',
  });
  const [event] = await malote.db<{ payload: Json; sequence: number; company_id: number | null }>`
    select payload, sequence, company_id from events
    where central_id = 1 and type = 'driver.entry' and (payload ->> 'entryId')::bigint = ${id}`;
  assert.partialDeepStrictEqual(event, {
    sequence: 1,
    company_id: null,
    payload: { driverId: delivery.driverId, kind: 'share', amountCents: share, balanceCents: share },
  });
});

test('the rule of a tariff counts before that of the central, and a table pays base, km and stops', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 10 });
  const [tariff] = assertOk(await operator.get('/tarifas')).body.data;
  const put = (repasse: unknown) => operator.put(`/tarifas/${tariff.id}`, { ...tariff, repasse });
  const table = { tipo: 'tabela', fixo: '4.00', por_km: '1.25', por_parada: '0.80' };
  const saved = assertOk(await put(table)).body.data;
  t.after(() => put(null));
  assert.deepEqual(saved.repasse, { ...table, percentual: null });
  const refused = await put({ tipo: 'percentual' });
  assert.equal(refused.status, 400);
  assert.match(refused.body.errors[0].message, /^'repasse\.percentual': é obrigatório/);

  const delivery = await underWay({ forma_pagamento: 'F' }, 2);
  const { corridas } = assertOk(await operator.get(`/condutores/${delivery.driverId}/trabalho`)).body.data;
  const expected = Math.round(400 + (corridas[0].metros * 125) / 1000 + 160);
  assert.equal(cents(corridas[0].ganho), expected);
  // The earnings agreed at the acceptance stay, even if the tariff changes later.
  assertOk(await put({ tipo: 'percentual', percentual: '99.5' }));
  await finish(delivery);
  assert.equal(cents((await statement(delivery.driverId!)).saldo), expected);
});

test('an offer says what it pays, and nothing where the central computes no shares', async (t) => {
  const driverId = await newDriver(malote);
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  const offer = async () =>
    assertOk(await operator.get(`/condutores/${driverId}/trabalho`)).body.data.ofertas[0];
  assert.equal((await offer()).ganho, null);
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 80 });
  assert.equal(cents((await offer()).ganho), Math.round((await priceOf(delivery.id)) * 0.8));
});

test('a grouped delivery is paid with the one that carries it, once, and both count', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 50 });
  const [carrier, grouped] = [await start(malote, at(0)), await start(malote, at(1))];
  assertOk(await groupDeliveries(malote, carrier, [grouped]));
  const { paradas, condutor_id } = assertOk(await manager.get(`/entregas/${carrier}`)).body.data;
  const driverId = Number(condutor_id);
  for (const { id } of paradas) assertOk(await operator.post(`/entregas/${carrier}/paradas/${id}/concluir`));
  const { lancamentos } = await statement(driverId);
  const share = Math.round((await priceOf(carrier)) * 0.5);
  assert.deepEqual(lancamentos.filter(({ tipo }: Json) => tipo === 'repasse').map(summary), [
    ['repasse', (share / 100).toFixed(2), String(carrier)],
  ]);
  assert.equal((await earnings(driverId)).hoje.entregas, 2);
});

test('a delivery that was handed over is shared by the stops that each driver concluded', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const delivery = await underWay({ forma_pagamento: 'F' }, 3);
  await conclude(delivery, delivery.stopIds[0]!);
  const second = await newDriver(malote);
  const handed = { condutor_id: second, motivo: 'Pneu furado' };
  assertOk(await operator.post(`/entregas/${delivery.id}/reatribuir`, handed));
  for (const stopId of delivery.stopIds.slice(1)) await conclude(delivery, stopId);
  const share = Math.round((await priceOf(delivery.id)) * 0.7);
  const first = cents((await statement(delivery.driverId!)).saldo);
  assert.equal(first, Math.round(share / 3));
  assert.equal(cents((await statement(second)).saldo), share - first);
});

test('cash that was recorded at a stop is not taken for the price a second time', async (t) => {
  await malote.configureFor(t, { shareKind: 'none' });
  const delivery = await underWay({ forma_pagamento: 'D' });
  const price = await priceOf(delivery.id);
  const received = { valor_recebido: '5.00', forma_recebimento: 'D' };
  assertOk(await operator.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`, received));
  assert.equal((await earnings(delivery.driverId!)).dinheiro_a_entregar, '5.00');
  const owed = await malote.db<{ cents: number }>`
    select sum(amount_cents)::bigint as cents from company_entries
    where central_id = 1 and delivery_id = ${delivery.id}`;
  assert.deepEqual(owed, [{ cents: price - 500 }]);
});

test('cash that is collected at stops is owed by the driver until it is handed in', async (t) => {
  await malote.configureFor(t, { shareKind: 'none' });
  const { paradas } = order({}, 2);
  const delivery = await underWay({
    paradas: [{ ...paradas[0], valor_cobrar: '42.90' }, paradas[1]],
  });
  await conclude(delivery, delivery.stopIds[0]!);
  await conclude(delivery, delivery.stopIds[1]!);
  const read = await statement(delivery.driverId!);
  assert.deepEqual(read.lancamentos.map(summary), [['dinheiro_recebido', '-42.90', String(delivery.id)]]);
  assert.equal(read.saldo, '-42.90');
  assert.equal(read.dinheiro_a_entregar, '42.90');
  assert.deepEqual((await earnings(delivery.driverId!)).hoje, {
    entregas: 1,
    valor: '0.00',
    dinheiro_recebido: '42.90',
  });
  const handIn = { tipo: 'dinheiro_entregue', valor: '42.91', motivo: 'Entregue na base' };
  assertRefused(await enter(delivery.driverId!, handIn), 422, /maior que o dinheiro que o entregador tem/);
  const handed = assertOk(await enter(delivery.driverId!, { ...handIn, valor: '42.90' })).body.data;
  assert.deepEqual({ ...handed, id: 0 }, { id: 0, saldo: '0.00', dinheiro_a_entregar: '0.00' });
});

test('a delivery paid in cash without amounts at its stops leaves its price with the driver', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 75 });
  const delivery = await underWay({ forma_pagamento: 'D' });
  const { corridas } = assertOk(await operator.get(`/condutores/${delivery.driverId}/trabalho`)).body.data;
  const price = await priceOf(delivery.id);
  assert.equal(cents(corridas[0].valor_a_receber), price);
  await finish(delivery);
  const { saldo, dinheiro_a_entregar } = await statement(delivery.driverId!);
  assert.equal(cents(dinheiro_a_entregar), price);
  assert.equal(cents(saldo), Math.round(price * 0.75) - price);
});

test('entries by hand: adjustment, payment and reversal, each with a reason', async () => {
  const driverId = await newDriver(malote);
  const adjusted = assertOk(await enter(driverId, { tipo: 'ajuste', valor: '-5.50', motivo: 'Multa' })).body
    .data;
  assert.equal(adjusted.saldo, '-5.50');
  assertOk(await enter(driverId, { tipo: 'ajuste', valor: '20.00', motivo: 'Prêmio de chuva' }));
  assertOk(await enter(driverId, { tipo: 'pagamento', valor: '14.50', motivo: 'Pix' }));
  const reverse = { tipo: 'estorno', lancamento_id: adjusted.id, motivo: 'Multa indevida' };
  const reversed = assertOk(await enter(driverId, reverse)).body.data;
  assert.equal(reversed.saldo, '5.50');
  assertRefused(await enter(driverId, reverse), 409, /já foi estornado/);
  assertRefused(await enter(driverId, { ...reverse, lancamento_id: reversed.id }), 409, /já foi estornado/);
  assertRefused(
    await enter(driverId, { ...reverse, lancamento_id: 9_999 }),
    404,
    /lançamento não encontrado/,
  );
  assertRefused(
    await enter(await newDriver(malote), { ...reverse, lancamento_id: adjusted.id }),
    404,
    /lançamento não encontrado/,
  );
  assert.deepEqual(
    (await statement(driverId)).lancamentos.map(({ tipo, valor, saldo_apos, motivo, estorna_id }: Json) => [
      tipo,
      valor,
      saldo_apos,
      motivo,
      estorna_id,
    ]),
    [
      ['estorno', '5.50', '5.50', 'Multa indevida', adjusted.id],
      ['pagamento', '-14.50', '0.00', 'Pix', null],
      ['ajuste', '20.00', '14.50', 'Prêmio de chuva', null],
      ['ajuste', '-5.50', '-5.50', 'Multa', null],
    ],
  );
  assert.equal((await earnings(driverId)).hoje.valor, '20.00');
});

test('an entry by hand that says too little or has too much is refused field by field', async () => {
  const driverId = await newDriver(malote);
  const problems = async (body: unknown) => {
    const answer = await enter(driverId, body);
    assert.equal(answer.status, 400, answer.text);
    return answer.body.errors.map(({ message }: Json) => message);
  };
  assert.deepEqual(await problems({ tipo: 'pagamento', valor: '-1.00', motivo: 'x' }), [
    "'valor': deve ser maior que zero",
  ]);
  assert.deepEqual(await problems({ tipo: 'ajuste', valor: '0.00', motivo: 'x' }), [
    "'valor': não pode ser zero",
  ]);
  for (const valor of ['1000000.01', '-1000000.01'])
    assert.deepEqual(await problems({ tipo: 'ajuste', valor, motivo: 'x' }), [
      "'valor': vai até 1.000.000,00",
    ]);
  assert.deepEqual(await problems({ tipo: 'estorno', motivo: 'x' }), [
    "'lancamento_id': é obrigatório em um estorno",
  ]);
  assert.deepEqual(await problems({ tipo: 'ajuste', valor: '1.00', lancamento_id: 1, motivo: 'x' }), [
    "'lancamento_id': é somente de um estorno",
  ]);
  assert.match((await problems({ tipo: 'ajuste', valor: '1.00' })).join(), /'motivo'/);
  assertRefused(await enter(999_999, { tipo: 'ajuste', valor: '1.00', motivo: 'x' }), 404, /entregador/);
  assertRefused(
    await enter(driverId, { tipo: 'ajuste', valor: '1.00', motivo: 'x', entrega_id: 999_999 }),
    404,
    /entrega/,
  );
});

test('a driver reads its own statement and earnings, and enters nothing', async () => {
  const driver = malote.driver(1);
  assertOk(await driver.get('/condutores/1/ganhos'));
  assertOk(await driver.get('/condutores/1/extrato'));
  for (const path of ['/condutores/2/ganhos', '/condutores/2/extrato'])
    assertRefused(await driver.get(path), 404, /entregador/);
  const refused = await driver.post('/condutores/1/lancamentos', {
    tipo: 'ajuste',
    valor: '1.00',
    motivo: 'x',
  });
  assert.equal(refused.status, 403);
  const [{ id }] = assertOk(await operator.get('/condutores')).body.data;
  assertRefused(await malote.neighbour.get(`/../operacao/condutores/${id}/ganhos`), 404, /entregador/);
});

test('days and weeks are those of the central, and a period is read page by page', async () => {
  const driverId = await newDriver(malote);
  const add = async (valor: string) =>
    assertOk(await enter(driverId, { tipo: 'ajuste', valor, motivo: 'Ajuste' }));
  // Monday 16 November, 12:00 in the central.
  await add('1.00');
  await add('2.00');
  clock.advance({ hours: 14 }); // 02:00 on Tuesday
  await add('4.00');
  await add('8.00');
  assert.deepEqual((await earnings(driverId)).hoje.valor, '12.00');
  assert.deepEqual((await earnings(driverId)).semana.valor, '15.00');
  const monday = await statement(driverId, '?de=2026-11-16&ate=2026-11-16');
  assert.deepEqual(
    monday.lancamentos.map(({ valor }: Json) => valor),
    ['2.00', '1.00'],
  );
  const first = await statement(driverId, '?de=2026-11-16&limite=3');
  const rest = await statement(driverId, `?de=2026-11-16&limite=3&cursor=${first.proximo}`);
  assert.deepEqual(
    [...first.lancamentos, ...rest.lancamentos].map(({ valor }: Json) => valor),
    ['8.00', '4.00', '2.00', '1.00'],
  );
  assert.equal(rest.proximo, null);
  clock.advance({ hours: 24 * 6 });
  assert.deepEqual((await earnings(driverId)).semana.valor, '0.00');
  const wrong = await operator.get(`/condutores/${driverId}/extrato?de=2026-02-30`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /AAAA-MM-DD/);
});

test('many entries at once follow line by line, and no cash is handed in twice', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const delivery = await underWay({ forma_pagamento: 'D' });
  const driverId = delivery.driverId!;
  const price = await priceOf(delivery.id);
  const handIn = { tipo: 'dinheiro_entregue', valor: (price / 100).toFixed(2), motivo: 'Base' };
  await finish(delivery);
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => enter(driverId, handIn)),
    ...Array.from({ length: 12 }, (_, index) =>
      enter(driverId, { tipo: index % 2 ? 'ajuste' : 'pagamento', valor: '0.37', motivo: 'Junto' }),
    ),
    operator.post(`/entregas/${delivery.id}/finalizar`),
  ]);
  assert.equal(answers.slice(0, 6).filter(({ status }) => status === 200).length, 1);
  const { lancamentos, saldo, dinheiro_a_entregar } = await statement(driverId, '?limite=100');
  assert.equal(lancamentos.length, 2 + 1 + 12);
  let before = 0;
  for (const [index, entry] of lancamentos.toReversed().entries()) {
    assert.equal(entry.numero, index + 1);
    assert.equal(cents(entry.saldo_apos), before + cents(entry.valor));
    before = cents(entry.saldo_apos);
  }
  assert.equal(cents(saldo), before);
  assert.equal(dinheiro_a_entregar, '0.00');
  await assert.rejects(
    malote.db`delete from driver_entries where central_id = 1 and driver_id = ${driverId}`,
    /append-only/,
  );
});

test('the same entry with the same Idempotency-Key is made once', async () => {
  const driverId = await newDriver(malote);
  const body = { tipo: 'pagamento', valor: '10.00', motivo: 'Pix' };
  const headers = { 'idempotency-key': `pagamento-${driverId}` };
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => operator.post(`/condutores/${driverId}/lancamentos`, body, headers)),
  );
  assert.ok(answers.some(({ status }) => status === 200));
  const again = assertOk(await operator.post(`/condutores/${driverId}/lancamentos`, body, headers));
  assert.equal((await statement(driverId)).lancamentos.length, 1);
  assert.equal(again.body.data.saldo, '-10.00');
});
