import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { groupDeliveries, groupScheduled } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, places, stop } from '../support/orders.ts';
import { changeAgain, changeRecord, newRecord } from '../support/registers.ts';
import { balanceCents, deliveryRow, entriesOf, offerStates, setBalance } from '../support/rows.ts';
import { dispatchNow, eventsOfDelivery, schedule } from '../support/scheduled.ts';
import { allOf, assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

// Contract 4.22: a full replacement until it is in progress.
const malote = await startMalote();
const { manager, manager2, central, operator, neighbour } = malote;

const elsewhere = { ...pickup, endereco: 'Rua da Praia, 5', lat: places[1].lat, lng: places[1].lng };
const edit = (id: number, changes: Record<string, unknown> = {}, login = manager) =>
  login.put(`/entregas/${id}`, order(changes));
const read = async (id: number): Promise<Json> => assertOk(await central.get(`/entregas/${id}`)).body.data;
const statusOf = async (id: number): Promise<string> =>
  assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const cliente = { nome: 'Rita Lima', cpf: '529.982.247-25', telefone: '51988887777' };

test('PUT /entregas/{id} -> its id as an integer, and nothing else', async () => {
  const { id } = await openDelivery(malote);
  assert.deepEqual(assertOk(await edit(id)).body, { success: true, id_mch: id });
});

test('all is as if it had been created so; what is left out is as in a creation without it', async () => {
  const { id } = await openDelivery(malote, {
    categoria_id: 2,
    com_retorno: true,
    observacao: 'frágil',
    codigo_cupom: 'DEMO10',
    partida: { ...pickup, complemento: 'loja 2' },
  });
  const before = await read(id);
  const replacement = { partida: elsewhere, paradas: [stop(3), stop(4)], forma_pagamento: 'X' };
  assertOk(await edit(id, replacement));
  const { id: likeId } = await openDelivery(malote, replacement);
  const withoutIds = ({ id: _id, paradas, ...rest }: Json) => ({
    ...rest,
    paradas: paradas.map(({ id: _stopId, ...stop }: Json) => stop),
  });
  assert.deepEqual(withoutIds(await read(id)), withoutIds(await read(likeId)));
  const old = new Set(before.paradas.map((stop: Json) => stop.id));
  assert.ok(!(await read(id)).paradas.some((stop: Json) => old.has(stop.id)), 'stops are made anew');
});

test('the moment it was asked for stays, and with it the hour of its price', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  const before = await read(id);
  malote.clock.advance({ hours: 9 });
  assertOk(await manager.put(`/entregas/${id}`, order({}, 2)));
  const after = await read(id);
  assert.equal(after.data_hora_solicitacao, before.data_hora_solicitacao);
  assert.equal(after.valor_corrida, before.valor_corrida);
});

test('a coupon that it had stays good for it, though it has expired; another one must be valid', async (t) => {
  const { id } = await openDelivery(malote, { codigo_cupom: 'DEMO10' });
  const before = await read(id);
  await changeRecord(t, operator, '/cupons/1', { ativo: false });
  assertOk(await edit(id, { codigo_cupom: 'demo10' }));
  assert.equal((await read(id)).valor_corrida, before.valor_corrida);
  assert.equal((await read(id)).codigo_cupom, 'DEMO10');
  const { id: without } = await openDelivery(malote);
  assertRefused(await edit(without, { codigo_cupom: 'DEMO10' }), 422, /cupom inválido/);
  await changeAgain(operator, '/cupons/1', { ativo: true });
  assertOk(await edit(without, { codigo_cupom: 'DEMO10' }));
  assert.equal((await read(without)).desconto, '10.00');
});

