import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { Client } from 'pg';
import type { RefreshDeps } from '../../server/src/dispatch/rounds/dispatchScheduled.ts';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import { type Database, openDatabase } from '../../server/src/platform/postgres/database.ts';
import { troubleOf } from '../../server/src/platform/postgres/databaseErrors.ts';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import { atNode, findPlaces } from '../../server/src/platform/postgres/nodes.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { options } = malote.db.pool;
const opened: Database[] = [];
after(() => Promise.all(opened.map((db) => db.close())));

interface Dispatcher {
  deps: RefreshDeps;
  errors: Postponed[];
}

/** The log entry of a scheduled delivery whose dispatch ended in an error. */
interface Postponed {
  err: unknown;
}

/** To the database this is a separate process. */
function dispatcher(): Dispatcher {
  const errors: Postponed[] = [];
  const db = openDatabase({
    connection: { host: options.host, port: options.port, user: options.user, database: options.database },
    poolSize: 1,
    onError: () => undefined,
    isDistributed: malote.db.isDistributed,
  });
  opened.push(db);
  return {
    deps: { ...malote.app.deps, db, log: { error: (details) => errors.push(details as Postponed) } },
    errors,
  };
}

// Records which transaction created a delivery.
await malote.db`alter table deliveries add made_in bigint default txid_current()`;

beforeEach(async () => {
  malote.clock.set('2026-11-16T15:00:00Z');
  await malote.db`update scheduled set situation = 'cancelled' where situation = 'awaiting'`;
});

/**
 * Copies of a delivery that was scheduled by hand, a second apart in a shuffled order. Half of them are paid by credit.
 */
async function scheduleMany(count: number, stops = 2): Promise<void> {
  const id = await schedule(malote.manager, {}, stops);
  const columns = await malote.db<{ name: string }>`
    select attname as name from pg_attribute where attrelid = 'scheduled'::regclass and attnum > 0
      and attname not in ('id', 'dispatch_at', 'payment')`;
  const names = columns.map(({ name }) => name);
  const ids = await malote.db.newIds(1, 'scheduled', count - 1);
  const stopIds = await malote.db.newIds(1, 'stop', (count - 1) * stops);
  await runText(
    malote.db,
    `insert into scheduled (id, dispatch_at, payment, ${names.join(', ')})
     select ($3::bigint[])[n], s.dispatch_at + make_interval(secs => (n * 7919) % $2::integer),
       case when n % 2 = 0 then 'credit_wallet' else s.payment end, ${names.map((name) => `s.${name}`).join(', ')}
     from scheduled s, generate_series(1, $2::integer) n where s.central_id = 1 and s.id = $1`,
    [id, count - 1, ids],
  );
  await runText(
    malote.db,
    `insert into scheduled_stops (central_id, id, scheduled_id, ordered_with, position, address, district, city,
       state, lat, lng)
     select 1, ($3::bigint[])[row_number() over ()], copy, copy, position, address, district, city, state, lat, lng
     from unnest($2::bigint[]) copy, scheduled_stops where central_id = 1 and scheduled_id = $1`,
    [id, ids, stopIds],
  );
}

await malote.db`
  insert into wallet_entries (central_id, id, company_id, kind, amount_cents, balance_after_cents, created_at)
  values (1, ${await newId(malote.db, 1, 'entry')}, 1, 'top_up', 100000000, 0, now())`;

/** Each one was dispatched as exactly one delivery with all its stops, and the credits add up. */
async function assertEachOnce(count: number): Promise<void> {
  const [row] = await malote.db`
    select count(*) as rows, count(distinct d.id) as deliveries,
      count(*) filter (where s.situation = 'dispatched' and s.delivery_id = d.id) as dispatched,
      count(*) filter (where d.reserved_cents = case when d.payment = 'credit_wallet' then d.net_cents else 0 end)
        as reserved,
      count(*) filter (where (
          select array_agg(id order by position) from stops where central_id = 1 and delivery_id = d.id)
        = (select array_agg(id order by position) from scheduled_stops
          where central_id = 1 and scheduled_id = s.id)) as whole,
      count(*) filter (where 1 = (select count(*) from events e
        where e.central_id = 1 and e.scheduled_id = s.id and e.type = 'scheduled.dispatched')) as recorded
    from scheduled s left join deliveries d on d.central_id = 1 and d.scheduled_id = s.id
    where s.central_id = 1 and s.dispatch_at >= '2026-11-16T16:00:00Z' and s.situation <> 'cancelled'`;
  const all = {
    rows: count,
    deliveries: count,
    dispatched: count,
    reserved: count,
    whole: count,
    recorded: count,
  };
  assert.deepEqual(row, all);
  const [wallet] = await malote.db`
    select balance_cents = (
      select sum(amount_cents) from wallet_entries where central_id = 1 and company_id = 1) as adds_up
    from wallets where central_id = 1 and company_id = 1`;
  assert.deepEqual(wallet, { adds_up: true });
}

