import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { moveProofs } from '../../server/src/deliveries/proof/moveProofs.ts';
import {
  isObjectStoreUnavailable,
  ObjectStoreUnavailable,
  openObjectStore,
} from '../../server/src/deliveries/proof/objectStore.ts';
import { deleteProofImages } from '../../server/src/deliveries/proof/proofStore.ts';
import { jpeg, png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { startObjectStore } from '../support/objectStore.ts';
import { assertOk, deliveryIn, type TestDelivery } from '../support/steps.ts';

const s3 = await startObjectStore((clean) => after(clean));
const malote = await startMalote({ objectStore: s3.config });
const { db, clock } = malote;
const store = openObjectStore(s3.config, { timeoutMs: 3_000, pauseMs: 1 });
const move = () => moveProofs({ db, clock }, store);

const path = ({ id, stopIds }: TestDelivery, kind = 'foto') =>
  `/entregas/${id}/paradas/${stopIds[0]}/comprovantes/${kind}`;
const put = async (delivery: TestDelivery, image: Buffer, kind = 'foto', type = 'image/jpeg') =>
  assertOk(
    await malote.operator.send(path(delivery, kind), {
      method: 'PUT',
      body: new Uint8Array(image),
      headers: { 'content-type': type },
    }),
  );
const urlOf = async (delivery: TestDelivery): Promise<string> =>
  assertOk(await malote.operator.get(path(delivery))).body.data.url;

interface Row {
  content: Buffer | null;
  object_key: string | null;
}
const rowsOf = ({ stopIds }: TestDelivery): Promise<Row[]> =>
  db<Row>`select content, object_key from proof_images where central_id = 1 and stop_id = ${stopIds[0]} order by kind`;
const removals = () => db<{ object_key: string }>`select object_key from proof_removals where central_id = 1`;

beforeEach(() => s3.start());

test('images are moved to the store, read from there by the same links, and removed there too', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  await put(delivery, jpeg({ seed: 'moved' }));
  await put(delivery, png(), 'assinatura', 'image/png');
  const url = await urlOf(delivery);
  const before = Buffer.from(await (await fetch(url)).arrayBuffer());
  assert.deepEqual(await move(), { moved: 2, removed: 0 });
  const [photo] = await rowsOf(delivery);
  assert.equal(photo!.content, null);
  assert.deepEqual(await store.get(photo!.object_key!), before);
  const read = await fetch(url);
  assert.equal(read.headers.get('content-type'), 'image/jpeg');
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), before);
  assert.deepEqual(await removals(), [], 'what an image refers to is not removed');

  await put(delivery, jpeg({ seed: 'instead' }));
  assert.deepEqual(await removals(), [{ object_key: photo!.object_key }]);
  assert.equal((await fetch(url)).status, 404);
  assert.deepEqual(await move(), { moved: 1, removed: 1 });
  assert.equal(await store.get(photo!.object_key!), undefined);
  assert.match(
    Buffer.from(await (await fetch(await urlOf(delivery))).arrayBuffer()).toString('latin1'),
    /instead/,
  );
});

test('a store that does not know the secret key takes and gives nothing', async () => {
  const key = 'a/key';
  await store.put(key, jpeg({ seed: 'ours' }), 'image/jpeg');
  const stranger = openObjectStore({ ...s3.config, secretKey: 'another' }, { timeoutMs: 3_000, pauseMs: 1 });
  await assert.rejects(stranger.put(key, png(), 'image/png'), /answered 403 to PUT/);
  await assert.rejects(stranger.get(key), /answered 403 to GET/);
  await assert.rejects(stranger.remove(key), /answered 403 to DELETE/);
  assert.match((await store.get(key))!.toString('latin1'), /ours/);
});

test('an object that somebody exchanged in the store is not shown as the image', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  await put(delivery, jpeg({ seed: 'taken at the door' }));
  await move();
  const url = await urlOf(delivery);
  assert.equal((await fetch(url)).status, 200);
  const [{ object_key: key } = { object_key: null }] = await rowsOf(delivery);
  await store.put(key!, jpeg({ seed: 'taken elsewhere' }), 'image/jpeg');
  assert.equal((await fetch(url)).status, 404);
});

test('the store is down: uploads and their reading work, and nothing is lost when it is back', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  await put(delivery, jpeg({ seed: 'there' }));
  await move();
  const moved = await urlOf(delivery);
  const waiting = await deliveryIn(malote, 'in_progress');
  await s3.stop();
  await put(waiting, jpeg({ seed: 'waits' }));
  await assert.rejects(move(), isObjectStoreUnavailable);
  await assert.rejects(move(), ObjectStoreUnavailable, 'tried again, as the claim was given back');
  assert.equal((await fetch(await urlOf(waiting))).status, 200, 'it is still in the database');
  const away = await fetch(moved);
  assert.equal(away.status, 503);
  assert.equal(away.headers.get('retry-after'), '5');
  await s3.start();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await move()).moved, 1);
  assert.equal((await rowsOf(waiting))[0]!.content, null);
  assert.equal((await fetch(await urlOf(waiting))).status, 200);
});

