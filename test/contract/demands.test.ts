import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatchReady } from '../../server/src/dispatch/rounds/dispatchScheduled.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { mergeDue } from '../support/rounds.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const { manager, operator, clock } = malote;

const inMinutes = (minutes: number): string =>
  clock.now().add({ minutes }).toString({ smallestUnit: 'second', roundingMode: 'trunc' });

const orderDemands = { pronto_em: inMinutes(20), minutos_coleta: 5, equipamentos: ['bau'], prioridade: 2 };
const stopDemands = {
  entregar_de: inMinutes(30),
  entregar_ate: inMinutes(75),
  janela_obrigatoria: true,
  minutos_parada: 4,
  peso_kg: 1.25,
  volume_litros: 12,
  pacotes: 3,
};
const demanding = (index = 0, changes: object = {}) => ({
  ...stop(index),
  exigencias: { ...stopDemands, ...changes },
});
const LOAD = { peso_kg: null, volume_litros: null, pacotes: null };
const joint = { ...orderDemands, peso_kg: 1.25, volume_litros: 12, pacotes: 3 };

const detail = async (id: string | number) =>
  assertOk(await manager.get(`/entregas/${id}/detalhes`)).body.data;
const card = async (id: string | number) => assertOk(await operator.get(`/entregas/${id}`)).body.data;
const scheduledCard = async (id: string | number) =>
  assertOk(await operator.get(`/programadas/${id}`)).body.data;
const create = async (body: object): Promise<string> =>
  assertOk(await manager.post('/entregas', body)).body.data.id_mch;
const schedule = async (body: object): Promise<string> =>
  assertOk(await manager.post('/entregas/programadas', body)).body.data.id_mch;
const deliveryOf = async (scheduledId: string): Promise<string> =>
  assertOk(await manager.get(`/entregas/programadas/${scheduledId}`)).body.data.id_mch;
const demandsOf = (shown: { paradas: { exigencias?: object }[] }) =>
  shown.paradas.map(({ exigencias }) => exigencias);

test('a delivery shows what its order and its stops demand, to the integrator and to operators', async () => {
  const id = await create(order({ exigencias: orderDemands, paradas: [demanding(), stop(1)] }));
  for (const shown of [await detail(id), await card(id)]) {
    assert.deepEqual(shown.exigencias, joint);
    assert.deepEqual(demandsOf(shown), [stopDemands, undefined]);
  }
});

test('an order without demands shows none', async () => {
  for (const body of [order(), order({ exigencias: {}, paradas: [{ ...stop(0), exigencias: {} }] })]) {
    const id = await create(body);
    for (const shown of [await detail(id), await card(id)]) {
      assert.ok(!('exigencias' in shown));
      assert.ok(!('exigencias' in shown.paradas[0]));
    }
  }
});

test('the promise of the caller replaces that of the central, or extends it where only some stops have one', async () => {
  const usual = (await card(await create(order({}, 2)))).prometida_para;
  const all = await card(
    await create(order({ paradas: [demanding(0), demanding(1, { entregar_ate: inMinutes(90) })] })),
  );
  assert.equal(all.prometida_para, inMinutes(90));
  const soon = { entregar_de: null, entregar_ate: inMinutes(2) };
  const some = await card(await create(order({ paradas: [demanding(0, soon), stop(1)] })));
  assert.equal(some.prometida_para, usual);
});

test('a quote arrives by the promise of the caller', async () => {
  const { body } = assertOk(await manager.post('/entregas/cotacoes', order({ paradas: [demanding()] })));
  assert.equal(body.data.chegada.ate, stopDemands.entregar_ate);
});

test('a delivery is late when a stop that was promised is open after that, however late the others may be', async () => {
  const { paradas } = order({}, 2);
  const promised = { ...paradas[0], exigencias: { entregar_ate: inMinutes(2) } };
  const id = await create(
    order({ paradas: [promised, { ...paradas[1], exigencias: { entregar_ate: inMinutes(300) } }] }),
  );
  const lateIn = async () =>
    assertOk(await operator.get('/entregas/abertas')).body.data.find((each: { id: string }) => each.id === id)
      .atrasada;
  assert.equal(await lateIn(), false);
  const before = assertOk(await operator.get('/resumo')).body.data.atrasadas;
  clock.advance({ minutes: 3 });
  assert.equal(await lateIn(), true);
  assert.equal((await card(id)).atrasada, true);
  assert.ok(assertOk(await operator.get('/resumo')).body.data.atrasadas > before);
});

