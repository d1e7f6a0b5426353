import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import type { Client, Json } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, newDriver } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver, type WebhookReceiver, withStatus } from '../support/webhookReceiver.ts';

// The library compares a message's time with the machine's clock, so this test's clock starts there.
const clock = testClock(Temporal.Now.instant().toString());
const malote = await startMalote({ allowPrivateWebhooks: true, clock });
const { manager, manager2, central, operator } = malote;

let sending: { stop(): Promise<void> };
before(() => {
  sending = startWebhooks(malote.app.deps, {
    formatEvent,
    allowPrivate: true,
    onError: (error) => assert.fail(String(error)),
  });
});
after(() => sending.stop());

const EVERYTHING = [
  ...['entrega.status', 'entrega.parada_concluida', 'entrega.posicao', 'entrega.agrupada'],
  ...['programada.alterada', 'programada.parada_removida', 'programada.disparada', 'programada.cancelada'],
  'credito.lancado',
];

interface Registered {
  id: string;
  secret: string;
  receiver: WebhookReceiver;
}

async function register(t: TestContext, login: Client, types = EVERYTHING): Promise<Registered> {
  const receiver = await startReceiver(t);
  const answer = assertOk(await login.post('/webhooks', { url: receiver.url, tipos: types }));
  const { id, segredo } = answer.body.data;
  t.after(async () => void (await login.delete(`/webhooks/${id}`)));
  return { id, secret: segredo, receiver };
}

const open = async (login: Client, changes: Record<string, unknown> = {}, stops = 1): Promise<string> =>
  assertOk(await login.post('/entregas', order(changes, stops))).body.data.id_mch;

const arrived = (receiver: WebhookReceiver, count: number) =>
  waitUntil(`${count} messages have arrived`, () => receiver.arrivals.length >= count);

const tomorrow = () => {
  const date = clock.now().add({ hours: 24 }).toZonedDateTimeISO('America/Sao_Paulo').toPlainDate();
  return { data: date.toString().split('-').reverse().join('/'), hora: '12:00:00' };
};

const log = async (login: Client, id: string): Promise<Json[]> =>
  assertOk(await login.get(`/webhooks/${id}/envios`)).body.data;

test('receivers verify every message with the library of Standard Webhooks', async (t) => {
  const { receiver, secret } = await register(t, manager);
  const id = await open(manager);
  await arrived(receiver, 1);
  const [{ text, headers, body }] = receiver.arrivals as [Json];
  const library = new Webhook(secret);
  assert.deepEqual(library.verify(text, headers), body);
  assert.throws(() => library.verify(text.replace(id, '0'), headers), /signature/);
  assert.throws(() => library.verify(text, { ...headers, 'webhook-id': 'another' }), /signature/);
  assert.throws(() => library.verify(text, { ...headers, 'webhook-timestamp': '1' }), /timestamp/);
  assert.throws(() => new Webhook('whsec_c2VncmVkbw==').verify(text, headers), /signature/);
  assert.match(headers['webhook-id'], /^[0-9a-f-]{36}$/);
});

test('a rotated secret signs at once, and the one before for another 24 hours', async (t) => {
  const { id, receiver, secret: old } = await register(t, manager);
  const answer = assertOk(await manager.post(`/webhooks/${id}/segredo`));
  const { segredo: fresh, segredo_anterior_ate: until } = answer.body.data;
  assert.notEqual(fresh, old);
  assert.equal(Temporal.Instant.from(until).since(clock.now()).round('hours').hours, 24);
  assert.equal(assertOk(await manager.get(`/webhooks/${id}`)).body.data.segredo_anterior_ate, until);
  await open(manager);
  await arrived(receiver, 1);
  const [{ text, headers }] = receiver.arrivals as [Json];
  assert.equal(headers['webhook-signature'].split(' ').length, 2);
  for (const secret of [old, fresh]) assert.ok(new Webhook(secret).verify(text, headers));

  clock.advance({ hours: 24, seconds: 1 });
  t.after(() => clock.set(Temporal.Now.instant().toString()));
  await open(manager);
  await arrived(receiver, 2);
  const late = receiver.arrivals[1]!;
  const at = new Date(Number(late.headers['webhook-timestamp']) * 1000);
  const signature = (secret: string) => new Webhook(secret).sign(late.id, at, late.text);
  assert.equal(late.headers['webhook-signature'], signature(fresh));
  assert.notEqual(signature(fresh), signature(old));
});