test('several processes move at once: each image once, and no object is left that nobody refers to', async () => {
  const deliveries: TestDelivery[] = [];
  for (let index = 0; index < 6; index += 1) {
    const delivery = await deliveryIn(malote, 'in_progress');
    await put(delivery, jpeg({ seed: String(index) }));
    deliveries.push(delivery);
  }
  const results = await Promise.all([move(), move(), move()]);
  assert.equal(
    results.reduce((sum, { moved }) => sum + moved, 0),
    6,
  );
  // An attempt that died after writing its object left the removal of the object to be done.
  clock.advance({ hours: 2 });
  await move();
  assert.deepEqual(await removals(), []);
});

test('an image that is replaced while it is moved stays, and what was written of the old one is removed', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  await put(delivery, jpeg({ seed: 'old' }));
  const slow = {
    ...store,
    async put(...given: Parameters<typeof store.put>) {
      await put(delivery, jpeg({ seed: 'new' }));
      await store.put(...given);
    },
  };
  await moveProofs({ db, clock }, slow);
  const [left] = await removals();
  assert.ok(left, 'the object of the old image is to be removed');
  assert.match(
    Buffer.from(await (await fetch(await urlOf(delivery))).arrayBuffer()).toString('latin1'),
    /new/,
  );
  clock.advance({ hours: 2 });
  assert.deepEqual(await move(), { moved: 1, removed: 1 });
  assert.equal(await store.get(left.object_key), undefined);
});

