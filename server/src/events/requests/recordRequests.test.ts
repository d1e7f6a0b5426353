import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { createCentral } from '../../centrals/createCentral.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import type { NotedRequest } from './apiRequest.ts';
import { forgetRequests } from './forgetRequests.ts';
import { type RequestRecorder, requestRecorder } from './recordRequests.ts';
import { countDropped, DAY_MAX } from './requestStore.ts';

const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 6, onError: () => undefined });
after(() => db.close());
const clock = testClock();
const newCentral = () =>
  createCentral({ db }, { name: `Central ${randomUUID()}`, timeZone: 'America/Sao_Paulo' });

const requestOf = (centralId: number, changes: Partial<NotedRequest> = {}): NotedRequest => ({
  centralId,
  loginCentralId: centralId,
  atMs: clock.milliseconds(),
  userId: 4,
  keyDigest: null,
  companyId: null,
  proof: 'session',
  method: 'GET',
  path: '/api/v2/integracao/entregas/57/status',
  status: 404,
  kind: 'delivery-not-found',
  durationMs: 3,
  requestId: randomUUID(),
  content: {},
  ...changes,
});
/** Offers as many requests, and returns how many of them were noted. */
function offer(recorder: RequestRecorder, request: NotedRequest, count: number): number {
  let noted = 0;
  for (let index = 0; index < count; index += 1)
    if (recorder.admit(request, request.status >= 400)) {
      recorder.note(request);
      noted += 1;
    }
  return noted;
}
const countOf = async (centralId: number): Promise<number> => {
  const row = await db.row<{ count: number }>`
    select count(*) from api_requests where central_id = ${centralId}`;
  return row!.count;
};
const fail = (error: unknown) => assert.fail(String(error));

test('a credential has 30 requests recorded in a minute, and a key without login 6', async (t) => {
  const recorder = requestRecorder({ db, clock }, fail);
  t.after(() => recorder.stop());
  const [centralId, other] = [await newCentral(), await newCentral()];
  assert.equal(offer(recorder, requestOf(centralId), 100), 30);
  assert.equal(offer(recorder, requestOf(centralId, { userId: 5 }), 3), 3);
  assert.equal(offer(recorder, requestOf(other), 1), 1);
  assert.equal(offer(recorder, requestOf(centralId, { userId: null, keyDigest: 'AAAA' }), 100), 6);
  clock.advance({ minutes: 1 });
  assert.equal(offer(recorder, requestOf(centralId), 100), 30);
  await recorder.write();
  assert.deepEqual([await countOf(centralId), await countOf(other)], [69, 1]);
  assert.deepEqual([await countDropped(db, centralId), await countDropped(db, other)], [234, 0]);
  assert.deepEqual(recorder.figures(), { written: 70, dropped: 234, waiting: 0 });
});

test('a sample is smaller, leaves room for refused requests, and none of it is missed', async (t) => {
  const recorder = requestRecorder({ db, clock }, fail);
  t.after(() => recorder.stop());
  const centralId = await newCentral();
  assert.equal(offer(recorder, requestOf(centralId, { status: 200, kind: null }), 100), 10);
  assert.equal(offer(recorder, requestOf(centralId), 30), 30);
  await recorder.write();
  assert.deepEqual([await countOf(centralId), await countDropped(db, centralId)], [40, 0]);
});

test('what waits in memory is bounded for each central, and for all together', async (t) => {
  const recorder = requestRecorder({ db, clock }, fail);
  t.after(() => recorder.stop());
  const centralIds = [
    await newCentral(),
    await newCentral(),
    await newCentral(),
    await newCentral(),
    await newCentral(),
  ];
  const noted = centralIds.map((centralId) => {
    let count = 0;
    for (let userId = 1; userId <= 1_000; userId += 1)
      count += offer(recorder, requestOf(centralId, { userId }), 1);
    return count;
  });
  assert.deepEqual(noted, [500, 500, 500, 500, 0]);
  assert.equal(recorder.figures().waiting, 2_000);
  await recorder.write();
  assert.equal(await countOf(centralIds[0]!), 500);
  assert.equal(await countDropped(db, centralIds[4]!), 1_000);
});

