import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { countOpenSql, listOpenSql } from '../../server/src/deliveries/deliveries/openDeliveriesStore.ts';
import { client, type Json } from '../support/client.ts';
import { figuresOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { copyDelivery } from '../support/states.ts';
import { assertOk, assertRefused, deliveryIn, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const manager = login('gerente');
const manager2 = login('gerente2');
const neighbour = login('vizinha', 'demo-vizinha');

const summary = async (who = operator): Promise<Json> => assertOk(await who.get('/resumo')).body.data;
const open = async (who = operator): Promise<Json[]> =>
  assertOk(await who.get('/entregas/abertas')).body.data;
const NONE = { L: 0, D: 0, G: 0, P: 0, A: 0, S: 0, E: 0 };

const statuses = {
  awaiting_release: 'L',
  distributing: 'D',
  offered: 'G',
  pending: 'P',
  accepted: 'A',
  on_hold: 'S',
  in_progress: 'E',
} as const;
const deliveries: Record<string, TestDelivery> = {};

/**
 * The time when a delivery that has just started is due: its planned way with 30 % of slack, and 4 minutes at its one
 * stop.
 */
async function plannedEnd(id: number): Promise<string> {
  const { planned_seconds: seconds } = await figuresOf(malote, { noun: 'delivery', id });
  const end = malote.clock.now().add({ minutes: 4, milliseconds: seconds * 1300 });
  return end.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString();
}

/** The promised time: twenty minutes until the goods leave the pickup, and the planned way to the one stop. */
async function promisedEnd(id: number): Promise<string> {
  const { planned_seconds: seconds } = await figuresOf(malote, { noun: 'delivery', id });
  return Temporal.Instant.from('2026-11-16T15:00:00Z').add({ minutes: 20, seconds }).toString();
}

test('a day without deliveries is all zeros', async () => {
  assert.deepEqual(await summary(), {
    agora: '2026-11-16T15:00:00Z',
    entregas: NONE,
    atrasadas: 0,
    enderecos_a_conferir: 0,
    programadas_aguardando: 0,
    programadas_com_falha: 0,
    paradas_nao_entregues: 0,
    pedidos_ajuda: [],
    webhooks_com_problema: 0,
  });
  assert.deepEqual(await open(), []);
});

// The first test sees the empty day. The others share these deliveries and run in any selection.
describe('a day with a delivery in every status', () => {
  before(async () => {
    for (const status of Object.keys(statuses) as (keyof typeof statuses)[])
      deliveries[status] = await deliveryIn(malote, status);
    for (const over of ['finished', 'cancelled', 'not_attended'] as const) await deliveryIn(malote, over);
  });

  test('GET /resumo and GET /entregas/abertas: every open status is counted and listed by its letter', async () => {
    const counted = await summary();
    // The delivery on hold waits for another one that its driver has accepted.
    assert.deepEqual(counted.entregas, { L: 1, D: 1, G: 1, P: 1, A: 2, S: 1, E: 1 });
    const listed = await open();
    assert.equal(listed.length, 8);
    for (const [status, letter] of Object.entries(statuses)) {
      const found = listed.find(({ id }) => id === String(deliveries[status]!.id));
      assert.equal(found.status, letter, status);
    }
  });

  test('GET /entregas/abertas: a delivery is listed with its places, driver and price as its detail shows them', async () => {
    const { id, driverId, stopIds } = deliveries.in_progress!;
    const listed = (await open()).find((delivery) => delivery.id === String(id));
    const shown = assertOk(await malote.central.get(`/entregas/${id}/detalhes`)).body.data;
    assert.deepEqual(listed, {
      id: String(id),
      status: 'E',
      empresa_id: '1',
      nome_cliente: 'Padaria Moinhos',
      categoria: 'Moto',
      condutor: { id: String(driverId), nome: 'Condutor de teste' },
      tipo_pagamento: 'D',
      valor_corrida: shown.valor_corrida,
      solicitada_em: '2026-11-16T15:00:00Z',
      previsao: await plannedEnd(id),
      prometida_para: await promisedEnd(id),
      chegada_prevista: listed!.chegada_prevista,
      atrasada: false,
      vai_atrasar: false,
      conferir_endereco: false,
      desde: '2026-11-16T15:00:00Z',
      // Promised for 15:29:21, and expected at 15:09:21.
      folga_segundos: 1200,
      partida: {
        endereco: 'Rua dos Andradas, 1001',
        bairro: 'Centro Histórico',
        lat: -30.0305,
        lng: -51.2303,
        conferir: false,
      },
      paradas: [
        {
          id: String(stopIds[0]),
          endereco: 'Avenida Ipiranga, 1',
          bairro: 'Azenha',
          lat: -30.0489,
          lng: -51.2158,
          concluida: false,
          nao_entregue: false,
          conferir: false,
          numero_pedido: 'P-1',
          nome_cliente: 'Cliente 1',
        },
      ],
    });
    assert.match(listed.valor_corrida, /^\d+\.\d{2}$/);
  });

  test('a manager sees the own company, and another central nothing', async () => {
    assert.equal((await open(manager)).length, 8);
    assert.equal((await open(manager2)).length, 0);
    assert.deepEqual((await summary(manager2)).entregas, NONE);
    assert.deepEqual((await summary(neighbour)).entregas, NONE);
    assert.deepEqual(await open(neighbour), []);
  });

  test('a delivery is late once its present step takes longer than it should', async (t) => {
    const start = malote.clock.now();
    t.after(() => malote.clock.set(start.toString()));
    const isLate = async (status: string): Promise<boolean> =>
      (await open()).find(({ id }) => id === String(deliveries[status]!.id)).atrasada;
    assert.equal((await summary()).atrasadas, 0);
    malote.clock.advance({ minutes: 6 });
    assert.ok(await isLate('distributing'));
    assert.ok(await isLate('pending'));
    assert.ok(!(await isLate('awaiting_release')));
    assert.ok(!(await isLate('accepted')));
    malote.clock.advance({ minutes: 7 });
    assert.ok(await isLate('awaiting_release'));
    assert.ok(await isLate('accepted'));
    assert.ok(!(await isLate('on_hold')));
    const { previsao } = (await open()).find(({ id }) => id === String(deliveries.in_progress!.id));
    const left = Temporal.Instant.from(previsao).since(malote.clock.now());
    assert.ok(!(await isLate('in_progress')));
    malote.clock.advance(left.add({ seconds: 1 }));
    assert.ok(await isLate('in_progress'));
    // All but the delivery on hold, which waits for its driver's other one. Both accepted ones are late.
    assert.equal((await summary()).atrasadas, 7);
  });
});

test('GET /entregas/abertas: the arrival is held against what the order promised', async (t) => {
  const start = malote.clock.now();
  t.after(() => malote.clock.set(start.toString()));
  const { id, driverId } = await deliveryIn(malote, 'accepted');
  const listed = async (who = operator) => (await open(who)).find((delivery) => delivery.id === String(id))!;
  const late = async () => (await summary()).atrasadas;
  const near = { lat: -30.0305, lng: -51.2303 };
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, near));
  const soon = await listed();
  assert.ok(soon.chegada_prevista < soon.prometida_para);
  assert.deepEqual([soon.atrasada, soon.vai_atrasar], [false, false]);
  // The detail shows the same.
  const detail = assertOk(await operator.get(`/entregas/${id}`)).body.data;
  assert.deepEqual([detail.prometida_para, detail.atrasada], [soon.prometida_para, false]);

  assertOk(await operator.post(`/condutores/${driverId}/posicao`, { lat: -30.2, lng: -51.2 }));
  const before = await late();
  const far = await listed();
  assert.ok(far.chegada_prevista > far.prometida_para);
  assert.deepEqual([far.atrasada, far.vai_atrasar], [false, true]);
  assert.deepEqual((await listed(manager)).vai_atrasar, true);

  const { prometida_para } = await listed();
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, near));
  const left = Temporal.Instant.from(prometida_para).since(malote.clock.now());
  malote.clock.advance(left.add({ seconds: 1 }));
  const past = await listed();
  assert.deepEqual([past.atrasada, past.vai_atrasar], [true, false]);
  assert.ok((await late()) > before, 'the numbers of the day count it too');
});

