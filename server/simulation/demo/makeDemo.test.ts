import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testClock } from '../../../test/support/clock.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { demoPeople } from './demoPeople.ts';
import { makeDemo } from './makeDemo.ts';

const clock = testClock();

async function emptyDatabase() {
  const connection = await testDatabase();
  const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
  after(() => db.close());
  return db;
}

const db = await emptyDatabase();

test('the full demonstration shows deliveries in every stage of their life', async () => {
  assert.equal(await makeDemo({ db, clock }, 'full'), true);
  const rows = await db<{ status: string; count: number }>`
    select status, count(*) from deliveries where central_id = 1 group by status order by status`;
  assert.deepEqual(rows, [
    { status: 'accepted', count: 1 },
    { status: 'cancelled', count: 1 },
    { status: 'distributing', count: 1 },
    { status: 'finished', count: 5 },
    { status: 'in_progress', count: 2 },
  ]);
});

test('it has a person of every role, and the login page offers each of them', async () => {
  const users = await db<{ username: string }>`
    select username from users where central_id = 1 and role in ('supervisor', 'finance', 'attendant', 'viewer')
    order by id`;
  const staff = ['supervisor', 'financeiro', 'atendente', 'consulta'];
  assert.deepEqual(
    users.map(({ username }) => username),
    staff,
  );
  const offered = (await demoPeople(db)())?.pessoas.map(({ usuario }) => usuario);
  assert.deepEqual(offered, ['central', ...staff, 'gerente', 'condutor1']);
});

test('it has scheduled deliveries in the next hours, a used coupon, and wallets whose ledgers add up', async () => {
  const ahead = await db`select from scheduled where situation = 'awaiting' and dispatch_at > ${clock.now()}`;
  assert.equal(ahead.length, 5);
  assert.equal(
    (await db`select from deliveries where coupon_id is not null and net_cents < gross_cents`).length,
    1,
  );
  const kinds = await db<{ kind: string }>`select distinct kind from wallet_entries order by kind`;
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['release', 'reserve', 'settlement', 'top_up'],
  );
  const wrong = await db`
    select from wallets w where balance_cents <> (
      select coalesce(sum(amount_cents), 0) from wallet_entries e
      where e.central_id = w.central_id and e.company_id = w.company_id)`;
  assert.equal(wrong.length, 0);
});

test('nothing in it happened in the future or before its cause', async () => {
  const wrong = await db`
    select from deliveries
    where requested_at > ${clock.now()} or accepted_at < requested_at or arrived_at < accepted_at
      or started_at < arrived_at or finished_at < started_at or finished_at > ${clock.now()}`;
  assert.equal(wrong.length, 0);
});

test('its operating areas are zones of the city, and the whole city is the default', async () => {
  const areas = await db<{ name: string; is_default: boolean }>`
    select name, is_default from operating_areas where central_id = 1 order by id`;
  assert.deepEqual(
    areas.map(({ name }) => name),
    ['Porto Alegre', 'Centro Histórico', 'Zona Norte', 'Zona Leste', 'Zona Sul'],
  );
  assert.deepEqual(
    areas.filter((area) => area.is_default).map(({ name }) => name),
    ['Porto Alegre'],
  );
});

test('its ids are fixed: companies 1 to 5, drivers 1 to 14 with a login each, and the neighbour far away', async () => {
  const companies = await db`select central_id, id, name from companies order by central_id, id`;
  assert.deepEqual(companies, [
    { central_id: 1, id: 1, name: 'Padaria Moinhos' },
    { central_id: 1, id: 2, name: 'Farmácia Guaíba' },
    { central_id: 1, id: 3, name: 'Restaurante Figueira' },
    { central_id: 1, id: 4, name: 'Floricultura Jacarandá' },
    { central_id: 1, id: 5, name: 'Eletro Farrapos' },
    { central_id: 2, id: 10_000_001, name: 'Empório do Porto' },
  ]);
  const drivers = await db<{ id: number }>`select id from drivers where central_id = 1 order by id`;
  assert.deepEqual(
    drivers.map(({ id }) => id),
    Array.from({ length: 14 }, (_, index) => index + 1),
  );
  const logins = await db<{ username: string }>`
    select username from users where central_id = 1 and role = 'driver' order by driver_id`;
  assert.deepEqual(
    logins.map(({ username }) => username),
    drivers.map(({ id }) => `condutor${id}`),
  );
});

test('drivers carry what fits their vehicle: only bicycles carry for Bike, only vans for Carro', async () => {
  const rows = await db<{ vehicle: string; category: string }>`
    select d.vehicle, c.name as category from drivers d
    join driver_categories dc on dc.central_id = 1 and dc.driver_id = d.id
    join categories c on c.central_id = 1 and c.id = dc.category_id
    where d.central_id = 1`;
  assert.equal(rows.length, 14);
  for (const { vehicle, category } of rows) {
    const fitting = vehicle === 'Bicicleta' ? 'Bike' : /Fiorino|Kangoo/.test(vehicle) ? 'Carro' : 'Moto';
    assert.equal(category, fitting, vehicle);
  }
});

test('it is never made on a database that is not empty', async () => {
  assert.equal(await makeDemo({ db, clock }, 'full'), false);
  assert.deepEqual(await db`select count(*) from centrals`, [{ count: 2 }]);
});

test('the empty demonstration has identities and registers, but no deliveries', async () => {
  const other = await emptyDatabase();
  assert.equal(await makeDemo({ db: other, clock }, 'empty'), true);
  assert.deepEqual(await other`select count(*) from users where central_id = 1`, [{ count: 9 }]);
  assert.deepEqual(await other`select count(*) from deliveries`, [{ count: 0 }]);
  assert.deepEqual(await other`select count(*) from scheduled`, [{ count: 0 }]);
});

test('two processes that start together make one demonstration', async () => {
  const shared = await emptyDatabase();
  const made = await Promise.all([1, 2, 3].map(() => makeDemo({ db: shared, clock })));
  assert.equal(made.filter(Boolean).length, 1);
  assert.deepEqual(await shared`select count(*) from centrals`, [{ count: 2 }]);
});