test('a bulk takes demands, and refuses only the item whose demands are wrong', async () => {
  const good = order({ exigencias: orderDemands, paradas: [demanding()] });
  const bad = order({ paradas: [demanding(0, { peso_kg: -1 })] });
  const { body } = assertOk(await manager.post('/entregas/lote', { entregas: [good, order(), bad] }));
  assert.deepEqual(
    body.data.map(({ success }: { success: boolean }) => success),
    [true, true, false],
  );
  assert.match(body.data[2].errors[0].message, /'paradas\[0\]\.exigencias\.peso_kg'/);
  assert.deepEqual((await detail(body.data[0].data.id_mch)).exigencias, joint);
  assert.ok(!('exigencias' in (await detail(body.data[1].data.id_mch))));
});

test('demands are part of what an own key compares', async () => {
  const body = order({ id_externo: 'exigente-1', paradas: [demanding()] });
  const create = async (changes: object = {}) =>
    assertOk(await manager.post('/entregas', { ...body, ...changes })).body.data.resultado;
  assert.equal(await create(), 'criada');
  assert.equal(await create(), 'repetida');
  assert.equal(await create({ paradas: [demanding(0, { pacotes: 4 })] }), 'editada');
});

test('an edit replaces the demands, and fixes the promise again', async () => {
  const id = await create(order({ exigencias: orderDemands, paradas: [demanding()] }));
  const later = inMinutes(200);
  assertOk(await manager.put(`/entregas/${id}`, order({ paradas: [demanding(0, { entregar_ate: later })] })));
  const edited = await card(id);
  assert.deepEqual(edited.exigencias.equipamentos, []);
  assert.equal(edited.prometida_para, later);
  assertOk(await manager.put(`/entregas/${id}`, order()));
  const plain = await card(id);
  assert.ok(!('exigencias' in plain));
  assert.ok(plain.prometida_para < later);
});

test('an operator changes the promise of one stop, and the rest stays', async () => {
  const id = await create(order({ exigencias: orderDemands, paradas: [demanding(0), demanding(1)] }));
  const { versao, paradas } = await card(id);
  const later = inMinutes(240);
  assertOk(
    await operator.put(`/entregas/${id}/paradas`, {
      versao,
      paradas: [{ id: paradas[0].id, exigencias: { entregar_ate: later } }, { id: paradas[1].id }],
    }),
  );
  const edited = await card(id);
  const none = { ...LOAD, entregar_de: null, janela_obrigatoria: false, minutos_parada: null };
  assert.deepEqual(demandsOf(edited), [{ ...none, entregar_ate: later }, stopDemands]);
  assert.equal(edited.exigencias.prioridade, orderDemands.prioridade);
  assert.equal(edited.prometida_para, later);

  assertOk(
    await operator.put(`/entregas/${id}/paradas`, {
      versao: edited.versao,
      exigencias: { equipamentos: ['bau_termico'] },
      paradas: [{ id: paradas[1].id }],
    }),
  );
  const shorter = await card(id);
  assert.deepEqual(demandsOf(shorter), [stopDemands]);
  assert.deepEqual(shorter.exigencias.equipamentos, ['bau_termico']);
  assert.equal(shorter.exigencias.prioridade, null);
  assert.equal(shorter.prometida_para, stopDemands.entregar_ate);
});

test('removing a stop keeps the demands of the others', async () => {
  const id = await create(order({ paradas: [demanding(0), demanding(1, { pacotes: 9 })] }));
  const [first] = (await card(id)).paradas;
  assertOk(await manager.delete(`/entregas/${id}/paradas/${first.id}`));
  assert.deepEqual(demandsOf(await card(id)), [{ ...stopDemands, pacotes: 9 }]);
});

test('a scheduled delivery hands its demands over to its delivery, with those grouped into it', async () => {
  const grouper = await schedule(scheduledOrder({ exigencias: orderDemands, paradas: [demanding(0)] }));
  const later = { ...orderDemands, pronto_em: inMinutes(50), equipamentos: ['bag_termica'], prioridade: 0 };
  const other = await schedule(
    scheduledOrder({ exigencias: later, paradas: [demanding(1, { peso_kg: 2 }), stop(2)] }),
  );
  assert.deepEqual((await scheduledCard(other)).exigencias, {
    ...later,
    peso_kg: 2,
    volume_litros: 12,
    pacotes: 3,
  });
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, {
      programadas_agrupadas: [Number(other)],
    }),
  );
  const both = {
    ...joint,
    pronto_em: later.pronto_em,
    peso_kg: 3.25,
    volume_litros: 24,
    pacotes: 6,
  };
  const sorted = (shown: { exigencias: { equipamentos: string[] } }) => ({
    ...shown.exigencias,
    equipamentos: shown.exigencias.equipamentos.toSorted(),
  });
  const grouped = { ...both, equipamentos: ['bag_termica', 'bau'] };
  assert.deepEqual(sorted(await scheduledCard(grouper)), grouped);
  clock.advance({ hours: 1 });
  await dispatchReady({ ...malote.app.deps, log: malote.app.server.log });
  const shown = await card(await deliveryOf(grouper));
  assert.deepEqual(sorted(shown), grouped);
  assert.ok(
    Date.parse(shown.prometida_para) > Date.parse(stopDemands.entregar_ate),
    'one stop has no promise',
  );
});