const clearAway = () =>
  malote.db`update scheduled set dispatch_at = '2020-01-01' where situation <> 'awaiting'`;

test('four dispatchers share 300 due ones: each is dispatched once, and those made together the oldest first', async () => {
  await clearAway();
  await scheduleMany(300);
  malote.clock.set('2026-11-16T17:00:00Z');
  const dispatchers = Array.from({ length: 4 }, dispatcher);
  // On a busy machine a dispatcher may wait too long for a wallet that another one holds, and retries later.
  let made = 0;
  for (let look = 0; look < 10 && made < 300; look += 1) {
    const counts = await Promise.all(dispatchers.map(({ deps }) => dispatchDue(deps)));
    made += counts.reduce((sum, count) => sum + count, 0);
    malote.clock.advance({ seconds: 2 });
  }
  assert.equal(made, 300);
  const errors = dispatchers.flatMap((each) => each.errors);
  assert.deepEqual(
    errors.filter(({ err }) => troubleOf(err) !== 'contention'),
    [],
  );
  await assertEachOnce(300);
  const outOfOrder = await malote.db`
    select * from (
      select s.dispatch_at, lag(s.dispatch_at) over (partition by d.made_in order by d.id) as earlier
      from deliveries d join scheduled s on s.central_id = 1 and s.id = d.scheduled_id
      where d.central_id = 1 and s.dispatch_at >= '2026-11-16T16:00:00Z') made
    where earlier > dispatch_at`;
  assert.deepEqual(outOfOrder, []);
  const [count] = await malote.db<{ transactions: number }>`
    select count(distinct made_in) as transactions from deliveries where central_id = 1`;
  assert.ok(count!.transactions < 300, `${count!.transactions} transactions`);
});

test('a dispatcher that dies in the middle of a batch loses nothing and doubles nothing', async () => {
  await clearAway();
  await scheduleMany(150);
  malote.clock.set('2026-11-16T17:00:00Z');
  // Each transaction that creates a delivery passes this gate, which the test keeps closed.
  await malote.db`create function pass_gate() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock_shared(4711); return null; end'`;
  await malote.db`create trigger gate after insert on deliveries for each row execute function pass_gate()`;
  const dying = dispatcher();
  // On the server that holds the central: the others do not know its sessions and locks.
  const node = malote.db.isDistributed ? await findPlaces(malote.db.pool).nodeOf(1) : undefined;
  const gate = new Client(node ? atNode(malote.connection, node) : malote.connection);
  await gate.connect();
  try {
    await gate.query('select pg_advisory_lock(4711)');
    const running = assert.rejects(dispatchDue(dying.deps));
    let victim: number | undefined;
    await waitUntil('the dispatcher stands at the gate', async () => {
      const { rows } = await gate.query<{ pid: number }>(
        `select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`,
      );
      victim = rows[0]?.pid;
      return victim !== undefined;
    });
    const others = Array.from({ length: 3 }, dispatcher);
    const rest = Promise.all(others.map(({ deps }) => dispatchDue(deps)));
    await gate.query('select pg_terminate_backend($1::integer)', [victim]);
    await running;
    await gate.query('select pg_advisory_unlock(4711)');
    await rest;
  } finally {
    await gate.end();
    await malote.db`drop trigger gate on deliveries`;
  }
  malote.clock.advance({ seconds: 2 });
  const late = dispatcher();
  await dispatchDue(late.deps);
  await assertEachOnce(150);
});

test('a dispatch that cannot be written delays no other, and fails after three attempts', async (t) => {
  await clearAway();
  const poison: number[] = [];
  for (let made = 0; made < 55; made += 1)
    poison.push(await schedule(malote.manager, { observacao: 'poison' }));
  const good = await schedule(malote.manager, { hora: '13:00:01' });
  await malote.db`create function refuse_poison() returns trigger language plpgsql as
    'begin if new.note = ''poison'' then raise ''spoilt'' using errcode = ''23514''; end if; return new; end'`;
  t.after(() => malote.db`drop trigger if exists poison on deliveries`);
  await malote.db`create trigger poison before insert on deliveries for each row execute function refuse_poison()`;
  malote.clock.set('2026-11-16T17:00:00Z');
  const { deps, errors } = dispatcher();
  assert.equal(await dispatchDue(deps), 1);
  assert.equal((await readScheduled(malote.manager, good)).situacao, 'D');
  assert.equal(errors.length, poison.length);
  assert.equal(await dispatchDue(deps), 0);
  assert.equal(errors.length, poison.length, 'it is not tried again at once');

  const rows = () => malote.db<{ situation: string; attempts: number; rows: number }>`
    select situation, dispatch_attempts as attempts, count(*) as rows from scheduled
    where id = any(${poison}::bigint[]) group by 1, 2`;
  malote.clock.advance({ minutes: 1 });
  await dispatchDue(deps);
  assert.deepEqual(await rows(), [{ situation: 'awaiting', attempts: 2, rows: 55 }]);
  malote.clock.advance({ minutes: 1 });
  await dispatchDue(deps);
  assert.deepEqual(await rows(), [{ situation: 'failed', attempts: 3, rows: 55 }]);
  const [failure] = await malote.db`select failure from scheduled where id = ${poison[0]}`;
  assert.deepEqual(failure, { failure: 'internal-error' });
});

