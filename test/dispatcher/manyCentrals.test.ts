import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMemory } from '../../server/simulation/couriers/memory.ts';
import { couriersTick } from '../../server/simulation/couriers/moveCouriers.ts';
import type { Settings } from '../../server/src/centrals/central.ts';
import { encryptSecrets } from '../../server/src/dispatch/rounds/encryptSecrets.ts';
import { dispatchDue, startDispatcher } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { pushSender } from '../../server/src/events/push/sendPushes.ts';
import type { Router } from '../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import { secretBox } from '../../server/src/platform/kernel/secretBox.ts';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { distributeOnce, mergeDue, planDue, samplePositions } from '../support/rounds.ts';
import { schedule } from '../support/scheduled.ts';
import { copyCentral, copyDelivery, copyDriver, copyDueScheduled, copyScheduled } from '../support/states.ts';
import { newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { db, clock } = malote;
const deps = {
  ...malote.app.deps,
  log: { error: (details: object) => assert.fail(JSON.stringify(details)) },
  readScript: () => ({}) as never,
  lockedStopReason: '',
  failureNote: '',
};
const secrets = secretBox([Buffer.alloc(32, 7)]);

/** Runs each round of the background work once. */
const ROUNDS: Record<string, () => Promise<unknown>> = {
  dispatch: () => dispatchDue(deps),
  'search for drivers': () => distributeOnce(deps),
  'automatic merge': () => mergeDue(deps),
  'continuous planning': () => planDue(deps),
  'sampling of positions': () => samplePositions(deps),
  pushes: () =>
    pushSender(deps, { formatPush: () => ({}), allowPrivate: false, onError: assert.fail }).round(),
  'simulated couriers': () => couriersTick(deps, newMemory()),
  'clean-up': () => tidyUp(deps),
  'retention of personal data': () => removeExpiredPersonalData(deps),
  'encryption of secrets': () => encryptSecrets({ ...deps, secrets }),
};

async function statementsOfRounds(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, round] of Object.entries(ROUNDS))
    counts[name] = (await countStatements(round)).texts.length;
  return counts;
}

/** Centrals that use every feature and have no pending work. */
const makeIdleCentrals = async (count: number): Promise<number[]> => {
  const settings = { autoMerge: true, planning: 'apply', personalDataMonths: 6 };
  const rows = await db<{ id: number }>`
    insert into centrals (name, time_zone, settings)
    select 'Parada ' || n, 'America/Sao_Paulo', ${settings} from generate_series(1, ${count}::integer) n returning id`;
  const ids = rows.map(({ id }) => id);
  await db`
    insert into webhooks (central_id, id, url, types, secret, created_at)
    select central_id, (central_id - 1) * 10000000 + 1, 'https://erp.example.com/', '{delivery.position}',
      ${secrets.currentPrefix}, ${clock.now()}
    from unnest(${ids}::bigint[]) as idle (central_id)`;
  await db`
    insert into push_keys (central_id, public_key, private_key, created_at)
    select central_id, '', ${secrets.currentPrefix}, ${clock.now()} from unnest(${ids}::bigint[]) as idle (central_id)`;
  await db`
    insert into proof_link_keys (central_id, link_key, created_at)
    select central_id, ${secrets.currentPrefix}, ${clock.now()} from unnest(${ids}::bigint[]) as idle (central_id)`;
  return ids;
};

test('ten thousand centrals without work cost no round a statement more', async () => {
  // The statistics as they are after some time.
  await makeIdleCentrals(1);
  await db`analyze`;
  const before = await statementsOfRounds();
  await db`delete from webhooks where url = 'https://erp.example.com/'`;
  await db`delete from push_keys`;
  await db`delete from proof_link_keys`;
  await db`delete from centrals where name like 'Parada %'`;
  await makeIdleCentrals(10_000);
  await db`analyze`;
  const after = await statementsOfRounds();
  assert.deepEqual(after, before);
  // The tidying up looks once for each kind of record that expires.
  for (const [name, count] of Object.entries(after)) assert.ok(count <= 16, `${name}: ${count} statements`);
});

/** On a distributed database: the place of the central, its ids, the due rows, the results, and the commit. */
const STATEMENTS_OF_DISPATCH = db.isDistributed ? 5 : 1;

