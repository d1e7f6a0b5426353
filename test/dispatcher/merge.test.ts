import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { stop as anyStop, order, pickup } from '../support/orders.ts';
import { mergeDue } from '../support/rounds.ts';

const malote = await startMalote();
const { manager, operator, clock, db } = malote;
const merge = () => mergeDue(malote.app.deps);
await malote.configure({ autoMerge: true, mergeSavingPercentMin: 10 });

/** Destinations along one street, away from the pickup. */
const stop = (index: number) => ({
  ...anyStop(index),
  lat_parada: String(-30.045 - (index % 12) * 0.001),
  lng_parada: '-51.2160',
});

/** Minutes from the test clock's noon, in the demonstration's time. */
const at = (minutes: number) => {
  const local = clock
    .now()
    .toZonedDateTimeISO('America/Sao_Paulo')
    .add({ seconds: minutes * 60 });
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    data: `${two(local.day)}/${two(local.month)}/${local.year}`,
    hora: `${two(local.hour)}:${two(local.minute)}:${two(local.second)}`,
  };
};
const schedule = async (
  minutes: number,
  index: number,
  changes: Record<string, unknown> = {},
): Promise<string> => {
  const body = order({ ...at(minutes), paradas: [stop(index)], ...changes });
  const answer = await manager.post('/entregas/programadas', body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id_mch;
};
const read = async (id: string) => (await manager.get(`/entregas/programadas/${id}`)).body.data;
const clear = async (): Promise<void> => {
  const { body } = await malote.central.get('/entregas/programadas?limite=100');
  const waiting = body.data.filter(({ situacao }: { situacao: string }) => situacao === 'A');
  for (const { id_mch_programada: id } of waiting)
    assert.equal((await operator.post(`/programadas/${id}/cancelar`)).status, 200);
  // Requests that had been merged are now separate.
  if (waiting.length > 0) await clear();
};

test('orders that save enough together are merged into the one that leaves first', async () => {
  await clear();
  const later = await schedule(9, 1);
  const first = await schedule(4, 0);
  const third = await schedule(6, 2);
  assert.deepEqual(await merge(), { groups: 1, orders: 3 });
  const grouper = await read(first);
  assert.equal(grouper.situacao, 'A');
  assert.equal(grouper.paradas.length, 3);
  assert.deepEqual(
    grouper.paradas.map(({ ordem }: { ordem: number }) => ordem),
    [0, 1, 2],
  );
  assert.equal((await read(later)).situacao, 'agrupado');
  assert.equal((await read(third)).situacao, 'agrupado');
  const [saved] = await db<{ orders: number; seconds_before: number; seconds_after: number }>`
    select orders, seconds_before, seconds_after from automatic_merges where central_id = 1 and grouper_id = ${first}`;
  assert.equal(saved!.orders, 3);
  assert.ok(saved!.seconds_after < saved!.seconds_before);
  const recorded = await operator.get('/agrupamentos-automaticos');
  assert.equal(recorded.status, 200, recorded.text);
  assert.equal(recorded.body.data[0].id_mch_programada, first);
  assert.ok(recorded.body.data[0].depois.km < recorded.body.data[0].antes.km);
});

test('one pickup that is written in two ways is one place', async () => {
  await clear();
  const from = (lat: string) => ({ partida: { ...pickup, lat } });
  await schedule(4, 0, from('-30.030505'));
  await schedule(5, 1, from('-30.03051'));
  assert.deepEqual(await merge(), { groups: 1, orders: 2 });
});

test('a company’s note on each of its orders reaches the driver who carries them all', async () => {
  await clear();
  const first = await schedule(4, 0, { observacao: 'portão azul' });
  await schedule(6, 2, { observacao: 'retirar no balcão' });
  await schedule(5, 1);
  await schedule(7, 3, { observacao: 'portão azul' });
  assert.deepEqual(await merge(), { groups: 1, orders: 4 });
  assert.equal((await read(first)).observacao, 'portão azul\nretirar no balcão');
});

test('a merged request cannot be changed: contract 7.2, 400', async () => {
  await clear();
  const [a, b] = [await schedule(4, 0), await schedule(5, 1)];
  const other = await schedule(60, 2);
  await merge();
  for (const [grouper, listed] of [
    [a, other],
    [b, other],
    [other, a],
    [other, b],
  ]) {
    const answer = await manager.post(`/entregas/programadas/${grouper}/agrupar`, {
      programadas_agrupadas: [Number(listed)],
    });
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.errors[0].code, 0);
  }
});

test('nothing is merged before its time, in the last minute, or when it is switched off', async (t) => {
  await clear();
  await schedule(30, 0);
  await schedule(31, 1);
  assert.deepEqual(await merge(), { groups: 0, orders: 0 }, 'too early: latecomers may still come');
  await schedule(1, 2);
  await schedule(1.5, 3);
  assert.deepEqual(await merge(), { groups: 0, orders: 0 }, 'too late');
  await schedule(4, 4);
  await schedule(5, 5);
  await malote.configureFor(t, { autoMerge: false });
  assert.deepEqual(await merge(), { groups: 0, orders: 0 }, 'switched off');
});