test('a dispatch that only waited for a lock is retried without limit', async () => {
  await clearAway();
  const id = await schedule(malote.manager, { observacao: 'busy' });
  await malote.db`create function be_busy() returns trigger language plpgsql as
    'begin raise ''busy'' using errcode = ''55P03''; end'`;
  await malote.db`create trigger busy before insert on deliveries for each row execute function be_busy()`;
  malote.clock.set('2026-11-16T17:00:00Z');
  const { deps } = dispatcher();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.equal(await dispatchDue(deps), 0);
    malote.clock.advance({ seconds: 2 });
  }
  await malote.db`drop trigger busy on deliveries`;
  assert.equal(await dispatchDue(deps), 1);
  assert.equal((await readScheduled(malote.manager, id)).situacao, 'D');
});

test('whatever happens at the instant of dispatch, each delivery ends in one state, and all sums agree', async () => {
  await clearAway();
  await malote.configure({ cancelAwaitingScheduled: true });
  const ids: number[] = [];
  for (let made = 0; made < 40; made += 1)
    ids.push(
      await schedule(
        malote.manager,
        { forma_pagamento: made % 2 ? 'R' : 'D', hora: made % 8 < 4 ? '12:10:00' : '12:20:00' },
        3,
      ),
    );
  const stopsOf = async (id: number) => (await readScheduled(malote.manager, id)).paradas;
  const firstStops = await Promise.all(ids.map(async (id) => (await stopsOf(id))[0].id));
  const edited = { data: '16/11/2026', hora: '23:00:00', forma_pagamento: 'D', partida: undefined };
  malote.clock.set('2026-11-16T15:08:00Z');
  let answered = 0;
  const doings = ids.map(async (id, index) => {
    const path = `/entregas/programadas/${id}`;
    const doing = [
      () => malote.manager.post(`${path}/cancelar`),
      () => malote.manager.delete(`${path}/paradas/${firstStops[index]}`),
      () =>
        malote.manager.put(path, {
          ...edited,
          partida: { endereco: 'Rua 1', bairro: 'Centro', lat: '-30.0305', lng: '-51.2303' },
          paradas: [stop(7)],
        }),
      () => malote.manager.post(`${path}/agrupar`, { programadas_agrupadas: [ids[index - 4]] }),
    ][index % 8 === 3 ? 1 : index % 4]!;
    const answer = await doing();
    answered += 1;
    return answer;
  });
  await waitUntil('some of it is done, and some is not', () => answered >= 5);
  malote.clock.set('2026-11-16T15:10:00Z');
  const [answers] = await Promise.all([
    Promise.all(doings),
    ...Array.from({ length: 3 }, () => dispatchDue(dispatcher().deps)),
  ]);
  const unexpected = answers.filter(({ status }) => status >= 500 || status === 404);
  assert.deepEqual(
    unexpected.map(({ text }) => text),
    [],
  );
  await dispatchDue(dispatcher().deps);
  malote.clock.set('2026-11-17T15:00:00Z');
  await dispatchDue(dispatcher().deps);

  const wrong = await malote.db`
    select s.id, s.situation, s.delivery_id, d.id as made, d.status from scheduled s
    left join deliveries d on d.central_id = s.central_id and d.scheduled_id = s.id
    where s.id = any(${ids}::bigint[]) and not coalesce(case s.situation
      when 'dispatched' then d.id = s.delivery_id and d.status = 'distributing'
      when 'cancelled' then d.id is null or d.id = s.delivery_id and d.status = 'cancelled'
      when 'grouped' then d.id is null end, false)`;
  assert.deepEqual(wrong, []);
  const [wallet] = await malote.db`
    select w.balance_cents = sum(e.amount_cents) as adds_up,
      (select coalesce(sum(reserved_cents), 0) from deliveries where company_id = 1 and status <> 'cancelled')
        = -sum(e.amount_cents) filter (where kind in ('reserve', 'release')) as held
    from wallets w join wallet_entries e using (central_id, company_id)
    where w.central_id = 1 and w.company_id = 1 group by w.balance_cents`;
  assert.deepEqual(wallet, { adds_up: true, held: true });
});
