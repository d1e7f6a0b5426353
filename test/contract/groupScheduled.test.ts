import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dispatchReady } from '../../server/src/dispatch/rounds/dispatchScheduled.ts';
import {
  along,
  assertNoClaims,
  at,
  everything,
  fewestSeconds,
  figuresOf,
  groupScheduled,
  motorcycleCents,
  pickupAt,
  start as startOn,
  stopIdsOf,
  stopsOf,
} from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
import { changeRecord } from '../support/registers.ts';
import { madeBy, scheduledRow } from '../support/rows.ts';
import { eventsOfScheduled, readScheduled, schedule } from '../support/scheduled.ts';
import { situate } from '../support/states.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { manager, central, operator } = malote;

const scheduled = (id: number) => ({ noun: 'scheduled' as const, id });
const amount = (cents: number) => (cents / 100).toFixed(2);

test('answers with success and a message, in the language that is asked for', async () => {
  const [first, second] = [await schedule(manager), await schedule(manager)];
  const answer = await groupScheduled(malote, first, [second]);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, message: 'entregas programadas agrupadas' });
  const english = await manager.post(
    `/entregas/programadas/${first}/agrupar`,
    { programadas_agrupadas: [await schedule(manager)] },
    { 'accept-language': 'en' },
  );
  assert.deepEqual(english.body, { success: true, message: 'scheduled deliveries grouped' });
});

test('the grouper keeps its id and receives all stops in the fastest order; the listed ones become agrupado', async () => {
  const grouper = await schedule(manager, at(5, 1));
  const others = [await schedule(manager, at(0)), await schedule(manager, at(8, 3, 4))];
  const ids = await Promise.all([grouper, ...others].map((id) => stopIdsOf(malote, scheduled(id))));
  assertOk(await groupScheduled(malote, grouper, others));

  const shown = await readScheduled(manager, grouper);
  assert.equal(shown.id_mch_programada, String(grouper));
  assert.equal(shown.situacao, 'A');
  const stops = await stopsOf(malote, scheduled(grouper));
  assert.deepEqual(
    stops.map(({ id }) => id).toSorted((a, b) => a - b),
    ids.flat(),
  );
  assert.deepEqual(
    shown.paradas.map(({ id, ordem }: { id: string; ordem: number }) => [Number(id), ordem]),
    stops.map(({ id }, index) => [id, index]),
  );
  assert.equal((await along([pickupAt, ...stops])).seconds, await fewestSeconds(pickupAt, stops));

  for (const id of others) {
    const grouped = await readScheduled(manager, id);
    assert.equal(grouped.situacao, 'agrupado');
    assert.equal(grouped.situacao_formatada, 'Agrupada');
    assert.deepEqual(grouped.paradas, []);
  }
  await assertNoClaims(malote);
});

test('the new value is read from the grouper', async () => {
  const grouper = await schedule(manager, at(5));
  const before = (await readScheduled(manager, grouper)).valor.estimado;
  assertOk(await groupScheduled(malote, grouper, [await schedule(manager, at(4, 2))]));
  const way = await along([pickupAt, ...(await stopsOf(malote, scheduled(grouper)))]);
  const cents = motorcycleCents(way, 3);
  assert.deepEqual(await figuresOf(malote, scheduled(grouper)), {
    planned_metres: way.metres,
    planned_seconds: way.seconds,
    gross_cents: cents,
    net_cents: cents,
  });
  const after = (await readScheduled(manager, grouper)).valor.estimado;
  assert.equal(after, amount(cents));
  assert.notEqual(after, before);
});

