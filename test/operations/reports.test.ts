import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findCentral } from '../../server/src/centrals/centralStore.ts';
import { endSearches } from '../../server/src/dispatch/rounds/closeSearches.ts';
import { client, type Json } from '../support/client.ts';
import { failing } from '../support/failures.ts';
import { at, figuresOf, groupDeliveries, groupScheduled, start, stopIdsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { keepTotals } from '../support/rounds.ts';
import { dispatchNow, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused, newDriver, openDelivery, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const manager = login('gerente');
const manager2 = login('gerente2');
const neighbour = login('vizinha', 'demo-vizinha');
const { fail } = failing(malote);

const count = () => keepTotals(malote.app.deps);
const DAY = 'de=2026-11-16&ate=2026-11-16';
const report = async (query = DAY, who = operator): Promise<Json> =>
  assertOk(await who.get(`/relatorios/resumo?${query}`)).body.data;
const series = async (query: string, who = operator): Promise<Json[]> =>
  assertOk(await who.get(`/relatorios/serie?${query}`)).body.data;
const parts = async (query: string, who = operator): Promise<Json[]> =>
  assertOk(await who.get(`/relatorios/divisao?${query}`)).body.data;
const reasons = async (query = DAY, who = operator): Promise<Json[]> =>
  assertOk(await who.get(`/relatorios/motivos?${query}`)).body.data;
const figures = ({ de: _de, ate: _ate, tempos: _tempos, ...counts }: Json): Json => counts;

/** Accepts, starts and hands over a delivery after the given minutes each; returns its driver. */
async function carry(
  delivery: TestDelivery,
  accept: number,
  pickup: number,
  deliver: number,
): Promise<number> {
  const driverId = await newDriver(malote);
  clock.advance({ minutes: accept });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  clock.advance({ minutes: pickup });
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  clock.advance({ minutes: deliver });
  await conclude(delivery.id, delivery.stopIds);
  return driverId;
}

async function conclude(id: number, stopIds: readonly number[]): Promise<void> {
  for (const stopId of stopIds)
    assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {}));
}

const NOTHING = {
  encerradas: 0,
  finalizadas: 0,
  com_prazo: 0,
  no_prazo: 0,
  canceladas: 0,
  nao_atendidas: 0,
  paradas_entregues: 0,
  paradas_nao_entregues: 0,
  agrupamentos: 0,
  metros_economizados: 0,
};

test('a period without deliveries: zeros, and no time at all', async () => {
  const { periodo, comparacao, em_aberto } = await report();
  assert.deepEqual(figures(periodo), NOTHING);
  assert.deepEqual(periodo.tempos.total, { media: null, mediana: null, p90: null });
  assert.deepEqual([comparacao, em_aberto], [null, 0]);
  assert.deepEqual(await series(`${DAY}&por=dia`), []);
  assert.deepEqual(await reasons(), []);
});

