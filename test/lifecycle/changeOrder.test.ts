import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ChangeState, readChanges } from '../../server/src/api/integration/lists/changeWalk.ts';
import { readWalk } from '../../server/src/api/integration/lists/walkStore.ts';
import { deliveryAnswer, stopAnswer } from '../../server/src/api/json/deliveryJson.ts';
import { scheduledAnswer, scheduledStop } from '../../server/src/api/json/scheduledJson.ts';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import {
  allDeliveries,
  allScheduled,
  assertCatchesUp,
  DELAY_MS_MAX,
  followDeliveries,
  followScheduled,
  SINCE,
} from '../support/followers.ts';
import { startMalote } from '../support/malote.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, openDelivery } from '../support/steps.ts';
import { eventually } from '../support/waitUntil.ts';

// Changes are told once each, in whichever order their transactions are committed, and on whichever server.
const malote = await startMalote();
const { central, manager, db, clock } = malote;

describe('the order of the commits', () => {
  /** A transaction that changes a delivery, and commits when it is told to. */
  function changeSlowly(id: number) {
    let commit!: () => void;
    const told = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let changed!: () => void;
    const isChanged = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const done = db.begin(async (tx) => {
      await tx.rows`update deliveries set net_cents = net_cents - 1 where central_id = 1 and id = ${id}`;
      changed();
      await told;
    });
    return {
      isChanged,
      async commit() {
        commit();
        await done;
      },
    };
  }

  test('what began first and is committed last is told', async () => {
    const [first, second, third] = [
      await openDelivery(malote),
      await openDelivery(malote),
      await openDelivery(malote),
    ];
    const early = followDeliveries(central);
    await assertCatchesUp(early, () => allDeliveries(central));
    const slow = changeSlowly(first.id);
    await slow.isChanged;
    const quick = changeSlowly(second.id);
    await quick.isChanged;
    await quick.commit();
    // Follower and newcomer read while the first change is not committed.
    const newcomer = followDeliveries(central);
    for (let count = 0; count < 3; count += 1) {
      await Promise.all([early.poll(), newcomer.poll()]);
      const later = changeSlowly(third.id);
      await later.isChanged;
      await later.commit();
    }
    await slow.commit();
    await assertCatchesUp(early, () => allDeliveries(central));
    await assertCatchesUp(newcomer, () => allDeliveries(central));
  });

  test('a change is told once', async () => {
    const { id } = await openDelivery(malote);
    const own = followDeliveries(central);
    await assertCatchesUp(own, () => allDeliveries(central));
    await eventually(async () => assert.deepEqual(await own.poll(), []), DELAY_MS_MAX);
    for (let count = 0; count < 3; count += 1) {
      const { isChanged, commit } = changeSlowly(id);
      await isChanged;
      await commit();
      const told: string[] = [];
      await eventually(async () => {
        told.push(...(await own.poll()));
        assert.deepEqual(told, [String(id)]);
      }, DELAY_MS_MAX);
      await own.poll();
      assert.deepEqual(await own.poll(), []);
    }
  });

  test('a transaction of another database delays and loses nothing', async () => {
    const other = openDatabase({
      connection: { ...malote.connection, database: 'postgres' },
      poolSize: 1,
      onError: () => undefined,
    });
    let finish = () => {};
    try {
      const own = followDeliveries(central);
      await assertCatchesUp(own, () => allDeliveries(central));
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let begun!: () => void;
      const isBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const long = other.begin(async (tx) => {
        await tx.rows`select pg_current_xact_id()::text`;
        begun();
        await over;
      });
      await isBegun;
      const { id } = await openDelivery(malote);
      assert.deepEqual(await own.poll(), []);
      const newcomer = followDeliveries(central);
      await newcomer.poll();
      assert.ok(!newcomer.copy.has(String(id)));
      finish();
      await long;
      await assertCatchesUp(own, () => allDeliveries(central));
      await assertCatchesUp(newcomer, () => allDeliveries(central));
    } finally {
      finish();
      await other.close();
    }
  });
});

describe('another server', () => {
  /** As after a restored backup or a move: the numbers are those of a server that has counted further, or less far. */
  async function renumber(by: number): Promise<void> {
    await db.begin(async (tx) => {
      await tx.rows`select set_config('session_replication_role', 'replica', true)`;
      await tx.rows`update deliveries set changed_in = changed_in + ${by} where central_id = 1`;
    });
  }

  test('rows with numbers that this server has not reached are in a new copy', async () => {
    await openDelivery(malote);
    await renumber(1_000_000_000);
    try {
      await assertCatchesUp(followDeliveries(central), () => allDeliveries(central));
      const { id } = await openDelivery(malote);
      const own = followDeliveries(manager);
      await assertCatchesUp(own, () => allDeliveries(manager));
      assert.ok(own.copy.has(String(id)));
    } finally {
      await db`update deliveries set changed_in = 0 where central_id = 1 and changed_in > 1000000000`;
    }
  });
});