test('company, category, payment, return and dispatch are the grouper’s', async () => {
  const grouper = await schedule(manager, {
    ...at(0),
    categoria_nome: 'Carro',
    forma_pagamento: 'F',
    com_retorno: true,
    hora: '14:00:00',
  });
  const facts = async () => {
    const row = await scheduledRow(malote, grouper);
    const { situation, company_id, customer_id, category_id, tariff_id, payment, has_return, note } = row;
    const dispatchAt = row.dispatch_at.toString();
    return {
      situation,
      dispatchAt,
      company_id,
      customer_id,
      category_id,
      tariff_id,
      payment,
      has_return,
      note,
    };
  };
  const before = await facts();
  const other = await schedule(manager, { ...at(3, 7), categoria_nome: 'Bike', hora: '13:30:00' });
  assertOk(await groupScheduled(malote, grouper, [other]));
  assert.deepEqual(await facts(), before);
  const stops = await stopsOf(malote, scheduled(grouper));
  const aroundByCar = await fewestSeconds(pickupAt, stops, [pickupAt]);
  assert.equal((await along([pickupAt, ...stops, pickupAt])).seconds, aroundByCar);
});

test('the tariff’s window is that of the grouper’s dispatch', async (t) => {
  const janelas = [{ dias: [1, 2, 3, 4, 5, 6, 7], inicio: '14:00', fim: '15:00', fator: '2' }];
  await changeRecord(t, malote.operator, '/tarifas/1', { janelas });
  const inside = await schedule(manager, { ...at(0), hora: '14:30:00' });
  const outside = await schedule(manager, { ...at(0), hora: '15:00:00' });
  const others = [
    await schedule(manager, { ...at(4), hora: '15:00:00' }),
    await schedule(manager, { ...at(4), hora: '14:30:00' }),
  ];
  assertOk(await groupScheduled(malote, inside, [others[0]!]));
  assertOk(await groupScheduled(malote, outside, [others[1]!]));
  const dear = (await figuresOf(malote, scheduled(inside))).gross_cents;
  const plain = (await figuresOf(malote, scheduled(outside))).gross_cents;
  const way = await along([pickupAt, ...(await stopsOf(malote, scheduled(outside)))]);
  assert.equal(plain, motorcycleCents(way, 2));
  assert.ok(Math.abs(dear - 2 * plain) <= 1, `${dear} is twice ${plain}, rounded once`);
});

test('requests that were grouped before come along, and points to the new grouper', async () => {
  const [first, second, third] = [
    await schedule(manager, at(0)),
    await schedule(manager, at(1)),
    await schedule(manager, at(2)),
  ];
  const stopsOfThird = await stopIdsOf(malote, scheduled(third));
  assertOk(await groupScheduled(malote, second, [third]));
  assertOk(await groupScheduled(malote, first, [second]));
  for (const id of [second, third])
    assert.partialDeepStrictEqual(await scheduledRow(malote, id), {
      situation: 'grouped',
      grouped_into: first,
    });
  const carried = await stopsOf(malote, scheduled(first));
  assert.deepEqual(
    carried.filter(({ orderedWith }) => orderedWith === third).map(({ id }) => id),
    stopsOfThird,
  );
});

test('only the grouper is dispatched, with everybody’s stops', async () => {
  const grouper = await schedule(manager, { ...at(0), hora: '20:00:00' });
  const other = await schedule(manager, { ...at(1), hora: '19:59:00' });
  assertOk(await groupScheduled(malote, grouper, [other]));
  const stopIds = await stopIdsOf(malote, scheduled(grouper));
  const now = malote.clock.now();
  malote.clock.set('2026-11-16T23:00:00Z');
  await dispatchReady({ ...malote.app.deps, log: malote.app.server.log });
  malote.clock.set(now.toString());
  const { situacao, id_mch } = await readScheduled(manager, grouper);
  assert.equal(situacao, 'D');
  assert.deepEqual(await stopIdsOf(malote, { noun: 'delivery', id: Number(id_mch) }), stopIds);
  assert.deepEqual(await madeBy(malote, other), []);
  assert.equal((await readScheduled(manager, other)).situacao, 'agrupado');
});

