import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import {
  at,
  groupDeliveries,
  groupIntoDelivery,
  groupScheduled,
  start,
  stopIdsOf,
  stopsOf,
} from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { keepTotals } from '../support/rounds.ts';
import { dispatchNow, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock } = malote;
const manager = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});

const read = async (path: string, who = operator): Promise<Json> => {
  await keepTotals(malote.app.deps);
  return assertOk(await who.get(`/relatorios/${path}`)).body.data;
};
const on = (day: string): string => `de=${day}&ate=${day}`;

async function conclude(id: number, stopIds: readonly number[]): Promise<void> {
  for (const stopId of stopIds)
    assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {}));
}

const carried = (id: number) => stopIdsOf(malote, { noun: 'delivery', id });

describe('groupings', () => {
  const grouping = async (day: string): Promise<[groupings: number, metres: number]> => {
    const { periodo } = await read(`resumo?${on(day)}`);
    return [periodo.agrupamentos, periodo.metros_economizados];
  };

  test('a delivery that everybody left again is no grouping and saves nothing', async () => {
    clock.set('2026-11-02T15:00:00Z');
    const carrier = await start(malote, at(0));
    const other = await start(malote, at(3));
    assertOk(await groupDeliveries(malote, carrier, [other]));
    assertOk(await malote.manager.post(`/entregas/${other}/cancelar`, { motivo_id: 2 }));
    await conclude(carrier, await carried(carrier));
    assert.deepEqual(await grouping('2026-11-02'), [0, 0]);
  });

  test('one whose other order was handed over in part is still a grouping, and loses nothing by it', async () => {
    clock.set('2026-11-03T15:00:00Z');
    const carrier = await start(malote, at(0));
    const other = await start(malote, at(3, 5));
    assertOk(await groupDeliveries(malote, carrier, [other]));
    const theirs = (await stopsOf(malote, { noun: 'delivery', id: carrier })).find(
      ({ orderedWith }) => orderedWith === other,
    )!;
    const [row] = await malote.db<{ saved: number }>`
      select separate_metres - planned_metres as saved from deliveries where central_id = 1 and id = ${carrier}`;
    await conclude(carrier, [theirs.id]);
    assertOk(await malote.manager.post(`/entregas/${other}/cancelar`, { motivo_id: 2 }));
    const left = (await carried(carrier)).filter((id) => id !== theirs.id);
    await conclude(carrier, left);
    assert.deepEqual(await grouping('2026-11-03'), [1, row!.saved]);
  });

  test('one that a scheduled delivery joined on its way stays a grouping when another one leaves', async () => {
    clock.set('2026-11-04T15:00:00Z');
    const carrier = await start(malote, at(0));
    const leaving = await start(malote, at(5));
    const other = await schedule(malote.manager, { data: '04/11/2026', hora: '18:00:00', ...at(3) });
    assertOk(await groupIntoDelivery(malote, carrier, [other], [leaving]));
    assertOk(await malote.manager.post(`/entregas/${leaving}/cancelar`, { motivo_id: 2 }));
    await conclude(carrier, await carried(carrier));
    const [count, metres] = await grouping('2026-11-04');
    assert.equal(count, 1);
    assert.ok(metres > 0);
  });

  test('a scheduled delivery that everybody left before its dispatch is no grouping', async () => {
    clock.set('2026-11-06T15:00:00Z');
    const later = { data: '06/11/2026', hora: '18:00:00' };
    const grouper = await schedule(malote.manager, { ...later, ...at(0) });
    const other = await schedule(malote.manager, { ...later, ...at(3) });
    assertOk(await groupScheduled(malote, grouper, [other]));
    assertOk(await operator.post(`/programadas/${other}/cancelar`));
    await dispatchNow(malote, grouper);
    const id = Number((await readScheduled(malote.manager, grouper)).id_mch);
    assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
    assertOk(await operator.post(`/entregas/${id}/iniciar`));
    await conclude(id, await carried(id));
    assert.deepEqual(await grouping('2026-11-06'), [0, 0]);
  });
});

describe('by hour', () => {
  test('stops and groupings are not known, and so are no zeros', async () => {
    clock.set('2026-11-05T15:00:00Z');
    const delivery = await openDelivery(malote);
    assertOk(
      await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: await newDriver(malote) }),
    );
    assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
    await conclude(delivery.id, delivery.stopIds);
    const [hour] = await read(`serie?${on('2026-11-05')}&por=hora`);
    assert.deepEqual(
      [
        hour.finalizadas,
        hour.paradas_entregues,
        hour.paradas_nao_entregues,
        hour.agrupamentos,
        hour.metros_economizados,
      ],
      [1, null, null, null, null],
    );
    const [day] = await read(`serie?${on('2026-11-05')}&por=dia`);
    assert.deepEqual([day.paradas_entregues, day.agrupamentos], [1, 0]);
    const file = await read(`arquivo?${on('2026-11-05')}&por=hora`);
    const [head, row] = Buffer.from(file.conteudo, 'base64').toString().split('\r\n');
    const cells = Object.fromEntries(head!.split(';').map((title, index) => [title, row!.split(';')[index]]));
    assert.deepEqual(
      ['Finalizadas', 'Paradas entregues', 'Agrupamentos', 'Km economizados'].map((title) => cells[title]),
      ['1', '', '', ''],
    );
  });
});

test('a company has its own figures however many are larger', async () => {
  const [own] = await read(`divisao?${on('2026-11-05')}&por=empresa&empresa_id=1`);
  assert.equal(own.encerradas, 1);
  await malote.db`
    insert into report_days
    select central_id, kind, company_id, day, 1000 + number, finished + 1, promised, on_time, cancelled, not_attended,
      stops_delivered, stops_failed, grouped, saved_metres, accept_count, accept_seconds, accept_spread, pickup_count,
      pickup_seconds, pickup_spread, deliver_count, deliver_seconds, deliver_spread, total_count, total_seconds,
      total_spread
    from report_days cross join generate_series(1, 500) number
    where central_id = 1 and kind = 'company' and of_id = 1 and day = '2026-11-05'`;
  assert.equal((await read(`divisao?${on('2026-11-05')}&por=empresa`)).length, 500);
  assert.deepEqual(await read(`divisao?${on('2026-11-05')}&por=empresa&empresa_id=1`), [own]);
  assert.deepEqual(await read(`divisao?${on('2026-11-05')}&por=empresa`, manager), [own]);
});

test('a period to compare with that lacks a day is refused', async () => {
  for (const [given, missing] of [
    ['comparar_de', 'comparar_ate'],
    ['comparar_ate', 'comparar_de'],
  ] as const) {
    const answer = await operator.get(`/relatorios/resumo?${on('2026-11-05')}&${given}=2026-11-04`);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.errors[0].message, new RegExp(`'${missing}'`));
  }
});