test('a scheduled delivery that leaves its group takes its demands along', async () => {
  const at = clock.now().toZonedDateTimeISO('America/Sao_Paulo').add({ hours: 1 });
  const hora = at.toPlainTime().toString({ smallestUnit: 'second' });
  const [grouper, other] = [
    await schedule(scheduledOrder({ hora, paradas: [demanding(0)] })),
    await schedule(scheduledOrder({ hora, exigencias: orderDemands, paradas: [demanding(1)] })),
  ];
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, {
      programadas_agrupadas: [Number(other)],
    }),
  );
  assert.equal((await scheduledCard(grouper)).exigencias.prioridade, orderDemands.prioridade);
  assertOk(await manager.post(`/entregas/programadas/${other}/cancelar`));
  assert.equal((await scheduledCard(grouper)).exigencias.prioridade, null);
  assert.equal((await scheduledCard(other)).exigencias.prioridade, orderDemands.prioridade);
  assertOk(await manager.put(`/entregas/programadas/${grouper}`, scheduledOrder({ hora })));
  assert.ok(!('exigencias' in (await scheduledCard(grouper))));
});

test('an automatic merge keeps what each order demands', async (t) => {
  await malote.configureFor(t, { autoMerge: true, mergeSavingPercentMin: 1 });
  const at = clock.now().toZonedDateTimeISO('America/Sao_Paulo').add({ minutes: 4 });
  const hora = at.toPlainTime().toString({ smallestUnit: 'second' });
  const ids = [
    await schedule(scheduledOrder({ hora, paradas: [demanding(0)] })),
    await schedule(scheduledOrder({ hora, paradas: [demanding(0, { pacotes: 5 })] })),
  ];
  assert.equal((await mergeDue(malote.app.deps)).orders, 2);
  clock.advance({ minutes: 5 });
  await dispatchReady({ ...malote.app.deps, log: malote.app.server.log });
  const shown = await card(await deliveryOf(ids[0]!));
  assert.equal(shown.exigencias.pacotes, 8);
  assert.equal(shown.prometida_para, stopDemands.entregar_ate);
});

const refused: readonly [what: string, exigencias: object, field: string][] = [
  ['a window that ends before it begins', { entregar_ate: inMinutes(29) }, 'entregar_ate'],
  ['a window without time', { entregar_ate: stopDemands.entregar_de }, 'entregar_ate'],
  ['a hard window without times', { entregar_de: null, entregar_ate: null }, 'janela_obrigatoria'],
  ['a time without zone', { entregar_ate: '2026-11-16 18:00:00' }, 'entregar_ate'],
  ['a date that does not exist', { entregar_ate: '2026-02-30T18:00:00Z' }, 'entregar_ate'],
  ['a negative weight', { peso_kg: -0.5 }, 'peso_kg'],
  ['a weight that is too large', { peso_kg: 10_001 }, 'peso_kg'],
  ['a weight of parts of a gram', { peso_kg: 0.0005 }, 'peso_kg'],
  ['a weight as text', { peso_kg: '1.0' }, 'peso_kg'],
  ['a volume that is too large', { volume_litros: 1e9 }, 'volume_litros'],
  ['part of a package', { pacotes: 0.5 }, 'pacotes'],
  ['hours at a stop', { minutos_parada: 241 }, 'minutos_parada'],
];
for (const [what, exigencias, field] of refused)
  test(`refuses ${what}`, async () => {
    const answer = await manager.post('/entregas', order({ paradas: [demanding(0, exigencias)] }));
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(
      answer.body.errors.map(({ message }: { message: string }) => message.split(':')[0]),
      [`'paradas[0].exigencias.${field}'`],
    );
  });

for (const [what, exigencias, field] of [
  ['unknown equipment', { equipamentos: ['drone'] }, 'equipamentos[0]'],
  ['equipment twice', { equipamentos: ['bau', 'bau'] }, 'equipamentos'],
  ['a priority that is too high', { prioridade: 4 }, 'prioridade'],
  ['a negative time at the pickup', { minutos_coleta: -1 }, 'minutos_coleta'],
  ['a ready time that is no time', { pronto_em: 'logo' }, 'pronto_em'],
] as const)
  test(`refuses ${what}`, async () => {
    for (const answer of [
      await manager.post('/entregas', order({ exigencias })),
      await manager.post('/entregas/programadas', scheduledOrder({ exigencias })),
    ]) {
      assert.equal(answer.status, 400, answer.text);
      assert.match(
        answer.body.errors[0].message,
        new RegExp(`^'exigencias\\.${field.replace(/[[\]]/g, '\\$&')}'`),
      );
    }
  });
