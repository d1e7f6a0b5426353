import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { pickup, places, stop } from '../support/orders.ts';
import { changeRecord, useTimeZone } from '../support/registers.ts';
import { scheduledRow, stopRows } from '../support/rows.ts';
import { eventsOfScheduled, readScheduled, schedule } from '../support/scheduled.ts';
import { markMergedAutomatically, situate } from '../support/states.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();

const edit = (changes: Record<string, unknown> = {}) => ({
  data: '17/11/2026',
  hora: '09:15:30',
  forma_pagamento: 'X',
  partida: pickup,
  paradas: [stop(3), stop(4)],
  ...changes,
});

test('answers with the scheduled id as an integer, and nothing else', async () => {
  const id = await schedule(malote.manager);
  const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit());
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, id_mch: id });
});

test('replaces everything it carries, and keeps what it does not', async () => {
  const id = await schedule(malote.manager, {
    categoria_id: 2,
    com_retorno: true,
    observacao: 'frágil',
    codigo_cupom: 'DEMO10',
    partida: { ...pickup, complemento: 'loja 2', referencia: 'praça' },
  });
  const before = await readScheduled(malote.manager, id);
  const other = { endereco: 'Rua da Praia, 5', bairro: 'Centro', lat: places[1].lat, lng: places[1].lng };
  const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit({ partida: other }));
  assert.equal(answer.status, 200, answer.text);

  const after = await readScheduled(malote.manager, id);
  assert.equal(after.data_previsao_disparo, '17/11/2026');
  assert.equal(after.hora_previsao_disparo, '09:15:30');
  assert.deepEqual(after.coleta, { ...other, complemento: '', referencia: '', cidade: '', estado: '' });
  assert.deepEqual(
    after.paradas.map((stop: Json) => [stop.ordem, stop.endereco]),
    [
      [0, 'Avenida Ipiranga, 4'],
      [1, 'Avenida Ipiranga, 5'],
    ],
  );
  assert.ok(!after.paradas.some((stop: Json) => stop.id === before.paradas[0].id), 'stops are made anew');
  assert.equal(after.situacao, 'A');
  assert.deepEqual(after.categoria, before.categoria);
  assert.equal(after.observacao, 'frágil');
  assert.notEqual(after.valor.estimado, before.valor.estimado);

  const row = await scheduledRow(malote, id);
  assert.equal(row?.payment, 'instant_transfer');
  assert.equal(row?.has_return, true);
  assert.equal(row?.discount_percent, '10.00');
  assert.equal(row?.company_id, 1);
  assert.ok(Number(row?.net_cents) < Number(row?.gross_cents), 'the coupon still counts');
  assert.equal(row?.version, 2);
});

test('an edit to the same trip costs what its creation cost', async () => {
  const id = await schedule(malote.manager, { paradas: [stop(3), stop(4)] });
  const before = await readScheduled(malote.manager, id);
  await malote.manager.put(`/entregas/programadas/${id}`, edit());
  assert.deepEqual((await readScheduled(malote.manager, id)).valor, before.valor);
});

test('the amount to collect at a stop is replaced too, under the rules of creation', async () => {
  const id = await schedule(malote.manager, { paradas: [{ ...stop(0), valor_cobrar: 10 }] });
  const path = `/entregas/programadas/${id}`;
  const collected = async () =>
    (await stopRows(malote, { noun: 'scheduled', id })).map(({ collect_cents }) => collect_cents);
  const wrong = await malote.manager.put(path, edit({ paradas: [{ ...stop(0), valor_cobrar: -5 }] }));
  assert.equal(wrong.status, 400, wrong.text);
  assert.deepEqual(await collected(), [1000]);
  assertOk(await malote.manager.put(path, edit({ paradas: [{ ...stop(0), valor_cobrar: '12.50' }] })));
  assert.deepEqual(await collected(), [1250]);
  assertOk(await malote.manager.put(path, edit({ paradas: [stop(0)] })));
  assert.deepEqual(await collected(), [null]);
});

test('coordinates are texts with as many decimals as a program writes', async () => {
  const id = await schedule(malote.manager);
  const partida = { ...pickup, lat: '-30.0305000000000000000', lng: '-51.230300000000001234' };
  const paradas = [{ ...stop(0), lat_parada: '-30.048912345678901234', lng_parada: '-51' }];
  assertOk(await malote.manager.put(`/entregas/programadas/${id}`, edit({ partida, paradas })));
  const { coleta, paradas: stops } = await readScheduled(malote.manager, id);
  assert.equal(coleta.lat, '-30.0305');
  assert.match(coleta.lng, /^-51\.2303/);
  assert.match(stops[0].lat, /^-30\.0489123456789/);
  assert.equal(stops[0].lng, '-51.0');
});

