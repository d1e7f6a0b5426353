import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../server/src/centrals/caller.ts';
import { findCentral } from '../../server/src/centrals/centralStore.ts';
import { cancelDelivery } from '../../server/src/deliveries/deliveries/cancelDelivery.ts';
import { concludeStop, NO_PROOF } from '../../server/src/deliveries/deliveries/concludeStop.ts';
import { finishDelivery } from '../../server/src/deliveries/deliveries/steps.ts';
import { cancelScheduled } from '../../server/src/deliveries/scheduled/cancelScheduled.ts';
import { CLAIM_SECONDS } from '../../server/src/dispatch/grouping/claimStore.ts';
import { groupIntoDelivery } from '../../server/src/dispatch/grouping/groupIntoDelivery.ts';
import { groupScheduled } from '../../server/src/dispatch/grouping/groupScheduled.ts';
import { dispatchReady } from '../../server/src/dispatch/rounds/dispatchScheduled.ts';
import type { EstimateDeps } from '../../server/src/money/pricing/estimateTrip.ts';
import { randomFrom } from '../../server/src/platform/kernel/random.ts';
import { Refusal } from '../../server/src/platform/kernel/refusal.ts';
import { type Database, type Db, openDatabase } from '../../server/src/platform/postgres/database.ts';
import { assertNoClaims, assertWalletsBalanced, at, start } from '../support/grouping.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote, type TestMalote } from '../support/malote.ts';
import { runText } from '../support/runText.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';
import { waitUntil } from '../support/waitUntil.ts';

const CLIENTS = 16;

const routers = testRouters();
const malote = await startMalote({ routers });
const caller = await operatorOf(malote);
let db: Database;
let deps: EstimateDeps;

before(async () => {
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await malote.central.post('/entregas/empresas/creditos/recargas', { valor: 100_000, empresa }));
  const { host, port, user, password, database } = malote.db.pool.options;
  const connection = { host, port, user, password, database } as Parameters<
    typeof openDatabase
  >[0]['connection'];
  db = openDatabase({
    connection,
    poolSize: CLIENTS,
    onError: () => undefined,
    isDistributed: malote.db.isDistributed,
  });
  deps = { ...malote.app.deps, db };
});
after(() => db.close());

async function operatorOf({ db: anyDb }: TestMalote): Promise<Caller> {
  const central = await findCentral(anyDb, 1);
  return { central: central!, centralId: 1, companyId: null, userId: 1, role: 'operator', driverId: null };
}

interface World {
  scheduled: number[];
  deliveries: number[];
}

/** Requests with one to three stops each, all of one company and from one pickup, a day before dispatch. */
async function newWorld(scheduled: number, deliveries: number, random: () => number): Promise<World> {
  const stops = () =>
    at(...Array.from({ length: 1 + Math.floor(random() * 3) }, () => Math.floor(random() * 10)));
  const world: World = { scheduled: [], deliveries: [] };
  const changes = Array.from({ length: scheduled + deliveries }, stops);
  await inParallel(changes.length, async (index) => {
    if (index < scheduled)
      world.scheduled.push(await schedule(malote.manager, { ...changes[index], data: '20/11/2026' }));
    else
      world.deliveries.push(
        await start(malote, { ...changes[index], forma_pagamento: index % 3 ? 'D' : 'R' }),
      );
  });
  world.scheduled.sort((a, b) => a - b);
  world.deliveries.sort((a, b) => a - b);
  return world;
}

