import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';

const malote = await startMalote();
const { manager, clock, db } = malote;

const open = async (): Promise<string> => {
  const answer = await manager.post('/entregas', order());
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id_mch;
};
const statusOf = async (id: string): Promise<string> =>
  (await manager.get(`/entregas/${id}/status`)).body.data.status;
const offered = async (id: string): Promise<number[]> => {
  const rows = await db<{ driver_id: number }>`
    select driver_id from offers where central_id = 1 and delivery_id = ${id} and state = 'open'`;
  return rows.map((row) => row.driver_id);
};
const only = async (...drivers: number[]) => {
  await db`update offers set state = 'withdrawn', closed_at = offered_at where state = 'open'`;
  await db`update drivers set available = id = any(${drivers}::bigint[]) where central_id = 1`;
  await db`update driver_positions set at = ${clock.now()}`;
};

test('an order that demands a thermal box goes past a driver known to have none', async () => {
  await only(1);
  const id = await open();
  await db`
    insert into stop_demands (central_id, stop_id, equipment, weight_grams)
    select 1, id, '{thermal_box}', 2000 from stops where central_id = 1 and delivery_id = ${id}`;
  await db`insert into driver_capacities (central_id, driver_id, equipment) values (1, 1, '{box,thermal_bag}')`;
  await distributeOnce(malote.app.deps);
  assert.equal(await statusOf(id), 'P');
  await db`update driver_capacities set equipment = '{thermal_box}' where central_id = 1`;
  clock.advance({ minutes: 1 });
  await only(1);
  await distributeOnce(malote.app.deps);
  assert.deepEqual(await offered(id), [1]);
});

test('what a category is known to carry counts for drivers of whom nothing is known', async () => {
  await only(2);
  const id = await open();
  await db`
    insert into stop_demands (central_id, stop_id, weight_grams)
    select 1, id, 12000 from stops where central_id = 1 and delivery_id = ${id}`;
  await db`insert into category_capacities (central_id, category_id, weight_grams) values (1, 1, 10000)`;
  await distributeOnce(malote.app.deps);
  assert.equal(await statusOf(id), 'P');
  await db`insert into driver_capacities (central_id, driver_id, weight_grams) values (1, 2, 20000)`;
  clock.advance({ minutes: 1 });
  await only(2);
  await distributeOnce(malote.app.deps);
  assert.deepEqual(await offered(id), [2]);
});

test('a driver who is off shift gets no offers', async () => {
  await only(3);
  const id = await open();
  const { dayOfWeek, hour, minute } = clock.now().toZonedDateTimeISO('America/Sao_Paulo');
  const from = 60 * hour + minute + 2;
  const week = JSON.stringify([{ weekday: dayOfWeek, from, until: from + 60, breaks: [] }]);
  await db`
    insert into driver_calendars (central_id, driver_id, week, days) values (1, 3, ${week}::jsonb, '[]')`;
  await distributeOnce(malote.app.deps);
  assert.deepEqual(await offered(id), []);
  clock.advance({ minutes: 2 });
  await only(3);
  await distributeOnce(malote.app.deps);
  assert.deepEqual(await offered(id), [3]);
});