test('after a move to another server the walk goes back an hour and goes on', async () => {
  const { id } = await openDelivery(malote);
  const since = Temporal.Instant.from(SINCE);
  const at = Temporal.Now.instant().toString();
  const state = { part: 'follow', server: 'another', at, from: 1, after: null } as const;
  const read = (given: ChangeState | null, limit = 100) =>
    readChanges(db, 1, { since, state: given }, (order, after) =>
      readWalk(db, 'deliveries', { centralId: 1, companyId: null }, {}, order, { after, limit }),
    );
  await eventually(async () => assert.ok((await read(state)).ids.includes(id)), DELAY_MS_MAX);
  await db.begin(async (tx) => {
    await tx.rows`select set_config('session_replication_role', 'replica', true)`;
    await tx.rows`
      update deliveries set changed_at = ${Temporal.Now.instant().subtract({ hours: 2 })} where central_id = 1 and id = ${id}`;
  });
  const moved = await read(state);
  assert.ok(!moved.ids.includes(id) && moved.ids.length > 0);
  assert.ok((await read(null)).ids.includes(id));
  // A number that this server has not reached, as after an older copy of its files came back.
  const { server } = moved.state;
  const ahead = await read({ ...state, server, from: 2 ** 50 });
  assert.deepEqual(ahead.ids, moved.ids);
  const part = await read(state, 1);
  assert.deepEqual([part.ids, part.hasMore, part.state.part], [moved.ids.slice(0, 1), true, 'copy']);
});

test('a grouped one shows the delivery of its grouper, so the dispatch of the grouper changes it', async () => {
  const [grouper, grouped] = [await schedule(manager), await schedule(manager)];
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [grouped] }),
  );
  const own = followScheduled(central);
  await assertCatchesUp(own, () => allScheduled(central));
  await db`update scheduled set dispatch_at = ${clock.now()} where central_id = 1 and id = ${grouper}`;
  await dispatchDue({ ...malote.app.deps, log: { error: () => undefined } });
  await assertCatchesUp(own, () => allScheduled(central));
  assert.notEqual(own.copy.get(String(grouped)).id_mch, null);
});

test('an operator who moves a stop or a pickup changes the delivery', async () => {
  const { id, stopIds } = await openDelivery(malote);
  const own = followDeliveries(central);
  await assertCatchesUp(own, () => allDeliveries(central));
  await db`update stops set lat = lat + 0.001 where central_id = 1 and id = ${stopIds[0]!}`;
  await assertCatchesUp(own, () => allDeliveries(central));
  await db`update stops set concluded_at = now() where central_id = 1 and id = ${stopIds[0]!}`;
  await eventually(async () => assert.deepEqual(await own.poll(), []), DELAY_MS_MAX);
  await db`update deliveries set pickup_lat = pickup_lat + 0.001 where central_id = 1 and id = ${id}`;
  await assertCatchesUp(own, () => allDeliveries(central));
});

// A column that is shown and not watched would change without being told.
const WATCHED = [
  { trigger: 'deliveries_changed', alias: 'd', shown: deliveryAnswer.columns },
  { trigger: 'stops_changed', alias: 's', shown: stopAnswer.sql },
  { trigger: 'scheduled_changed', alias: 's', shown: scheduledAnswer.columns },
  { trigger: 'scheduled_stops_changed', alias: 'p', shown: scheduledStop.sql },
];
for (const { trigger, alias, shown } of WATCHED)
  test(`${trigger} watches every column that is shown`, async () => {
    const [row] = await db<{ definition: string }>`
      select f.prosrc as definition from pg_trigger t join pg_proc f on f.oid = t.tgfoid
      where t.tgname = ${trigger} and not t.tgisinternal limit 1`;
    const columns = new Set(
      [...shown.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))].map(([, name]) => name!),
    );
    for (const column of columns)
      if (column !== 'id' && column !== 'central_id')
        assert.match(row!.definition, new RegExp(`\\bnew\\."?${column}\\b`, 'i'), column);
    assert.ok(columns.size > 5);
  });