test('a delivery is reported step by step, with a number for each, and nothing of another company', async (t) => {
  const own = await register(t, manager);
  const whole = await register(t, central);
  const other = await register(t, manager2);
  const id = await open(manager, { paradas: [{ ...stop(0), id_externo: 'erp-77' }] });
  const driverId = await newDriver(malote);
  const step = async (path: string, given: unknown = {}) =>
    assertOk(await operator.post(`/entregas/${id}/${path}`, given));
  await step('aceitar', { condutor_id: driverId });
  await step('chegar');
  await step('iniciar');
  const [stopId] = assertOk(await manager.get(`/entregas/${id}`)).body.data.paradas.map(
    (stop: Json) => stop.id,
  );
  await step(`paradas/${stopId}/concluir`);
  await step('finalizar');
  await arrived(own.receiver, 6);
  await arrived(whole.receiver, 6);
  const bodies = own.receiver.arrivals.map(({ body }) => body);
  assert.deepEqual(
    bodies.map(({ type, data }) => [type, data.sequencia, data.status, data.status_anterior]),
    [
      ['entrega.status', 1, 'D', null],
      ['entrega.status', 2, 'A', 'D'],
      ['entrega.status', 3, 'A', 'A'],
      ['entrega.status', 4, 'E', 'A'],
      ['entrega.parada_concluida', 5, 'E', undefined],
      ['entrega.status', 6, 'F', 'E'],
    ],
  );
  assert.deepEqual(bodies[0].data.condutor, null);
  assert.deepEqual(bodies[1].data.condutor, { id: String(driverId), nome: 'Condutor de teste' });
  assert.deepEqual(
    bodies.map(({ data }) => data.chegou_na_coleta),
    [false, false, true, false, undefined, false],
  );
  assert.deepEqual(bodies[4].data.parada, {
    id: stopId,
    ordem: 0,
    numero_pedido: 'P-1',
    id_externo: 'erp-77',
  });
  assert.equal(bodies[4].data.paradas_restantes, 0);
  assert.deepEqual(bodies[5].data.paradas, [
    {
      id: stopId,
      ordem: 0,
      numero_pedido: 'P-1',
      id_externo: 'erp-77',
      concluida: true,
      nao_entregue: false,
    },
  ]);
  assert.match(bodies[5].data.valor_corrida, /^\d+\.\d\d$/);
  assert.deepEqual(
    whole.receiver.arrivals.map((arrival) => arrival.id),
    own.receiver.arrivals.map((arrival) => arrival.id),
    'the same event has the same id everywhere',
  );
  assert.equal(other.receiver.arrivals.length, 0);
});

test('messages contain no personal data', async (t) => {
  const { receiver } = await register(t, central);
  const person = { nome: 'Ana Pessoa', cpf: '529.982.247-25', telefone: '51977776666' };
  const id = await open(central, {
    cliente: person,
    categoria_nome: 'Moto',
    observacao: 'campainha quebrada',
  });
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const [stopId] = assertOk(await central.get(`/entregas/${id}`)).body.data.paradas.map(
    (stop: Json) => stop.id,
  );
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));
  const scheduled = await schedule(manager, tomorrow(), 2);
  assertOk(await operator.post(`/programadas/${scheduled}/cancelar`));
  await arrived(receiver, 6);
  const sent = receiver.arrivals.map(({ text }) => text).join('\n');
  const { telefone: phone } = assertOk(await operator.get(`/condutores/${driverId}`)).body.data;
  const personal = [
    'Ana',
    '52998224725',
    '529.982',
    '51977776666',
    'campainha',
    'Cliente',
    '51999990000',
    phone,
  ];
  for (const word of [...personal, 'Ipiranga', pickup.endereco]) assert.ok(!sent.includes(word), word);
});

test('the provider of a removed stop gets an event with its own identifiers', async (t) => {
  const { receiver } = await register(t, manager, ['programada.parada_removida']);
  const stops = [
    { ...stop(0), id_externo: 'ext-0' },
    { ...stop(1), id_externo: 'ext-1' },
    { ...stop(2), id_externo: 'ext-2' },
  ];
  const when = tomorrow();
  const id = await schedule(manager, { ...when, paradas: stops });
  const read = assertOk(await manager.get(`/entregas/programadas/${id}`)).body.data;
  assertOk(await manager.delete(`/entregas/programadas/${id}/paradas/${read.paradas[1].id}`));
  await arrived(receiver, 1);
  assert.partialDeepStrictEqual(receiver.arrivals[0]!.body.data, {
    id: String(id),
    sequencia: 2,
    situacao: 'A',
    parada: { id: read.paradas[1].id, numero_pedido: 'P-2', id_externo: 'ext-1' },
    pedida_com: String(id),
  });
  const edit = { ...when, forma_pagamento: 'D', partida: pickup, paradas: [stops[2]] };
  assertOk(await manager.put(`/entregas/programadas/${id}`, edit));
  await arrived(receiver, 2);
  assert.partialDeepStrictEqual(receiver.arrivals[1]!.body.data, {
    parada: { numero_pedido: 'P-1', id_externo: 'ext-0' },
  });
});