test('each delivery gets an event, in its own numbering', async () => {
  const [grouper, other] = [await schedule(manager), await schedule(manager)];
  assertOk(await groupScheduled(malote, grouper, [other]));
  assert.partialDeepStrictEqual((await eventsOfScheduled(malote, grouper)).at(-1), {
    type: 'scheduled.changed',
    sequence: 2,
    payload: { situation: 'awaiting', change: 'stops_joined', grouped: [other] },
  });
  assert.partialDeepStrictEqual((await eventsOfScheduled(malote, other)).at(-1), {
    type: 'scheduled.changed',
    sequence: 2,
    payload: { situation: 'grouped', change: 'grouped', groupedInto: grouper },
  });
});

describe('the limits', () => {
  test('61 seconds before dispatch there is still time, at 60 there is not', async () => {
    // Noon in São Paulo on the test clock.
    const grouper = await schedule(manager, { ...at(0), hora: '12:01:01' });
    const late = await schedule(manager, { ...at(0), hora: '12:01:00' });
    assertRefused(
      await groupScheduled(malote, grouper, [late]),
      422,
      new RegExp(`^falta menos de 60 segundos para o disparo do pedido ${late}$`),
    );
    assertOk(await groupScheduled(malote, grouper, [await schedule(manager)]));
  });

  test('10 stops are grouped, 11 are not', async () => {
    const grouper = await schedule(manager, at(0, 1, 2, 3, 4));
    const five = await schedule(manager, at(5, 6, 7, 8, 9));
    const single = await schedule(manager);
    assertRefused(
      await groupScheduled(malote, grouper, [five, single]),
      400,
      /no máximo 10 paradas e teria 11$/,
    );
    assertOk(await groupScheduled(malote, grouper, [five]));
    assertRefused(await groupScheduled(malote, grouper, [single]), 400, /teria 11$/);
  });

  test('pickups that agree to 5 decimals are one place, others are not', async () => {
    const grouper = await schedule(manager);
    const moved = (lat: string) => ({ partida: { ...pickup, lat } });
    assertOk(await groupScheduled(malote, grouper, [await schedule(manager, moved('-30.030504'))]));
    assertRefused(
      await groupScheduled(malote, grouper, [await schedule(manager, moved('-30.03051'))]),
      422,
      /coleta são diferentes$/,
    );
  });

  test('a half of the sixth decimal is rounded away from zero, in the south and in the west', async () => {
    const from = (lat: string, lng: string) => ({ partida: { ...pickup, lat, lng } });
    const grouper = await schedule(manager, from('-30.03051', '-51.2303'));
    const south = await schedule(manager, from('-30.030505', '-51.2303'));
    const west = await schedule(manager, from('-30.03051', '-51.230305'));
    assertRefused(await groupScheduled(malote, grouper, [west]), 422, /coleta são diferentes$/);
    assertOk(await groupScheduled(malote, grouper, [south]));
  });

  test('those of no company can be grouped with one another, and not with a company’s', async () => {
    const person = {
      categoria_nome: 'Moto',
      cliente: { nome: 'Rosa', cpf: '52998224725', telefone: '51999990000' },
    };
    const [first, second] = [await schedule(central, person), await schedule(central, person)];
    const ofCompany = await schedule(central, { empresa_id: 1 });
    const group = (list: number[]) =>
      central.post(`/entregas/programadas/${first}/agrupar`, { programadas_agrupadas: list });
    assertRefused(await group([second, ofCompany]), 422, /empresas diferentes$/);
    assertOk(await group([second]));
  });
});

describe('what is listed', () => {
  test('counts once, and the grouper’s own id not at all', async () => {
    const [grouper, other] = [await schedule(manager), await schedule(manager)];
    assertOk(await groupScheduled(malote, grouper, [grouper, other, other]));
    assert.equal((await stopsOf(malote, scheduled(grouper))).length, 2);
  });

  test('must await dispatch: not cancelled, not grouped, not dispatched, not failed', async () => {
    const grouper = await schedule(manager);
    for (const situation of ['cancelled', 'grouped', 'dispatched', 'failed'] as const) {
      const other = await schedule(manager);
      await situate(malote, other, situation);
      const words = new RegExp(`^a entrega programada ${other} não está aguardando disparo$`);
      assertRefused(await groupScheduled(malote, grouper, [other]), 406, words);
      assertRefused(await groupScheduled(malote, other, [grouper]), 406, words);
    }
  });

  test('must be in the caller’s scope: another company’s, another central’s and a missing one get the same answer', async () => {
    const mine = await schedule(manager);
    const theirs = await schedule(malote.manager2);
    const before = await everything(malote);
    const answers = [
      await groupScheduled(malote, mine, [theirs]),
      await groupScheduled(malote, theirs, [mine]),
      await groupScheduled(malote, mine, [9_999_999]),
      await malote.neighbour.post(`/entregas/programadas/${mine}/agrupar`, {
        programadas_agrupadas: [theirs],
      }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, {
        success: false,
        errors: [{ code: 0, message: 'entrega programada não encontrada' }],
      });
    }
    assert.deepEqual(await everything(malote), before);
  });
});