test('images of failed attempts are moved and removed too, also one that fails while it is moved', async () => {
  await malote.configure({ failureAbsent: 'retry', failureAttemptsMax: 3 });
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const failed = async () =>
    assertOk(
      await malote.operator.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/falhar`, {
        motivo: 'ausente',
      }),
    );
  await put(delivery, jpeg({ seed: 'first visit' }));
  const first = await urlOf(delivery);
  await move();
  const moved = await rowsOf(delivery);
  await failed();
  assert.deepEqual(await rowsOf(delivery), moved, 'an object stays where it is');
  assert.deepEqual(await removals(), []);

  await put(delivery, jpeg({ seed: 'second visit' }));
  const second = await urlOf(delivery);
  const slow = {
    ...store,
    async put(...given: Parameters<typeof store.put>) {
      await failed();
      await store.put(...given);
    },
  };
  assert.equal((await moveProofs({ db, clock }, slow)).moved, 0);
  assert.equal((await fetch(second)).status, 200, 'it is still in the database');
  assert.equal((await move()).moved, 1, 'the claim of the round before does not delay it');
  await put(delivery, jpeg({ seed: 'third visit' }));
  await move();
  const keys = (await rowsOf(delivery)).map(({ object_key }) => object_key!);
  assert.equal(new Set(keys).size, 3);
  for (const [url, seed] of [
    [first, /first/],
    [second, /second/],
  ] as const)
    assert.match(Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1'), seed);
  await deleteProofImages(db, 1, delivery.stopIds);
  clock.advance({ hours: 2 });
  assert.equal((await move()).removed, 4, 'three images, and what was written while the second one failed');
  for (const key of keys) assert.equal(await store.get(key), undefined);
});

/** A store that answers every request with the same status. */
async function startRefusingStore(
  t: TestContext,
  statusOf: (method: string, path: string) => number,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(statusOf(request.method!, request.url!)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an object that the store refuses to remove or to take keeps no other one', async (t) => {
  await move();
  const refused = await deliveryIn(malote, 'in_progress');
  const taken = await deliveryIn(malote, 'in_progress');
  await put(refused, jpeg({ seed: 'refused' }));
  await put(taken, jpeg({ seed: 'taken' }));
  for (const key of ['held/1', 'held/2', 'erased/1', 'erased/2'])
    await db`insert into proof_removals (central_id, object_key, due_at) values (1, ${key}, ${clock.now()})`;
  t.after(() => db`delete from proof_removals where central_id = 1`);
  const endpoint = await startRefusingStore(t, (method, asked) => {
    if (method === 'DELETE') return asked.includes('/held/') ? 403 : 204;
    return asked.includes(`/${refused.stopIds[0]}/`) ? 403 : 200;
  });
  const locked = openObjectStore({ ...s3.config, endpoint }, { pauseMs: 1 });
  await assert.rejects(moveProofs({ db, clock }, locked), isObjectStoreUnavailable);
  const left = (await removals()).map(({ object_key }) => object_key).filter((key) => !key.startsWith('1/'));
  assert.deepEqual(left.sort(), ['held/1', 'held/2']);
  assert.equal((await rowsOf(taken))[0]!.content, null);
  assert.notEqual((await rowsOf(refused))[0]!.content, null);
  assert.equal((await move()).moved, 1, 'and it is tried again');
});

test('a full store, which refuses every image, is still asked to remove what was erased', async (t) => {
  await move();
  const requests: string[] = [];
  const endpoint = await startRefusingStore(t, (method) => {
    requests.push(method);
    return method === 'PUT' ? 507 : 204;
  });
  // The store's circuit breaker opens after five failures in a row and stays open for a while.
  const full = openObjectStore({ ...s3.config, endpoint }, { pauseMs: 50 });
  const delivery = await deliveryIn(malote, 'in_progress');
  await put(delivery, jpeg({ seed: 'no room' }));
  for (let round = 0; round < 6; round += 1)
    await assert.rejects(moveProofs({ db, clock }, full), isObjectStoreUnavailable);
  assert.ok(!requests.includes('DELETE'));
  await db`insert into proof_removals (central_id, object_key, due_at) values (1, '1/erased', ${clock.now()})`;
  await sleep(60);
  await assert.rejects(moveProofs({ db, clock }, full), isObjectStoreUnavailable);
  assert.ok(requests.includes('DELETE'));
  assert.deepEqual(
    (await removals()).filter(({ object_key }) => object_key === '1/erased'),
    [],
  );
  assert.equal((await move()).moved, 1, 'the image waited in the database');
});

test('a store that is down is told from other failures, also where several pieces of work failed', () => {
  const down = new ObjectStoreUnavailable('down');
  assert.ok(isObjectStoreUnavailable(new AggregateError([down, new AggregateError([down, down])])));
  assert.ok(!isObjectStoreUnavailable(new AggregateError([down, new Error('damaged')])));
});

test('an unknown key and a missing bucket are reported as the store being unavailable', async () => {
  const wrong = openObjectStore({ ...s3.config, accessKey: 'WRONG' }, { timeoutMs: 3_000 });
  await assert.rejects(wrong.put('1/1/x', jpeg(), 'image/jpeg'), /answered 403 to PUT/);
  const noBucket = openObjectStore({ ...s3.config, bucket: 'another-bucket' }, { timeoutMs: 3_000 });
  await assert.rejects(noBucket.put('1/1/x', jpeg(), 'image/jpeg'), /no such bucket/);
});

test('retention removes images from the database and from the store, and exports hold them', async () => {
  const { exportPerson } = await import('../../server/src/insight/privacy/person.ts');
  const { removeExpiredPersonalData } = await import('../../server/src/insight/privacy/removeExpired.ts');
  await malote.configure({ personalDataMonths: 1 });
  const delivery = await deliveryIn(malote, 'in_progress');
  const { id, stopIds } = delivery;
  await put(delivery, jpeg({ seed: 'exported' }));
  await put(delivery, png(), 'assinatura', 'image/png');
  assertOk(
    await malote.operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, { recebido_por: 'Maria' }),
  );
  await move();
  const url = await urlOf(delivery);
  const phone = { cpf: null, phone: '51999990000' };
  const exported = await exportPerson({ db, clock, objectStore: store }, 1, phone, 'Tester');
  const images = (exported.proofImages as { stopId: number; content: string }[]).filter(
    (image) => image.stopId === stopIds[0],
  );
  assert.equal(images.length, 2);
  assert.match(Buffer.from(images[0]!.content, 'base64').toString('latin1'), /exported/);
  const keys = (await rowsOf(delivery)).map(({ object_key }) => object_key!);
  clock.advance({ hours: 24 * 40 });
  await removeExpiredPersonalData({ db, clock });
  assert.deepEqual(await rowsOf(delivery), []);
  assert.equal((await fetch(url)).status, 404);
  const shown = assertOk(await malote.operator.get(`/entregas/${id}`)).body.data.paradas[0];
  assert.deepEqual([shown.comprovantes, shown.recebido_por], [[], null]);
  await s3.stop();
  await assert.rejects(move(), isObjectStoreUnavailable);
  await s3.start();
  await new Promise((resolve) => setTimeout(resolve, 20));
  clock.advance({ minutes: 10 });
  assert.ok((await move()).removed >= 2);
  for (const key of keys) assert.equal(await store.get(key), undefined);
});