test('providers get events for removed stops; a stop that is sent again keeps its link and its code', async () => {
  await malote.configure({ confirmationCode: true });
  const { id } = await openDelivery(malote, {
    paradas: [
      { ...stop(0), id_externo: 'ext-0' },
      { ...stop(1), id_externo: 'ext-1' },
    ],
  });
  const linksOf = async () => assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
  const [gone, kept] = await linksOf();
  assertOk(await edit(id, { paradas: [{ ...stop(1), id_externo: 'ext-1' }, stop(2)] }));
  const [returned, fresh] = await linksOf();
  assert.notEqual(returned.parada_id, kept.parada_id);
  assert.equal(returned.link_rastreio, kept.link_rastreio);
  assert.equal(returned.codigo_confirmacao, kept.codigo_confirmacao);
  assert.notEqual(fresh.link_rastreio, gone.link_rastreio);
  assert.equal((await fetch(gone.link_rastreio)).status, 404);
  await malote.configure({ confirmationCode: false });

  const [, removed, changed] = await eventsOfDelivery(malote, id);
  const { valor_corrida } = await read(id);
  assert.partialDeepStrictEqual(removed, {
    type: 'delivery.stop_removed',
    sequence: 2,
    payload: { stopId: Number(gone.parada_id), externalId: 'ext-0', orderNumber: 'P-1', orderedWith: id },
  });
  assert.partialDeepStrictEqual(changed, {
    type: 'delivery.changed',
    sequence: 3,
    payload: { change: 'edited', netCents: Math.round(Number(valor_corrida) * 100) },
  });
});

for (const status of ['offered', 'accepted', 'on_hold'] as const)
  test(`one that is ${status}: the same pickup and category -> offers and driver stay`, async () => {
    const { id, driverId } = await deliveryIn(malote, status);
    const before = await deliveryRow(malote, id);
    assertOk(await edit(id, { paradas: [stop(5)] }));
    const after = await deliveryRow(malote, id);
    for (const column of ['status', 'driver_id', 'accepted_at'])
      assert.deepEqual(after[column], before[column], column);
    assert.ok(!(await offerStates(malote, id, driverId)).includes('withdrawn'));
  });

for (const [what, changes] of [
  ['pickup', { partida: elsewhere }],
  ['category', { categoria_id: 2 }],
] as const)
  for (const status of ['distributing', 'offered', 'pending', 'accepted', 'on_hold'] as const)
    test(`one that is ${status}: another ${what} -> the search begins anew`, async () => {
      const { id, driverId } = await deliveryIn(malote, status);
      malote.clock.advance({ seconds: 30 });
      assertOk(await edit(id, changes));
      assert.partialDeepStrictEqual(await deliveryRow(malote, id), {
        status: 'distributing',
        driver_id: null,
        driver_specified: false,
        accepted_at: null,
        arrived_at: null,
        search_since: malote.clock.now(),
        search_again_at: null,
      });
      assert.ok((await offerStates(malote, id)).every((state) => state === 'withdrawn'));
      const last = (await eventsOfDelivery(malote, id)).at(-1)!;
      assert.equal(last.type, 'delivery.status');
      assert.equal(last.payload.status, 'distributing');
      assert.equal(last.payload.driverId, null);
      // The driver who had the delivery may get it again.
      const again = driverId ?? (await newDriver(malote));
      assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: again }));
    });

test('an offer that was accepted is withdrawn, so that another driver can accept', async () => {
  const { id, driverId } = await deliveryIn(malote, 'offered');
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await edit(id, { partida: elsewhere }));
  for (const next of [await newDriver(malote), driverId]) {
    assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: next }));
    assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: next }));
    assertOk(await edit(id, { partida: next === driverId ? elsewhere : pickup }));
  }
  assert.deepEqual(new Set(await offerStates(malote, id)), new Set(['withdrawn']));
});