/** Runs this many turns, shared by all clients in parallel. */
async function inParallel(turns: number, turn: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async () => {
    for (let index = next++; index < turns; index = next++) await turn(index);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** A few ids that lie close together, so that concurrent requests often overlap. */
function some(ids: readonly number[], count: number, progress: number, random: () => number): number[] {
  const width = 12;
  const from = Math.floor(progress * Math.max(1, ids.length - width));
  return Array.from(
    { length: count },
    () => ids[Math.min(ids.length - 1, from + Math.floor(random() * width))]!,
  );
}

function randomGrouping(
  world: World,
  progress: number,
  random: () => number,
  using: EstimateDeps,
): Promise<void> {
  const count = 1 + Math.floor(random() * 3);
  const kind = random();
  if (kind < 0.5) {
    const [grouperId, ...scheduledIds] = some(world.scheduled, count + 1, progress, random);
    return groupScheduled(using, caller, { grouperId: grouperId!, scheduledIds });
  }
  const [grouperId, ...deliveryIds] = some(world.deliveries, count + 1, progress, random);
  const scheduledIds = kind < 0.75 ? [] : some(world.scheduled, count, progress, random);
  return groupIntoDelivery(using, caller, { grouperId: grouperId!, scheduledIds, deliveryIds });
}

/** Counts the outcomes. An outcome that is neither a success nor a refusal is a defect, and thrown. */
async function tally(
  outcomes: Map<string, number>,
  work: Promise<unknown>,
  isExpected: (error: unknown) => boolean = () => false,
): Promise<void> {
  const outcome = await work.then(
    () => 'done',
    (error) => {
      if (error instanceof Refusal) return error.kind;
      if (isExpected(error)) return 'killed';
      throw error;
    },
  );
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** The stops of all requests. A dispatched request keeps a list of its delivery's parts, which is not counted. */
const stopIds = async (): Promise<number[]> => {
  const rows = await malote.db<{ id: number }>`
    select id from stops where central_id = 1
    union all
    select s.id from scheduled_stops s
    where s.central_id = 1 and not exists (
      select 1 from deliveries d where d.central_id = 1 and d.scheduled_id = s.scheduled_id)
    order by id`;
  return rows.map(({ id }) => id);
};

/** Every stop is in exactly one place, its first one or one to which it was moved, and no reference is dangling. */
async function assertSound(stopsBefore: readonly number[]): Promise<void> {
  assert.deepEqual(await stopIds(), stopsBefore, 'no stop is lost or doubled');
  for (const [table, carrier] of [
    ['stops', 'delivery_id'],
    ['scheduled_stops', 'scheduled_id'],
  ] as const) {
    const uneven = await runText(
      malote.db,
      `select ${carrier} from ${table} group by central_id, ${carrier}
       having min(position) <> 0 or max(position) <> count(*) - 1 or count(*) > 10`,
      [],
    );
    assert.deepEqual(uneven, [], `positions of ${table} run from 0 without a gap`);
  }
  // A cancelled request leaves its stops with its grouper if all of them were concluded there.
  const empty = await malote.db`
    select d.id from deliveries d where grouped_into is null
      and not exists (select 1 from stops s where s.central_id = d.central_id and s.delivery_id = d.id)
      and (status <> 'cancelled' or not exists (select 1 from stops s
        where s.central_id = d.central_id and s.ordered_with = d.id and s.concluded_at is not null))
    union all
    select p.id from scheduled p where situation = 'awaiting'
      and not exists (select 1 from scheduled_stops s where s.central_id = p.central_id and s.scheduled_id = p.id)`;
  assert.deepEqual(empty, [], 'whoever is on its own has stops');
  const stray = await malote.db`
    select d.id from deliveries d join deliveries g on g.central_id = d.central_id and g.id = d.grouped_into
    where g.grouped_into is not null or d.status <> g.status or d.driver_id <> g.driver_id
      or exists (select 1 from stops s where s.central_id = d.central_id and s.delivery_id = d.id)
    union all
    select p.id from scheduled p join scheduled g on g.central_id = p.central_id and g.id = p.grouped_into
    where p.situation = 'grouped' and (g.situation = 'grouped'
      or exists (select 1 from scheduled_stops s where s.central_id = p.central_id and s.scheduled_id = p.id))
    union all
    select id from scheduled where situation = 'grouped' and num_nonnulls(grouped_into, delivery_id) = 0`;
  assert.deepEqual(stray, [], 'whoever is grouped follows one that is not');
  await assertWalletsBalanced(malote);
}

/** A session reports its counts with a delay. Here each client's sessions report them before they are read. */
async function assertNoDeadlocks(): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: CLIENTS }, () => db.pool.connect()));
  for (const session of sessions) await session.query('select pg_stat_force_next_flush()');
  for (const session of sessions) session.release();
  const [row] = await malote.db<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`;
  assert.equal(row!.deadlocks, 0);
}

describe('groupings that overlap, from many clients at once', () => {
  test('a thousand of them lose no stop, leave no claim and never wait in a circle', async () => {
    const random = randomFrom(1);
    const world = await newWorld(260, 60, random);
    const stops = await stopIds();
    const outcomes = new Map<string, number>();
    routers.whileAsked(() => sleep(random() * 4));
    await inParallel(1_000, (index) => tally(outcomes, randomGrouping(world, index / 1_000, random, deps)));
    routers.restore();

    const legal = [
      'done',
      'grouping-in-progress',
      'not-awaiting-dispatch',
      'not-in-progress',
      'too-few-orders',
    ];
    for (const outcome of outcomes.keys())
      assert.ok([...legal, 'too-many-stops'].includes(outcome), `${outcome} came up`);
    for (const outcome of ['done', 'grouping-in-progress'])
      assert.ok((outcomes.get(outcome) ?? 0) > 20, `${outcome} came up often: ${[...outcomes]}`);
    await assertSound(stops);
    await assertNoClaims(malote);
    await assertNoDeadlocks();
  });

  test('those whose holders die or are too slow free what they held, and nothing is saved twice', async () => {
    const random = randomFrom(2);
    const world = await newWorld(100, 30, random);
    const stops = await stopIds();
    const outcomes = new Map<string, number>();
    class Killed extends Error {}
    let turns = 0;
    routers.whileAsked(async () => {
      turns += 1;
      const dies = turns % 4 === 0;
      // A request that is planning at this moment holds an expired claim.
      if (turns % 10 === 0) malote.clock.advance({ seconds: CLAIM_SECONDS });
      await sleep(random() * 4);
      if (dies) throw new Killed();
    });
    await inParallel(300, (index) =>
      tally(
        outcomes,
        randomGrouping(world, index / 300, random, { ...deps, db: dyingDb(db, Killed) }),
        (error) => error instanceof Killed,
      ),
    );
    routers.restore();

    for (const outcome of ['done', 'killed'])
      assert.ok((outcomes.get(outcome) ?? 0) > 5, `${outcome} came up often: ${[...outcomes]}`);
    await assertSound(stops);
    const held = await malote.db<{ held: number }>`select count(*) as held from claims`;
    assert.ok(held[0]!.held > 0, 'the dead gave nothing back');
    malote.clock.advance({ seconds: CLAIM_SECONDS });
    routers.whileAsked(() => undefined);
    await inParallel(100, (index) => tally(outcomes, randomGrouping(world, index / 100, random, deps)));
    await malote.db`delete from claims where expires_at <= ${malote.clock.now()}`;
    await assertNoClaims(malote);
    await assertSound(stops);
    await assertNoDeadlocks();
  });

  test('with drivers, operators and the dispatcher at work on the same requests', async () => {
    const random = randomFrom(3);
    const world = await newWorld(120, 40, random);
    const stops = await stopIds();
    const outcomes = new Map<string, number>();
    const log = malote.app.server.log;
    routers.whileAsked(() => sleep(random() * 3));
    const disturb = async (progress: number): Promise<unknown> => {
      const [deliveryId] = some(world.deliveries, 1, progress, random);
      const [scheduledId] = some(world.scheduled, 1, progress, random);
      const kind = Math.floor(random() * 5);
      if (kind === 0) return cancelScheduled(deps, caller, scheduledId!, { evenAwaiting: true });
      if (kind === 1) return cancelDelivery(deps, caller, deliveryId!, 1);
      if (kind === 2) {
        // Due immediately, regardless of a grouping in progress.
        await db`update scheduled set dispatch_at = ${malote.clock.now()} where central_id = 1 and id = ${scheduledId}`;
        return dispatchReady({ ...deps, log });
      }
      const open = await db<{ id: number }>`
        select id from stops where central_id = 1 and delivery_id = ${deliveryId} and concluded_at is null limit 1`;
      if (open[0]) return concludeStop(deps, caller, deliveryId!, open[0].id, NO_PROOF);
      return finishDelivery(deps, caller, deliveryId!);
    };
    await inParallel(900, (index) =>
      tally(
        outcomes,
        index % 3 === 0 ? disturb(index / 900) : randomGrouping(world, index / 900, random, deps),
      ),
    );
    routers.restore();
    assert.ok((outcomes.get('done') ?? 0) > 100, `${[...outcomes]}`);
    const dispatched = await malote.db<{ id: number }>`
      select s.id from stops s join deliveries d on d.central_id = s.central_id and d.id = s.ordered_with
      where d.scheduled_id is not null`;
    assert.ok(dispatched.length > 0, 'some were dispatched on the way');
    await assertSound(stops);
    await assertNoClaims(malote);
    await assertNoDeadlocks();
  });
});

test('a request cancelled while its grouper is grouped waits for that, and leaves the new grouper', async () => {
  const ids = [];
  for (const place of [0, 1, 2]) ids.push(await schedule(malote.manager, at(place)));
  const [grouped, first, last] = ids as [number, number, number];
  await groupScheduled(deps, caller, { grouperId: first, scheduledIds: [grouped] });

  // Delays the save of the second grouping after it has locked the first grouper.
  const holdUp = await malote.db.pool.connect();
  await holdUp.query('begin');
  await holdUp.query('select 1 from scheduled where central_id = 1 and id = $1 for update', [last]);
  const grouping = groupScheduled(deps, caller, { grouperId: last, scheduledIds: [first] });
  await waitUntil('the grouping waits', async () => (await countLockWaits(malote.db)) === 1);
  const cancelling = cancelScheduled(deps, caller, grouped, { evenAwaiting: false });
  await waitUntil('the cancellation waits too', async () => (await countLockWaits(malote.db)) === 2);
  await holdUp.query('commit');
  holdUp.release();
  await Promise.all([grouping, cancelling]);

  const rows = await malote.db`
    select id, situation from scheduled where central_id = 1 and id = any(${ids}::bigint[]) order by id`;
  assert.deepEqual(rows, [
    { id: grouped, situation: 'cancelled' },
    { id: first, situation: 'grouped' },
    { id: last, situation: 'awaiting' },
  ]);
  await assertNoDeadlocks();
});

/** The process dies with the first error, so nothing is released afterwards. */
function dyingDb(of: Database, Killed: new () => Error): Db {
  let asides = 0;
  return of.with({
    beginIndependent: (work) => {
      asides += 1;
      if (asides > 1) return Promise.reject(new Killed());
      return of.beginIndependent(work);
    },
  });
}