describe('a day computed by hand', () => {
  let fast: number;
  let saved = 0;

  before(async () => {
    // 12:00: two of company 1 within the promise, one after it.
    clock.set('2026-11-16T15:00:00Z');
    fast = await carry(await openDelivery(malote, {}, 2), 1, 5, 10);
    clock.set('2026-11-16T15:30:00Z');
    await carry(await openDelivery(malote), 3, 7, 10);
    clock.set('2026-11-16T16:00:00Z');
    await carry(await openDelivery(malote), 2, 6, 240);
    // 14:00: one of company 2 is cancelled for a reason, and one finds no driver.
    clock.set('2026-11-16T17:00:00Z');
    const cancelled = assertOk(await malote.manager2.post('/entregas', order())).body.data.id_mch;
    assertOk(await malote.manager2.post(`/entregas/${cancelled}/cancelar`, { motivo_id: 2 }));
    await openDelivery(malote);
    clock.set('2026-11-16T17:59:00Z');
    await endSearchesNow();
    // 15:00: a stop of two fails.
    clock.set('2026-11-16T18:00:00Z');
    await malote.configure({ failureAbsent: 'leave' });
    const failed = await openDelivery(malote, {}, 2);
    const driverId = await newDriver(malote);
    assertOk(await operator.post(`/entregas/${failed.id}/aceitar`, { condutor_id: driverId }));
    assertOk(await operator.post(`/entregas/${failed.id}/iniciar`));
    assertOk(await fail(failed, 0, { motivo: 'ausente' }));
    clock.advance({ minutes: 5 });
    await conclude(failed.id, [failed.stopIds[1]!]);
    if ((await status(failed.id)) === 'E') assertOk(await operator.post(`/entregas/${failed.id}/finalizar`));
    // 16:00: one is grouped into another.
    clock.set('2026-11-16T19:00:00Z');
    const carrier = await start(malote, at(0));
    const other = await start(malote, at(3));
    const separate = await Promise.all(
      [carrier, other].map((id) => figuresOf(malote, { noun: 'delivery', id })),
    );
    assertOk(await groupDeliveries(malote, carrier, [other]));
    const joint = await figuresOf(malote, { noun: 'delivery', id: carrier });
    saved = separate.reduce((sum, each) => sum + each.planned_metres, 0) - joint.planned_metres;
    clock.advance({ minutes: 20 });
    await conclude(carrier, await stopIdsOf(malote, { noun: 'delivery', id: carrier }));
    // Still open.
    await openDelivery(malote);
    await count();
  });

  test('GET /relatorios/resumo: every figure is what happened', async () => {
    const { periodo, em_aberto } = await report();
    assert.deepEqual(figures(periodo), {
      encerradas: 8,
      finalizadas: 6,
      com_prazo: 6,
      no_prazo: 5,
      canceladas: 1,
      nao_atendidas: 1,
      paradas_entregues: 7,
      paradas_nao_entregues: 1,
      agrupamentos: 1,
      metros_economizados: saved,
    });
    assert.ok(saved > 0, 'the joint way is shorter than the two ways');
    // 1, 3, 2 and three times 0 minutes; 5, 7, 6 and 0, 0, 0.
    assert.equal(periodo.tempos.aceite.media, 60);
    assert.equal(periodo.tempos.coleta.media, 180);
    assert.equal(periodo.tempos.entrega.media, ((10 + 10 + 240 + 5 + 20 + 20) * 60) / 6);
    // In order: 5, 16, 20, 20, 20 and 248 minutes.
    assert.ok(periodo.tempos.total.mediana >= 900 && periodo.tempos.total.mediana <= 1500, 'the median');
    assert.ok(periodo.tempos.total.p90 >= 1500, 'nine of ten');
    assert.equal(em_aberto, 1);
  });

  test('GET /relatorios/resumo: the other period stands beside it', async () => {
    const { comparacao } = await report(`${DAY}&comparar_de=2026-11-09&comparar_ate=2026-11-15`);
    assert.deepEqual([comparacao.de, comparacao.ate, comparacao.encerradas], ['2026-11-09', '2026-11-15', 0]);
  });

  test('GET /relatorios/serie: by hour, by day and by weekday the same deliveries', async () => {
    const byHour = await series(`${DAY}&por=hora`);
    assert.deepEqual(
      byHour.map(({ chave, finalizadas, canceladas, nao_atendidas }) => [
        chave,
        finalizadas,
        canceladas,
        nao_atendidas,
      ]),
      [
        ['12', 2, 0, 0],
        ['13', 1, 0, 0],
        ['14', 0, 1, 1],
        ['15', 1, 0, 0],
        ['16', 2, 0, 0],
      ],
    );
    assert.equal(byHour[0]!.tempos.aceite.media, 120);
    const [day] = await series(`${DAY}&por=dia`);
    const [weekday] = await series(`${DAY}&por=dia_semana`);
    assert.deepEqual([day!.chave, weekday!.chave], ['2026-11-16', '1']);
    assert.deepEqual({ ...day, chave: '' }, { ...weekday, chave: '' });
    assert.equal(day!.encerradas, 8);
  });

  test('GET /relatorios/divisao: by company, driver and area', async () => {
    const companies = await parts(`${DAY}&por=empresa`);
    assert.deepEqual(
      companies.map(({ id, nome, encerradas, canceladas }) => [id, nome, encerradas, canceladas]),
      [
        ['1', 'Padaria Moinhos', 7, 0],
        ['2', companies[1]!.nome, 1, 1],
      ],
    );
    const drivers = await parts(`${DAY}&por=condutor`);
    const own = drivers.find(({ id }) => id === String(fast))!;
    assert.deepEqual([own.nome, own.finalizadas, own.paradas_entregues], ['Condutor de teste', 1, 2]);
    assert.deepEqual([own.tempos.total.media, own.tempos.total.mediana !== null], [16 * 60, true]);
    const areas = await parts(`${DAY}&por=area`);
    assert.equal(
      areas.reduce((sum, { encerradas }) => sum + encerradas, 0),
      8,
    );
    assert.notEqual(areas[0]!.nome, null);
    const own2 = await parts(`${DAY}&por=area&empresa_id=2`);
    assert.deepEqual(
      own2.map(({ encerradas }) => encerradas),
      [1],
    );
  });

  test('GET /relatorios/motivos: cancellations and failed stops by reason', async () => {
    const found = await reasons();
    assert.deepEqual(
      found.map(({ tipo, motivo, quantidade }) => [tipo, motivo, quantidade]),
      [
        ['cancelada', '2', 1],
        ['parada_nao_entregue', 'ausente', 1],
      ],
    );
    assert.equal(typeof found[0]!.nome, 'string');
    assert.deepEqual(
      (await reasons(`${DAY}&empresa_id=1`)).map(({ tipo }) => tipo),
      ['parada_nao_entregue'],
    );
  });

  test('filters: a company, a driver and an area have their own figures', async () => {
    assert.equal((await report(`${DAY}&empresa_id=2`)).periodo.canceladas, 1);
    const ofDriver = await report(`${DAY}&condutor_id=${fast}`);
    assert.deepEqual([ofDriver.periodo.finalizadas, ofDriver.em_aberto], [1, null]);
    const [area] = await parts(`${DAY}&por=area`);
    assert.equal((await report(`${DAY}&area_id=${area!.id}`)).periodo.encerradas, area!.encerradas);
    assert.equal((await report(`${DAY}&area_id=${area!.id}&empresa_id=2`)).periodo.encerradas, 1);
    assert.equal((await series(`${DAY}&por=hora&empresa_id=2`)).length, 1);
  });

  test('a manager sees the own company, and nothing by driver', async () => {
    assert.equal((await report(DAY, manager)).periodo.encerradas, 7);
    assert.equal((await report(DAY, manager2)).periodo.encerradas, 1);
    assert.equal((await report(DAY, manager)).em_aberto, 1);
    assert.deepEqual(
      (await parts(`${DAY}&por=empresa`, manager2)).map(({ id }) => id),
      ['2'],
    );
    assert.equal((await parts(`${DAY}&por=area`, manager2))[0]!.encerradas, 1);
    assert.deepEqual(
      (await reasons(DAY, manager2)).map(({ tipo }) => tipo),
      ['cancelada'],
    );
    const refused = await manager.get(`/relatorios/resumo?${DAY}&empresa_id=2`);
    assertRefused(refused, 404, /empresa não encontrada/);
    for (const path of ['divisao?por=condutor', `resumo?condutor_id=${fast}`, 'arquivo?por=condutor'])
      assertRefused(await manager.get(`/relatorios/${path}&${DAY}`), 403, /permissão/);
    assert.equal((await malote.driver(1).get(`/relatorios/resumo?${DAY}`)).status, 403);
  });

  test('another central sees nothing of it', async () => {
    assert.deepEqual(figures((await report(DAY, neighbour)).periodo), NOTHING);
    assert.deepEqual(await parts(`${DAY}&por=condutor`, neighbour), []);
    assert.deepEqual(figures((await report(`${DAY}&empresa_id=1`, neighbour)).periodo), NOTHING);
  });

  test('GET /relatorios/arquivo: what a spreadsheet in Brazil reads', async () => {
    const text = async (por: string) => {
      const { data } = assertOk(await operator.get(`/relatorios/arquivo?${DAY}&por=${por}`)).body;
      const name = por === 'condutor' ? 'entregador' : por;
      assert.equal(data.nome, `relatorio-${name}-2026-11-16-2026-11-16.csv`);
      return Buffer.from(data.conteudo, 'base64').toString();
    };
    const [head, row] = (await text('dia')).split('\r\n');
    assert.ok(head!.startsWith('\ufeffDia;Encerradas;Finalizadas;Com prazo;No prazo;No prazo (%)'));
    assert.ok(row!.startsWith('16/11/2026;8;6;6;5;83,3;1;1;7;1;1;'));
    assert.match(await text('hora'), /\r\n12h;2;/);
    assert.match(await text('dia_semana'), /\r\nsegunda;8;/);
    assert.match(await text('empresa'), /\r\nPadaria Moinhos;7;/);
    assert.match(await text('condutor'), /\r\nCondutor de teste;1;/);
    assert.match(await text('area'), /;8;6;/);
    assert.match(await text('motivo'), /Parada não entregue;Ninguém no local;1/);
  });

  test('counting again adds nothing', async () => {
    assert.equal(await count(), 0);
    assert.equal((await report()).periodo.encerradas, 8);
  });
});