describe('date and time are of the central’s clock', () => {
  const shownAfter = async (t: TestContext, timeZone: string, data: string, hora: string) => {
    await useTimeZone(t, malote, timeZone);
    const id = await schedule(malote.manager, { hora: '23:59:59' });
    assertOk(await malote.manager.put(`/entregas/programadas/${id}`, edit({ data, hora })));
    const shown = await readScheduled(malote.manager, id);
    const { dispatch_at } = await scheduledRow(malote, id);
    return [`${shown.data_previsao_disparo} ${shown.hora_previsao_disparo}`, dispatch_at.toString()];
  };

  const moments: [string, string, string, string, string][] = [
    ['America/Sao_Paulo', '31/12/2026', '23:59:59', '31/12/2026 23:59:59', '2027-01-01T02:59:59Z'],
    ['America/Sao_Paulo', '01/01/2027', '00:00:00', '01/01/2027 00:00:00', '2027-01-01T03:00:00Z'],
    ['America/Noronha', '28/02/2028', '23:30:00', '28/02/2028 23:30:00', '2028-02-29T01:30:00Z'],
    // The clock jumps from 02:00 to 03:00, and later shows 01:30 twice.
    ['America/New_York', '14/03/2027', '02:30:00', '14/03/2027 03:30:00', '2027-03-14T07:30:00Z'],
    ['America/New_York', '07/11/2027', '01:30:00', '07/11/2027 01:30:00', '2027-11-07T05:30:00Z'],
  ];
  for (const [zone, data, hora, shown, instant] of moments)
    test(`PUT /entregas/programadas/{id}: ${data} ${hora} in ${zone} -> ${instant}`, async (t) => {
      assert.deepEqual(await shownAfter(t, zone, data, hora), [shown, instant]);
    });
});

test('providers get events for removed stops, not for one that is sent again under its external id', async () => {
  const id = await schedule(malote.manager, {
    paradas: [{ ...stop(0), id_externo: 'ext-0' }, { ...stop(1), id_externo: 'ext-1' }, stop(2)],
  });
  const before = await readScheduled(malote.manager, id);
  await malote.manager.put(
    `/entregas/programadas/${id}`,
    edit({ paradas: [stop(5), { ...stop(1), id_externo: 'ext-1' }] }),
  );
  const recorded = await eventsOfScheduled(malote, id);
  assert.deepEqual(
    recorded.map(({ type, sequence }) => [sequence, type]),
    [
      [1, 'scheduled.changed'],
      [2, 'scheduled.stop_removed'],
      [3, 'scheduled.stop_removed'],
      [4, 'scheduled.changed'],
    ],
  );
  assert.deepEqual(
    recorded.slice(1, 3).map(({ payload }) => [payload.stopId, payload.externalId, payload.orderNumber]),
    [
      [Number(before.paradas[0].id), 'ext-0', 'P-1'],
      [Number(before.paradas[2].id), null, 'P-3'],
    ],
  );
});

test('a central user is refused with 403, also for one that is there', async () => {
  const id = await schedule(malote.manager);
  const answer = await malote.central.put(`/entregas/programadas/${id}`, edit());
  assert.equal(answer.status, 403);
  assert.equal(answer.body.errors[0].code, 0);
  assert.equal((await readScheduled(malote.manager, id)).data_previsao_disparo, '16/11/2026');
});

test('a scheduled delivery that a login may not see gets the same 404 as a missing one, before the 403', async () => {
  const id = await schedule(malote.manager);
  const attempts = [
    await malote.manager2.put(`/entregas/programadas/${id}`, edit()),
    await malote.neighbour.put(`/entregas/programadas/${id}`, edit()),
    await malote.central.put('/entregas/programadas/999999', edit()),
    await malote.manager.put('/entregas/programadas/999999', edit()),
  ];
  for (const answer of attempts) {
    assert.equal(answer.status, 404, answer.text);
    assert.deepEqual(answer.body, attempts[0]?.body);
  }
});

test('a wrong password is refused with code 0 and a message about user and password, before the body is read', async () => {
  const answer = await malote.manager.put('/entregas/programadas/1', {}, { authorization: 'Basic eDp5' });
  assert.equal(answer.status, 401);
  assert.deepEqual(answer.body, {
    success: false,
    errors: [{ code: 0, message: 'usuário e/ou senha inválidos' }],
  });
});

test('every problem of the body comes back at once with code 2, before the 404', async () => {
  const answer = await malote.manager.put('/entregas/programadas/999999', {
    hora: '9:15',
    forma_pagamento: 'T',
    partida: { bairro: 'Centro', lat: '91', lng: '-51.2' },
    paradas: [{ bairro_parada: 'Azenha', lat_parada: '-30.03' }],
  });
  assert.equal(answer.status, 400);
  const entries: { code: number; message: string }[] = answer.body.errors;
  assert.ok(entries.every(({ code }) => code === 2));
  assert.deepEqual(entries.map(({ message }) => /^'([^']+)'/.exec(message)?.[1] ?? '').toSorted(), [
    'data',
    'forma_pagamento',
    'hora',
    'paradas[0].endereco_parada',
    'paradas[0].lng_parada',
    'partida.endereco',
    'partida.lat',
  ]);
});