test('200 centrals with one due delivery each are dispatched with one statement each', async () => {
  const id = await schedule(malote.manager);
  const { rows } = await db.pool.query<{ id: number }>(
    `insert into centrals (name, time_zone) select 'Pronta ' || n, 'UTC' from generate_series(1, 200) n returning id`,
  );
  const centralIds = rows.map((row) => Number(row.id));
  await copyCentral(db, centralIds);
  await copyDueScheduled(db, id, centralIds);
  clock.set('2026-11-16T17:00:00Z');
  const { result, texts } = await countStatements(() => dispatchDue(deps));
  assert.equal(result, 201);
  const kinds = Map.groupBy(texts, (text) => text.slice(0, 40));
  const summary = [...kinds].map(([text, all]) => `${all.length} × ${text}`).join('\n');
  assert.ok(texts.length <= 201 * STATEMENTS_OF_DISPATCH + 12, `${texts.length} statements:\n${summary}`);
});

test('the search for drivers sends nothing for 200 centrals in which deliveries wait and nobody is free', async () => {
  await openDelivery(malote);
  await distributeOnce(deps);
  const { texts } = await countStatements(() => distributeOnce(deps));
  assert.equal(texts.length, 4, texts.join('\n'));
});

test('500 deliveries that wait and 500 free drivers are matched and offered with few statements', async () => {
  await db`update deliveries set status = 'cancelled', cancelled_at = requested_at
    where status in ('distributing', 'pending', 'offered')`;
  const { id } = await openDelivery(malote);
  await copyDelivery(db, id, 499);
  await db`update deliveries set pickup_lat = pickup_lat + (id % 25) * 0.002, pickup_lng = pickup_lng + (id % 20) * 0.002
    where central_id = 1 and status = 'distributing'`;
  const driver = await newDriver(malote, { lat: -30.0305, lng: -51.2303 });
  await db`insert into driver_categories (central_id, driver_id, category_id)
    select 1, ${driver}, id from categories where central_id = 1`;
  await copyDriver(db, driver, 499);
  const { result, texts } = await countStatements(() => distributeOnce(deps));
  assert.equal(result.offered, 500);
  assert.ok(texts.length <= 110, `${texts.length} statements`);
});

test('a router that hangs for one central keeps no other one from being dispatched with a fresh estimate', async (t) => {
  const id = await schedule(malote.manager, { data: '17/11/2026' });
  const [row] = await db<{ id: number }>`
    insert into centrals (name, time_zone, settings) values ('Rápida', 'UTC', '{}') returning id`;
  await copyCentral(db, [row!.id]);
  await copyDueScheduled(db, id, [row!.id]);
  // More than one batch of estimates, all of them older.
  const [own] = await db<{ dispatch_at: Temporal.Instant }>`
    select dispatch_at from scheduled where central_id = 1 and id = ${id}`;
  await copyScheduled(db, String(id), 12, own!.dispatch_at.subtract({ seconds: 1 }));
  await db`update scheduled set estimate_outdated = true where situation = 'awaiting'`;
  await malote.configureFor(t, { supportText: 'hangs' });
  const hanging = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const hang = () => {
    asked.resolve();
    return hanging.promise;
  };
  const forEstimates = (settings: Settings): Router => {
    const router = estimatorFor(settings);
    if (settings.supportText !== 'hangs') return router;
    return { ...router, matrix: hang, route: hang };
  };
  clock.set('2026-11-17T17:00:00Z');
  const routers = { ...estimatorRouters, forEstimates };
  const log = { error: () => undefined };
  const dispatcher = await startDispatcher({ ...deps, db, routers, log });
  const situationIn = async (centralId: number): Promise<string> => {
    const [scheduled] = await db<{ situation: string }>`
      select situation from scheduled where central_id = ${centralId} and id = ${id}`;
    return scheduled!.situation;
  };
  await asked.promise;
  await waitUntil('the other is dispatched', async () => (await situationIn(row!.id)) === 'dispatched');
  assert.equal(await situationIn(1), 'awaiting');
  hanging.reject(new Error('the end of the test'));
  await dispatcher.stop();
});