test('a delivery counts on the local day on which it was requested, however late a phone says the rest', async () => {
  // 23:58 on the 17th in São Paulo is 02:58 on the 18th in UTC.
  clock.set('2026-11-18T02:58:00Z');
  const delivery = await openDelivery(malote);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  const started = clock.now().add({ minutes: 4 });
  const over = started.add({ minutes: 10 });
  clock.set('2026-11-19T12:00:00Z');
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`, { ocorrido_em: started.toString() }));
  const stop = `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`;
  assertOk(await operator.post(stop, { ocorrido_em: over.toString() }));
  await count();
  const days = await series('de=2026-11-17&ate=2026-11-19&por=dia');
  assert.deepEqual(
    days.map(({ chave, finalizadas, no_prazo, tempos }) => [
      chave,
      finalizadas,
      no_prazo,
      tempos.entrega.media,
    ]),
    [['2026-11-17', 1, 1, 600]],
  );
  assert.deepEqual(
    (await series('de=2026-11-17&ate=2026-11-19&por=hora')).map(({ chave }) => chave),
    ['23'],
  );
});

test('a delivery of a day’s first minute belongs to that day, also where summer time begins', async () => {
  await malote.db`update centrals set time_zone = 'America/Santiago' where id = 1`;
  await malote.app.deps.registersHeard();
  // On 6 September 2026 in Santiago the day begins at 01:00, which is 04:00 UTC.
  clock.set('2026-09-06T04:00:30Z');
  await carry(await openDelivery(malote), 1, 1, 1);
  clock.set('2026-09-06T03:59:30Z');
  await carry(await openDelivery(malote), 1, 1, 1);
  await count();
  const days = await series('de=2026-09-05&ate=2026-09-06&por=dia');
  assert.deepEqual(
    days.map(({ chave, finalizadas }) => [chave, finalizadas]),
    [
      ['2026-09-05', 1],
      ['2026-09-06', 1],
    ],
  );
  assert.deepEqual(
    (await series('de=2026-09-06&ate=2026-09-06&por=hora')).map(({ chave }) => chave),
    ['1'],
  );
  await malote.db`update centrals set time_zone = 'America/Sao_Paulo' where id = 1`;
  await malote.app.deps.registersHeard();
});

test('the saving of a grouping of scheduled deliveries passes to their delivery', async () => {
  clock.set('2026-11-20T15:00:00Z');
  const later = { data: '20/11/2026', hora: '18:00:00' };
  const [grouper, other, leaving] = [
    await schedule(malote.manager, { ...later, ...at(0) }),
    await schedule(malote.manager, { ...later, ...at(3) }),
    await schedule(malote.manager, { ...later, ...at(5) }),
  ];
  const metres = await Promise.all(
    [grouper, other].map(async (id) => (await figuresOf(malote, { noun: 'scheduled', id })).planned_metres),
  );
  assertOk(await groupScheduled(malote, grouper, [other, leaving]));
  assertOk(await operator.post(`/programadas/${leaving}/cancelar`));
  const joint = (await figuresOf(malote, { noun: 'scheduled', id: grouper })).planned_metres;
  await dispatchNow(malote, grouper);
  const deliveryId = Number((await readScheduled(malote.manager, grouper)).id_mch);
  const stopIds = await stopIdsOf(malote, { noun: 'delivery', id: deliveryId });
  await carry({ id: deliveryId, stopIds, driverId: null }, 1, 5, 10);
  await count();
  const { periodo } = await report('de=2026-11-20&ate=2026-11-20');
  assert.deepEqual(
    [periodo.agrupamentos, periodo.metros_economizados, periodo.paradas_entregues],
    [1, metres[0]! + metres[1]! - joint, 2],
  );
});

test('periods that end before they begin or are too long, and filters that do not go together, are refused', async () => {
  const refused = async (path: string, words: RegExp) =>
    assertRefused(await operator.get(`/relatorios/${path}`), 422, words);
  await refused('resumo?de=2026-11-16&ate=2026-11-15', /período/);
  await refused('serie?por=dia&de=2025-11-15&ate=2026-11-16', /até 366 dias/);
  assertOk(await operator.get('/relatorios/serie?por=dia&de=2025-11-16&ate=2026-11-16'));
  await refused(`resumo?${DAY}&comparar_de=2026-11-15&comparar_ate=2026-11-14`, /período/);
  for (const path of [
    'resumo?condutor_id=1&empresa_id=1',
    'serie?por=hora&condutor_id=1',
    'serie?por=hora&area_id=1',
    'divisao?por=empresa&condutor_id=1',
    'divisao?por=condutor&empresa_id=1',
    'motivos?area_id=1',
  ])
    await refused(`${path}&${DAY}`, /filtros juntos/);
  assert.equal((await operator.get('/relatorios/resumo?de=2026-02-30&ate=2026-03-01')).status, 400);
});

async function status(id: number): Promise<string> {
  return assertOk(await operator.get(`/entregas/${id}`)).body.data.status;
}

async function endSearchesNow(): Promise<void> {
  const central = await findCentral(malote.db, 1);
  assert.equal(await endSearches(malote.app.deps, central!), 1);
}