test('a day has a bounded number of rows, counted by all processes together', async (t) => {
  const recorders = [requestRecorder({ db, clock }, fail), requestRecorder({ db, clock }, fail)];
  t.after(() => Promise.all(recorders.map((recorder) => recorder.stop())));
  const centralId = await newCentral();
  const day = clock.now().toZonedDateTimeISO('UTC').toPlainDate().toString();
  await db`
    insert into api_request_days (central_id, day, refused, sampled, dropped)
    values (${centralId}, ${day}, ${DAY_MAX.refused - 25}, ${DAY_MAX.sampled - 2}, 0)`;
  for (const recorder of recorders) assert.equal(offer(recorder, requestOf(centralId), 20), 20);
  await Promise.all(recorders.map((recorder) => recorder.write()));
  assert.deepEqual([await countOf(centralId), await countDropped(db, centralId)], [25, 15]);
  clock.advance({ minutes: 1 });
  offer(recorders[0]!, requestOf(centralId), 4);
  assert.equal(offer(recorders[0]!, requestOf(centralId, { status: 200, kind: null }), 5), 5);
  await recorders[0]!.write();
  assert.deepEqual([await countOf(centralId), await countDropped(db, centralId)], [27, 19]);
  clock.advance({ hours: 24 });
  offer(recorders[0]!, requestOf(centralId), 4);
  await recorders[0]!.write();
  assert.equal(await countOf(centralId), 31);
});

test('a batch that cannot be written is lost and counted, and the next one is written', async (t) => {
  const errors: unknown[] = [];
  let isAway = true;
  let attempts = 0;
  const failing = db.with({
    beginIndependent: (work) => {
      attempts += 1;
      return isAway
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : db.beginIndependent(work);
    },
  });
  const recorder = requestRecorder({ db: failing, clock }, (error) => errors.push(error));
  t.after(() => recorder.stop());
  const [centralId, other] = [await newCentral(), await newCentral()];
  offer(recorder, requestOf(centralId), 5);
  offer(recorder, requestOf(other), 2);
  await assert.rejects(recorder.write(), /away/);
  assert.equal(attempts, 1, 'the other central does not wait for the database too');
  assert.deepEqual(recorder.figures(), { written: 0, dropped: 7, waiting: 0 });
  isAway = false;
  offer(recorder, requestOf(centralId), 1);
  await recorder.write();
  assert.deepEqual([await countOf(centralId), await countDropped(db, centralId)], [1, 5]);
  assert.deepEqual([await countOf(other), await countDropped(db, other)], [0, 2]);
  assert.equal(recorder.figures().dropped, 7);
});

test('while a batch hangs, requests are noted without waiting', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hanging = db.with({
    beginIndependent: async (work) => {
      await promise;
      return db.beginIndependent(work);
    },
  });
  const recorder = requestRecorder({ db: hanging, clock }, fail);
  t.after(() => recorder.stop());
  const centralId = await newCentral();
  offer(recorder, requestOf(centralId), 2);
  const writing = recorder.write();
  assert.equal(offer(recorder, requestOf(centralId), 3), 3);
  assert.equal(recorder.figures().waiting, 3);
  resolve();
  await writing;
  await recorder.write();
  assert.equal(await countOf(centralId), 5);
});

test('a stop writes what was noted', async () => {
  const recorder = requestRecorder({ db, clock }, fail);
  const centralId = await newCentral();
  offer(recorder, requestOf(centralId), 2);
  await recorder.stop();
  assert.equal(await countOf(centralId), 2);
});

test('requests are deleted after the days that their central keeps them, in several steps', async () => {
  const [usual, brief] = [await newCentral(), await newCentral()];
  await db`update centrals set settings = ${{ requestsKeptDays: 2 }} where id = ${brief}`;
  const add = async (centralId: number, count: number) => {
    const ids = await db.newIds(centralId, 'request', count);
    await db`
      insert into api_requests (central_id, id, happened_at, proof, method, path, status, duration_ms, request_id, content)
      select ${centralId}, id, ${clock.now()}, 'key', 'GET', '/', 404, 1, 'an id', '{}' from unnest(${ids}::bigint[]) as ids (id)`;
    await db`
      insert into api_request_days (central_id, day, refused, sampled, dropped)
      values (${centralId}, ${clock.now().toZonedDateTimeISO('UTC').toPlainDate().toString()}, ${count}, 0, 3)
      on conflict do nothing`;
  };
  await forgetRequests({ db, clock });
  await add(usual, 1_200);
  await add(brief, 1_200);
  clock.advance({ hours: 24 * 3 });
  await add(brief, 1);
  const leftBefore: number[] = [];
  const counting = db.with({
    beginIndependent: async (work) => {
      leftBefore.push(await countOf(brief));
      return db.beginIndependent(work);
    },
  });
  assert.equal((await forgetRequests({ db: counting, clock })).requests, 1_200);
  assert.deepEqual([await countOf(usual), await countOf(brief)], [1_200, 1]);
  assert.deepEqual([...new Set(leftBefore)], [1_201, 701, 201]);
  assert.deepEqual([await countDropped(db, usual), await countDropped(db, brief)], [3, 3]);
  clock.advance({ hours: 24 * 5 });
  await forgetRequests({ db, clock });
  assert.deepEqual([await countOf(usual), await countOf(brief)], [0, 0]);
  assert.deepEqual([await countDropped(db, usual), await countDropped(db, brief)], [0, 0]);
});