const RITA = { cliente: { nome: 'Rita', cpf: '52998224725', telefone: '51999990001' } };
const PAULO = { cliente: { nome: 'Paulo', cpf: '11144477735', telefone: '51999990002' } };
const BY_OTHER_NAME = { cliente: { nome: 'Rita de Cássia', cpf: '529.982.247-25', telefone: '51999990003' } };
const CATEGORY = { categoria_id: 1 };

const plan = (who: object) => schedule(central, { ...CATEGORY, ...who });
const start = (who: object) => startOn(malote, { ...CATEGORY, ...who }, { by: central });
const DIFFERENT = /clientes ou de empresas diferentes$/;

test('scheduled into scheduled: different people are 422, and nothing changes', async () => {
  const [rita, paulo] = [await plan(RITA), await plan(PAULO)];
  const answer = await central.post(`/entregas/programadas/${rita}/agrupar`, {
    programadas_agrupadas: [paulo],
  });
  assertRefused(answer, 422, DIFFERENT);
  const english = await central.post(
    `/entregas/programadas/${rita}/agrupar`,
    { programadas_agrupadas: [paulo] },
    { 'accept-language': 'en' },
  );
  assert.match(english.body.errors[0].message, /different customers or different companies$/);
  for (const id of [rita, paulo]) assert.equal((await readScheduled(central, id)).situacao, 'A');
  assertRefused(
    await operator.post(`/programadas/${rita}/simular-agrupamento`, { programadas_agrupadas: [paulo] }),
    422,
    DIFFERENT,
  );
});

test('scheduled and running into running: different people are 422', async () => {
  const [rita, paulo, waiting] = [await start(RITA), await start(PAULO), await plan(PAULO)];
  assertRefused(
    await central.post(`/entregas/${rita}/agrupar/programadas`, { programadas_agrupadas: [waiting] }),
    422,
    DIFFERENT,
  );
  assertRefused(
    await central.post(`/entregas/${rita}/agrupar`, { solicitacoes_agrupadas: [paulo] }),
    422,
    DIFFERENT,
  );
  assertRefused(
    await operator.post(`/entregas/${rita}/simular-agrupamento`, { solicitacoes_agrupadas: [paulo] }),
    422,
    DIFFERENT,
  );
});

test('a person and a company are as different as ever', async () => {
  const [rita, company] = [await start(RITA), await startOn(malote)];
  assertRefused(
    await central.post(`/entregas/${company}/agrupar`, { solicitacoes_agrupadas: [rita] }),
    422,
    DIFFERENT,
  );
});

test('the same person, known by the CPF, can be grouped in all three ways', async () => {
  const [first, second] = [await plan(RITA), await plan(BY_OTHER_NAME)];
  assertOk(await central.post(`/entregas/programadas/${first}/agrupar`, { programadas_agrupadas: [second] }));
  const running = await start(RITA);
  assertOk(
    await central.post(`/entregas/${running}/agrupar`, {
      solicitacoes_agrupadas: [await start(BY_OTHER_NAME)],
    }),
  );
  assertOk(
    await central.post(`/entregas/${running}/agrupar/programadas`, {
      programadas_agrupadas: [await plan(BY_OTHER_NAME)],
    }),
  );
});