test('the log tells how the last attempt went, and a replay sends the same event again', async (t) => {
  const { id, receiver } = await register(t, manager, ['entrega.status']);
  receiver.answer = withStatus(500, 'fora do ar');
  await open(manager);
  await arrived(receiver, 1);
  await waitUntil('the attempt is logged', async () => (await log(manager, id))[0]!.status_http === 500);
  const [failed] = (await log(manager, id)) as [Json];
  assert.partialDeepStrictEqual(failed, {
    estado: 'esperando',
    tentativas: 1,
    resposta: 'fora do ar',
    erro: null,
  });
  assert.ok(Number.isInteger(failed.duracao_ms));
  assert.ok(failed.proxima_tentativa > failed.ultima_tentativa);
  // The endpoint has refused too few to count as failing, and still says when it gets something again.
  const own = async () => assertOk(await manager.get(`/webhooks/${id}`)).body.data;
  const listed = assertOk(await manager.get('/webhooks?limite=100')).body.data.find(
    (each: Json) => each.id === String(id),
  );
  const status = assertOk(await manager.get(`/webhooks/${id}/status`)).body.data;
  assert.equal(listed.estado, 'ativo');
  for (const each of [await own(), listed, status])
    assert.equal(each.proxima_tentativa, failed.proxima_tentativa);
  assertOk(await manager.put(`/webhooks/${id}`, { ativo: false }));
  assert.equal((await own()).proxima_tentativa, null);
  assert.equal((await log(manager, id))[0]!.proxima_tentativa, null, 'nothing is sent while it is off');

  receiver.answer = withStatus(200, 'ok');
  assertOk(await manager.put(`/webhooks/${id}`, { ativo: true }));
  const replay = () => manager.post(`/webhooks/envios/${failed.id}/reenviar`);
  assert.deepEqual(assertOk(await replay()).body.data, { id: failed.id, estado: 'esperando' });
  await waitUntil('it was taken', async () => (await log(manager, id))[0]!.estado === 'entregue');
  assertOk(await replay());
  await arrived(receiver, 3);
  await waitUntil('it was taken again', async () => (await log(manager, id))[0]!.estado === 'entregue');
  assert.equal(new Set(receiver.arrivals.map((arrival) => arrival.id)).size, 1);
  assert.equal(receiver.arrivals[0]!.id, failed.evento_id);
  assert.equal(new Set(receiver.arrivals.map((arrival) => arrival.text)).size, 1);
});

test('a time range is replayed in order', async (t) => {
  const { id, receiver } = await register(t, manager, ['entrega.status']);
  const from = clock.now();
  const deliveryId = await open(manager);
  clock.advance({ seconds: 1 });
  assertOk(await manager.post(`/entregas/${deliveryId}/cancelar`, { motivo_id: 2 }));
  const until = clock.now();
  clock.advance({ seconds: 1 });
  await open(manager);
  await arrived(receiver, 3);
  await waitUntil('all are marked', async () =>
    (await log(manager, id)).every(({ estado }) => estado === 'entregue'),
  );
  const range = { de: from.toString(), ate: until.add({ milliseconds: 1 }).toString() };
  assert.equal(assertOk(await manager.post(`/webhooks/${id}/reenviar`, range)).body.data.reenviados, 2);
  await arrived(receiver, 5);
  assert.deepEqual(
    receiver.arrivals.slice(3).map(({ body }) => [body.data.id, body.data.sequencia]),
    [
      [deliveryId, 1],
      [deliveryId, 2],
    ],
  );
});

test('a test event arrives, signed like any other', async (t) => {
  const { id, secret, receiver } = await register(t, manager, ['credito.lancado']);
  assertOk(await manager.post(`/webhooks/${id}/teste`));
  await arrived(receiver, 1);
  const { text, headers, body } = receiver.arrivals[0]!;
  assert.ok(new Webhook(secret).verify(text, headers));
  assert.deepEqual([body.type, body.data.webhook_id], ['webhook.teste', id]);
});

test('entries of the wallet are reported with the balance after each', async (t) => {
  const { receiver } = await register(t, manager, ['credito.lancado']);
  const company = { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' };
  const topUp = assertOk(
    await central.post('/entregas/empresas/creditos/recargas', { valor: 100, empresa: company }),
  );
  const id = await open(manager, { forma_pagamento: 'R' });
  await arrived(receiver, 2);
  const [top, held] = receiver.arrivals.map(({ body }) => body.data) as [Json, Json];
  assert.partialDeepStrictEqual(top, {
    empresa_id: '1',
    registro_id: topUp.body.data.registro_id,
    tipo: 'recarga',
    valor: '100.00',
    id_mch: null,
  });
  assert.partialDeepStrictEqual(held, { tipo: 'reserva', id_mch: id });
  assert.match(held.valor, /^-\d+\.\d\d$/);
  assert.match(held.registro_id, /^\d+$/);
  const cents = (text: string) => Math.round(Number(text) * 100);
  assert.equal(cents(held.saldo), cents(top.saldo) + cents(held.valor));
});