test('different companies, pickups, payments and return flags stay apart', async () => {
  await clear();
  await schedule(4, 0);
  await schedule(4, 1, { forma_pagamento: 'X' });
  await schedule(4, 2, { com_retorno: true });
  await schedule(4, 3, { partida: { ...pickup, lat: '-30.0400' } });
  const theirs = await malote.manager2.post('/entregas/programadas', order({ ...at(4), paradas: [stop(4)] }));
  assert.equal(theirs.status, 200);
  assert.deepEqual(await merge(), { groups: 0, orders: 0 });
});

test('no batch has more than ten stops, and none lies further apart than the window', async () => {
  await clear();
  for (let index = 0; index < 24; index += 1) await schedule(4 + (index % 3), index);
  await schedule(4 + 16, 3);
  const merged = await merge();
  assert.ok(merged.groups >= 3, `${merged.groups} groups`);
  const batches = await db<{ stops: number }>`
    select count(*)::integer as stops from scheduled_stops s join scheduled g
      on g.central_id = s.central_id and g.id = s.scheduled_id
    where g.central_id = 1 and g.situation = 'awaiting' group by g.id`;
  assert.ok(batches.every(({ stops }) => stops <= 10));
  assert.equal(
    batches.reduce((sum, { stops }) => sum + stops, 0),
    25,
    'no stop is lost',
  );
});

test('while it plans, a manual grouping must wait: contract 7.2, 400', async (t) => {
  await clear();
  const [a, b] = [await schedule(30, 0), await schedule(30, 1)];
  t.after(() => db`delete from claims where central_id = 1`);
  await db`insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (1, 'scheduled', ${a}, 'automatic_merge', gen_random_uuid(), ${clock.now().add({ seconds: 20 })})`;
  const answer = await manager.post(`/entregas/programadas/${b}/agrupar`, {
    programadas_agrupadas: [Number(a)],
  });
  assert.equal(answer.status, 400);
  assert.match(answer.body.errors[0].message, /liberada em instantes/);
});

test('a grouping by hand that is under way is left alone', async () => {
  await clear();
  const [a] = [await schedule(4, 0), await schedule(5, 1)];
  await db`insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (1, 'scheduled', ${a}, 'grouping', gen_random_uuid(), ${clock.now().add({ seconds: 20 })})`;
  assert.deepEqual(await merge(), { groups: 0, orders: 0 });
  await db`delete from claims`;
  assert.deepEqual(await merge(), { groups: 1, orders: 2 });
});

test('several processes that merge at once merge each order once', async () => {
  await clear();
  for (let index = 0; index < 12; index += 1) await schedule(4, index);
  await Promise.all([merge(), merge(), merge()]);
  await merge();
  const [row] = await db<{ stops: number; carried: number }>`
    select count(*)::integer as stops, count(distinct s.id)::integer as carried from scheduled_stops s
    join scheduled g on g.central_id = s.central_id and g.id = s.scheduled_id
    where g.central_id = 1 and g.situation = 'awaiting'`;
  assert.deepEqual(row, { stops: 12, carried: 12 });
});

test('those merged into one that is then cancelled stand alone again, and leave at their own time', async () => {
  await clear();
  const first = await schedule(4, 0);
  const others = [await schedule(6, 2), await schedule(9, 1, { paradas: [stop(1), stop(3)] })] as const;
  const before = [await read(others[0]), await read(others[1])];
  const [alone] = await db<{ net_cents: number }>`
    select net_cents from scheduled where central_id = 1 and id = ${others[0]}`;
  const priceAlone = (alone!.net_cents / 100).toFixed(2);
  assert.deepEqual(await merge(), { groups: 1, orders: 3 });
  assert.equal((await operator.post(`/programadas/${first}/cancelar`)).status, 200);

  const cancelled = await read(first);
  assert.equal(cancelled.situacao, 'C');
  assert.equal(cancelled.paradas.length, 1);
  for (const [index, id] of others.entries()) {
    const again = await read(id);
    assert.equal(again.situacao, 'A');
    const stopIds = (scheduled: { paradas: { id: string }[] }) =>
      scheduled.paradas.map((each) => each.id).sort();
    assert.deepEqual(stopIds(again), stopIds(before[index]));
    const [recorded] = await db<{ payload: { change: string } }>`
      select payload from events where central_id = 1 and scheduled_id = ${id} order by sequence desc limit 1`;
    assert.equal(recorded!.payload.change, 'let_go');
  }

  clock.advance({ minutes: 7 });
  await dispatchDue({ ...malote.app.deps, log: malote.app.server.log });
  const left = await read(others[0]);
  assert.equal(left.situacao, 'D');
  const { body } = await manager.get(`/entregas/${left.id_mch}`);
  assert.equal(body.data.paradas.length, 1);
  assert.equal(body.data.valor_corrida, priceAlone);
  assert.equal((await read(others[1])).situacao, 'A');
});

test('private customers are left alone, each their own payer', async () => {
  await clear();
  for (const [index, cpf] of ['52998224725', '11144477735'].entries())
    assert.equal(
      (
        await malote.central.post(
          '/entregas/programadas',
          order({ ...at(5), paradas: [stop(index)], categoria_id: 1, cliente: { nome: 'Cliente', cpf } }),
        )
      ).status,
      200,
    );
  await merge();
  const { body } = await malote.central.get('/entregas/programadas?limite=2');
  assert.deepEqual(
    body.data.map(({ situacao }: Json) => situacao),
    ['A', 'A'],
  );
});