test('GET /entregas/abertas: one on hold arrives after what its driver does before; a company is not told', async () => {
  const onHold = await deliveryIn(malote, 'on_hold');
  const all = await open();
  const mine = all.filter(({ condutor }) => condutor?.id === String(onHold.driverId));
  const [current, waiting] = ['A', 'S'].map((status) => mine.find((each) => each.status === status)!);
  assert.ok(current!.chegada_prevista < waiting!.chegada_prevista);
  const seen = (await open(manager)).find(({ id }) => id === String(onHold.id))!;
  assert.equal(seen.chegada_prevista, null);
  const searching = await deliveryIn(malote, 'pending');
  assert.equal((await open()).find(({ id }) => id === String(searching.id))!.chegada_prevista, null);
});

test('a delivery that was grouped into another is counted and listed with that one', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  const before = (await summary()).entregas.E;
  const group = { solicitacoes_agrupadas: [grouped.id] };
  assertOk(await malote.central.post(`/entregas/${grouper.id}/agrupar`, group));
  assert.equal((await summary()).entregas.E, before - 1);
  const listed = await open();
  assert.ok(!listed.some(({ id }) => id === String(grouped.id)));
  assert.equal(listed.find(({ id }) => id === String(grouper.id)).paradas.length, 2);
});

test('scheduled deliveries that wait and webhooks that do not receive are counted', async () => {
  const at = malote.clock.now().add({ hours: 5 }).toZonedDateTimeISO('America/Sao_Paulo');
  const two = (value: number) => String(value).padStart(2, '0');
  const later = order({
    data: `${two(at.day)}/${two(at.month)}/${at.year}`,
    hora: `${two(at.hour)}:${two(at.minute)}:00`,
  });
  assertOk(await malote.manager.post('/entregas/programadas', later));
  const [first, second] = await malote.db.newIds(1, 'webhook', 2);
  await malote.db`
    insert into webhooks (central_id, id, company_id, url, types, secret, created_at, paused_at)
    values (1, ${first}, 1, 'https://erp.example/a', '{delivery.status}', 'x', now(), now()),
      (1, ${second}, 2, 'https://erp.example/b', '{delivery.status}', 'x', now(), null)`;
  const { programadas_aguardando, webhooks_com_problema } = await summary();
  assert.deepEqual([programadas_aguardando, webhooks_com_problema], [1, 1]);
  const others = await summary(manager2);
  assert.deepEqual([others.programadas_aguardando, others.webhooks_com_problema], [0, 0]);
});

const HISTORY = 3_000;

const ALL = { centralId: 1, companyId: null };

interface Plan {
  'QUERY PLAN': string;
}

test('the history is not read to count what goes on', async () => {
  // With few rows every index costs the same, and a setting against sequential scans does not reach a node of Citus.
  await copyDelivery(malote.db, (await deliveryIn(malote, 'finished')).id, HISTORY);
  await runText(malote.db, 'analyze deliveries', []);
  const plan = await malote.db.begin(async (tx) => [
    await tx<Plan>`explain ${countOpenSql(ALL, malote.clock.now())}`,
    await tx<Plan>`explain ${listOpenSql(ALL, 500)}`,
  ]);
  for (const rows of plan) {
    const text = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(text, /Index.* on deliveries_by_status|using deliveries_by_status/);
    assert.doesNotMatch(text, /Seq Scan on deliveries/);
  }
});

test('a driver’s login is refused', async () => {
  for (const path of ['/resumo', '/entregas/abertas', '/condutores/posicoes', '/opcoes'])
    assertRefused(await malote.driver(1).get(path), 403, /não tem permissão/);
});
