import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { HISTORY_DAYS } from '../../server/simulation/demo/history.ts';
import { makeDemo } from '../../server/simulation/demo/makeDemo.ts';
import { rhythmRound } from '../../server/simulation/demo/startRhythm.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { couponGuard } from '../../server/src/money/pricing/couponGuard.ts';
import { priceBooks } from '../../server/src/money/pricing/priceBook.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import { testClock } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';

const clock = testClock();
const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(() => db.close());
await makeDemo({ db, clock }, 'full');
const deps = {
  db,
  clock,
  priceBooks: priceBooks(db),
  routers: estimatorRouters,
  couponGuard: couponGuard(clock),
  log: {
    error: (details: object) => {
      throw new Error('the history failed', { cause: details });
    },
  },
};
const begin = performance.now();
for (let day = 0; day < HISTORY_DAYS; day += 1) {
  await rhythmRound(deps, randomUUID());
  clock.advance({ seconds: 1 });
}
const milliseconds = Math.round(performance.now() - begin);

test('the first turns of the demonstration write deliveries of each of the last 30 days', async (t) => {
  t.diagnostic(`written in ${milliseconds} ms`);
  const days = await db<{ day: string; count: number }>`
    select (requested_at at time zone 'America/Sao_Paulo')::date::text as day, count(*) as count from deliveries
    where central_id = 1 and status = 'finished' group by 1 order by 1`;
  assert.ok(days.length >= HISTORY_DAYS, `${days.length} days`);
  for (const { day, count } of days.slice(0, HISTORY_DAYS)) assert.ok(count >= 4, `${count} on ${day}`);
  const [row] = await db<{ turns: number }>`select turns from demo_rhythms where central_id = 1`;
  assert.equal(row!.turns, HISTORY_DAYS);
});

test('all three categories and all companies are in it, and each vehicle carried its own', async () => {
  const rows = await db<{ category: string; company: number; misfit: boolean }>`
    select c.name as category, d.company_id as company, not exists (
      select from driver_categories dc
      where dc.central_id = 1 and dc.driver_id = d.driver_id and dc.category_id = d.category_id) as misfit
    from deliveries d join categories c on c.central_id = 1 and c.id = d.category_id
    where d.central_id = 1 and d.status = 'finished' and d.driver_id > 6`;
  assert.deepEqual(new Set(rows.map(({ category }) => category)), new Set(['Bike', 'Carro', 'Moto']));
  assert.deepEqual(new Set(rows.map(({ company }) => company)), new Set([1, 2, 3, 4, 5]));
  assert.ok(rows.every(({ misfit }) => !misfit));
});

test('accounts and wallets are written in the order of time, and weeks are closed and paid', async () => {
  const wrong = await db`
    select from (
      select created_at, lag(created_at) over (partition by company_id order by number) as before
      from wallet_entries where central_id = 1) entry where created_at < before`;
  assert.equal(wrong.length, 0);
  const closings = await db<{ paid: boolean; count: number }>`
    select paid_at is not null as paid, count(*) as count from closings where central_id = 1 group by 1 order by 1`;
  assert.deepEqual(
    closings.map(({ paid }) => paid),
    [false, true],
  );
  assert.ok(closings.every(({ count }) => count >= 4));
});

test('the drivers of the history go on duty when it is written', async () => {
  const rows = await db`select from drivers where central_id = 1 and id > 6 and available`;
  assert.equal(rows.length, 8);
});