for (const code of ['D', 'B', 'C', 'X', 'P', 'H', 'F', 'R'])
  test(`accepts ${code} as forma_pagamento`, async () => {
    const id = await schedule(malote.manager);
    const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit({ forma_pagamento: code }));
    assert.equal(answer.status, 200, answer.text);
  });

for (const code of ['V', 'T', 'W', 'A', '', 'd'])
  test(`refuses '${code}' as forma_pagamento`, async () => {
    const id = await schedule(malote.manager);
    const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit({ forma_pagamento: code }));
    assert.equal(answer.status, 400, answer.text);
  });

for (const [status, what, changes] of [
  [422, 'a dispatch in the past', { data: '16/11/2026', hora: '11:00:00' }],
  [422, 'a point outside the operating areas', { paradas: [{ ...stop(), lat_parada: '-10.0' }] }],
  [400, 'eleven stops', { paradas: Array.from({ length: 11 }, (_, index) => stop(index)) }],
] as const)
  test(`refuses ${what} with ${status} and changes nothing`, async () => {
    const id = await schedule(malote.manager);
    const before = await readScheduled(malote.manager, id);
    const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit(changes));
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(await readScheduled(malote.manager, id), before);
  });

for (const [situation, words] of [
  ['cancelled', /cancelada/],
  ['dispatched', /já foi disparada/],
] as const)
  test(`one that is ${situation} is refused with 406 and says so`, async () => {
    await malote.manager.post('/entregas', { ...edit(), data: undefined, hora: undefined });
    const id = await schedule(malote.manager);
    await situate(malote, id, situation);
    const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit());
    assert.equal(answer.status, 406, answer.text);
    assert.equal(answer.body.errors[0].code, 0);
    assert.match(answer.body.errors[0].message, words);
  });

test('a grouped scheduled delivery is refused with 406 and names its grouper', async () => {
  const grouper = await schedule(malote.manager);
  const id = await schedule(malote.manager, { paradas: [stop(1)] });
  const grouping = await malote.manager.post(`/entregas/programadas/${grouper}/agrupar`, {
    programadas_agrupadas: [id],
  });
  assert.equal(grouping.status, 200, grouping.text);
  const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit());
  assert.equal(answer.status, 406);
  assert.match(answer.body.errors[0].message, new RegExp(`programada ${grouper}$`));
});

test('a scheduled delivery that was merged automatically cannot be changed: 400 before any 406', async () => {
  const id = await schedule(malote.manager);
  await situate(malote, id, 'grouped');
  await markMergedAutomatically(malote, id);
  const answer = await malote.manager.put(`/entregas/programadas/${id}`, edit());
  assertRefused(answer, 400, /já foi agrupada automaticamente e não pode ser alterada$/);
});

test('an edit of a grouper replaces the stops that others brought too', async () => {
  const grouper = await schedule(malote.manager);
  const other = await schedule(malote.manager, { paradas: [{ ...stop(1), id_externo: 'brought' }] });
  await malote.manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] });
  const answer = await malote.manager.put(`/entregas/programadas/${grouper}`, edit());
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await readScheduled(malote.manager, grouper)).paradas.length, 2);
  const recorded = await eventsOfScheduled(malote, grouper);
  const removed = recorded.filter(({ type }) => type === 'scheduled.stop_removed');
  assert.ok(removed.some(({ payload }) => payload.externalId === 'brought' && payload.orderedWith === other));
});

test('edits at the same time leave the stops of one of them, whole', async () => {
  const id = await schedule(malote.manager);
  const bodies = Array.from({ length: 8 }, (_, index) =>
    edit({
      paradas: Array.from({ length: index + 1 }, (_, at) => ({ ...stop(at), numero_pedido: `E${index}` })),
    }),
  );
  const answers = await Promise.all(
    bodies.map((body) => malote.manager.put(`/entregas/programadas/${id}`, body)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const { paradas } = await readScheduled(malote.manager, id);
  const [order] = new Set(paradas.map((stop: Json) => stop.numero_pedido));
  assert.equal(paradas.length, Number(String(order).slice(1)) + 1);
  assert.ok(paradas.every((stop: Json) => stop.numero_pedido === order));
});

test('an inactive company cannot edit any more', async (t) => {
  const id = await schedule(malote.manager2);
  await changeRecord(t, malote.operator, '/empresas/2', { ativa: false });
  const answer = await malote.manager2.put(`/entregas/programadas/${id}`, edit());
  assertRefused(answer, 422, /empresa está inativa/);
});

test('messages are English for who prefers it', async () => {
  const answer = await malote.manager.put('/entregas/programadas/999999', edit(), {
    'accept-language': 'en',
  });
  assert.equal(answer.body.errors[0].message, 'scheduled delivery not found');
});