test('a driver who is freed goes on to the one that waited', async () => {
  const { id, driverId } = await deliveryIn(malote, 'accepted');
  const next = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${next.id}/aceitar`, { condutor_id: driverId }));
  assert.equal(await statusOf(next.id), 'S');
  assertOk(await edit(id, { partida: elsewhere }));
  assert.equal(await statusOf(next.id), 'A');
});

test('a delivery that awaits release keeps waiting', async () => {
  const { id } = await deliveryIn(malote, 'awaiting_release');
  assertOk(await edit(id, { partida: elsewhere, categoria_id: 2 }));
  assert.equal((await deliveryRow(malote, id)).status, 'awaiting_release');
});

for (const [status, words] of [
  ['in_progress', /já está em andamento/],
  ['finished', /finalizada, cancelada ou não atendida/],
  ['cancelled', /finalizada, cancelada ou não atendida/],
  ['not_attended', /finalizada, cancelada ou não atendida/],
] as const)
  test(`one that is ${status} -> 406, and nothing changes`, async () => {
    const { id } = await deliveryIn(malote, status);
    const before = await allOf(malote, id);
    assertRefused(await edit(id, { paradas: [stop(6)] }), 406, words);
    assert.deepEqual(await allOf(malote, id), before);
  });

test('a delivery that was grouped into another -> 406 that names it', async () => {
  const grouper = await deliveryIn(malote, 'in_progress');
  const grouped = await deliveryIn(malote, 'in_progress');
  assertOk(await groupDeliveries(malote, grouper.id, [grouped.id]));
  assertRefused(await edit(grouped.id), 406, new RegExp(`agrupada na entrega ${grouper.id}`));
});

test('a delivery with orders of scheduled ones grouped before its dispatch -> 406', async () => {
  const grouper = await schedule(manager, { data: '20/11/2026' });
  const other = await schedule(manager, { data: '20/11/2026', paradas: [stop(1)] });
  assertOk(await groupScheduled(malote, grouper, [other]));
  await dispatchNow(malote, grouper);
  const { id_mch } = assertOk(await manager.get(`/entregas/programadas/${grouper}`)).body.data;
  assertRefused(await edit(Number(id_mch)), 406, /leva pedidos de outras programadas/);
});

test('a delivery that came from a scheduled delivery of its own can be edited', async () => {
  const id = await schedule(manager, { data: '20/11/2026' });
  await dispatchNow(malote, id);
  const { id_mch } = assertOk(await manager.get(`/entregas/programadas/${id}`)).body.data;
  assertOk(await edit(Number(id_mch), { paradas: [stop(7)] }));
  assert.equal((await read(Number(id_mch))).paradas[0].endereco, 'Avenida Ipiranga, 8');
});

test('a central user may edit what its central delivers, also for a person, who stays or is replaced', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await edit(id, { paradas: [stop(1)] }, central));
  assert.equal((await read(id)).empresa_id, '1');
  assertOk(await edit(id, { empresa_id: 1, cliente }, central));
  assert.equal((await read(id)).nome_cliente, 'Padaria Moinhos');

  const opened = assertOk(await central.post('/entregas', order({ cliente }))).body.data;
  const personal = Number(opened.id_mch);
  assertOk(await edit(personal, { paradas: [stop(2)] }, central));
  assert.equal((await read(personal)).nome_cliente, 'Rita Lima');
  assertOk(
    await edit(personal, { cliente: { ...cliente, nome: 'Ana Dias', cpf: '111.444.777-35' } }, central),
  );
  assert.equal((await read(personal)).nome_cliente, 'Ana Dias');
  assertRefused(
    await edit(personal, { empresa_id: 1 }, central),
    422,
    /empresa da entrega não pode ser trocada/,
  );
  assertRefused(await edit(personal, { forma_pagamento: 'R' }, central), 422, /exige uma empresa/);
  assertRefused(await edit(id, { empresa_id: 2 }, central), 422, /empresa da entrega não pode ser trocada/);
});

test('not in the scope of the login -> 404; a manager who names another company -> 404', async () => {
  const { id } = await openDelivery(malote);
  for (const login of [manager2, neighbour])
    assertRefused(await edit(id, {}, login), 404, /entrega não encontrada/);
  assertRefused(await edit(999_999), 404, /entrega não encontrada/);
  assertRefused(await edit(id, { empresa_id: 2 }), 404, /empresa não encontrada/);
});

const refusals: [string, Record<string, unknown>, number, RegExp][] = [
  ['an unknown category', { categoria_id: 99 }, 404, /categoria não encontrada/],
  ['a category id and name that disagree', { categoria_id: 1, categoria_nome: 'Carro' }, 422, /diferentes/],
  [
    'a point outside the operating areas',
    { paradas: [{ ...stop(), lat_parada: '-10.0' }] },
    422,
    /áreas de atuação/,
  ],
];
for (const [what, changes, status, words] of refusals)
  test(`${what} -> ${status}, and nothing changes`, async () => {
    const { id } = await deliveryIn(malote, 'offered');
    const before = await allOf(malote, id);
    assertRefused(await edit(id, changes), status, words);
    assert.deepEqual(await allOf(malote, id), before);
  });

test('a category without a tariff, a company without a default, an inactive company -> 422', async (t) => {
  const { id } = await openDelivery(malote);
  const drone = await newRecord(operator, '/categorias', { nome: 'Drone', perfil: 'moto' });
  assertRefused(await edit(id, { categoria_id: Number(drone.id) }), 422, /não há tarifa/);
  await changeRecord(t, operator, '/empresas/1', { categoria_padrao_id: null });
  assertRefused(await edit(id), 422, /informe a categoria/);
  await changeAgain(operator, '/empresas/1', { categoria_padrao_id: 1, ativa: false });
  assertRefused(await edit(id), 422, /empresa está inativa/);
});

test('every problem of the body comes back at once with code 2, before the 404', async () => {
  const answer = await manager.put('/entregas/999999', { forma_pagamento: 'T', paradas: [] });
  assert.deepEqual(complainedFields(answer).toSorted(), ['forma_pagamento', 'paradas', 'partida']);
  const tooMany = Array.from({ length: 11 }, (_, index) => stop(index));
  assert.deepEqual(complainedFields(await manager.put('/entregas/1', order({ paradas: tooMany }))), [
    'paradas',
  ]);
});

test('messages are English for who prefers it', async () => {
  const { id } = await deliveryIn(malote, 'in_progress');
  const answer = await manager.put(`/entregas/${id}`, order(), { 'accept-language': 'en' });
  assert.match(answer.body.errors[0].message, /already in progress/);
});

const far = { ...stop(0), lat_parada: places[5].lat, lng_parada: places[5].lng };

const wallet = () => balanceCents(malote);
const held = async (id: number) => {
  const { reserved_cents, net_cents, payment } = await deliveryRow(malote, id);
  return { reserved_cents, net_cents, payment };
};

test('a dearer order reserves the difference, a cheaper one gives it back', async () => {
  await setBalance(malote, 100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const first = (await held(id)).net_cents;
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far, stop(1)] }));
  const second = (await held(id)).net_cents;
  assert.ok(second > first);
  assert.equal((await held(id)).reserved_cents, second);
  assert.equal(await wallet(), 100_000 - second);
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  assert.equal((await held(id)).reserved_cents, first);
  assert.equal(await wallet(), 100_000 - first);
  assert.deepEqual(await entriesOf(malote, id), [
    ['reserve', -first],
    ['reserve', first - second],
    ['release', second - first],
  ]);
});

test('another payment gives all of it back, and the other way round reserves', async () => {
  await setBalance(malote, 100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const { net_cents: net } = await held(id);
  assertOk(await edit(id, { forma_pagamento: 'D' }));
  assert.deepEqual(await held(id), { reserved_cents: 0, net_cents: net, payment: 'cash' });
  assert.equal(await wallet(), 100_000);
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  assert.equal((await held(id)).reserved_cents, net);
  assert.equal(await wallet(), 100_000 - net);
});

test('too little balance -> 422, and nothing changes', async () => {
  await setBalance(malote, 100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  await setBalance(malote, 1);
  const before = await allOf(malote, id);
  assertRefused(await edit(id, { forma_pagamento: 'R', paradas: [far, stop(1)] }), 422, /saldo insuficiente/);
  assert.deepEqual(await allOf(malote, id), before);
  assert.equal(await wallet(), 1);
});

test('what the other one holds pays for it: only the difference must be there', async () => {
  await setBalance(malote, 100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const first = (await held(id)).net_cents;
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far] }));
  const difference = (await held(id)).net_cents - first;
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  await setBalance(malote, difference);
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far] }));
  assert.equal(await wallet(), 0);
});

test('many edits at once leave a reserve equal to the price of the one that was last', async () => {
  await setBalance(malote, 1_000_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      edit(id, { forma_pagamento: 'R', paradas: Array.from({ length: index + 1 }, (_, at) => stop(at)) }),
    ),
  );
  for (const answer of answers) assertOk(answer);
  const { reserved_cents, net_cents } = await held(id);
  assert.equal(reserved_cents, net_cents);
  assert.equal(await wallet(), 1_000_000 - net_cents);
  const { paradas, valor_corrida } = assertOk(await central.get(`/entregas/${id}`)).body.data;
  assert.deepEqual(
    paradas.map((stop: { ordem: number }) => stop.ordem),
    [...paradas.keys()],
  );
  assert.equal(Math.round(Number(valor_corrida) * 100), net_cents);
});
