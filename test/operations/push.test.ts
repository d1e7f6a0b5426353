import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { formatPush } from '../../server/src/api/json/pushJson.ts';
import { pushSender } from '../../server/src/events/push/sendPushes.ts';
import { secretBox } from '../../server/src/platform/kernel/secretBox.ts';
import { newDevice, type TestDevice } from '../support/device.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { browserKeys } from '../support/push.ts';
import { assertOk, assertRefused, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver, type WebhookReceiver, withStatus } from '../support/webhookReceiver.ts';

const secrets = secretBox([randomBytes(32)]);
const malote = await startMalote({ allowPrivateWebhooks: true, secrets });
const { operator, db, clock } = malote;
const publicUrl = 'https://entregas.example.com';
const onError = (error: unknown) => assert.fail(String(error));
const newSender = (allowPrivate = true) =>
  pushSender({ db, clock, secrets }, { formatPush, allowPrivate, publicUrl, onError });
async function send(allowPrivate = true): Promise<number> {
  const sender = newSender(allowPrivate);
  while (await sender.round());
  return sender.idle();
}

/** The contact for the push service, from the signed token. */
const contactIn = (authorization: string): string =>
  JSON.parse(Buffer.from(authorization.split('.')[1]!, 'base64url').toString()).sub;

const pathOf = (driverId: number) => `/condutores/${driverId}/aparelhos/push`;

async function subscribe(t: TestContext): Promise<TestDevice & { service: WebhookReceiver }> {
  const service = await startReceiver(t);
  const device = await newDevice(malote);
  const key = await fetch(`${malote.url}/entregador/push`, { headers: { cookie: device.cookie } });
  assert.equal(key.status, 200);
  assertOk(await device.phone.post(pathOf(device.driverId), { endpoint: service.url, keys: browserKeys() }));
  return { ...device, service };
}
const subscriptions = async ({ driverId }: TestDevice) =>
  (await db`select 1 from push_subscriptions where central_id = 1 and driver_id = ${driverId}`).length;

test('the public key of a central is made once, and its private key is kept encrypted', async () => {
  const { cookie } = await newDevice(malote);
  const keyOf = async () => {
    const answer = await fetch(`${malote.url}/entregador/push`, { headers: { cookie } });
    return ((await answer.json()) as { data: { chave_publica: string } }).data.chave_publica;
  };
  const keys = new Set(await Promise.all([keyOf(), keyOf(), keyOf()]));
  assert.equal(keys.size, 1);
  assert.equal(Buffer.from([...keys][0]!, 'base64url').length, 65);
  const [row] = await db<{ kept: string }>`select private_key as kept from push_keys where central_id = 1`;
  assert.match(row!.kept, /^v1:/);
  assert.equal((await fetch(`${malote.url}/entregador/push`)).status, 401);
});

test('an offer and a cancellation wake the phone, encrypted and signed; other drivers’ do not', async (t) => {
  const { driverId, service } = await subscribe(t);
  const other = await subscribe(t);
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  assert.equal(await send(), 1);
  const [offer] = service.arrivals;
  assert.equal(offer!.headers['content-encoding'], 'aes128gcm');
  assert.match(offer!.headers.authorization!, /^vapid t=[\w.-]+, k=[\w-]+$/);
  assert.equal(contactIn(offer!.headers.authorization!), 'https://entregas.example.com');
  assert.equal(offer!.headers.ttl, '60');
  assert.ok(!offer!.text.includes('oferta'));
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  assert.equal(await send(), 0);
  assertOk(await malote.manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  assert.equal(await send(), 1);
  assert.equal(service.arrivals.length, 2);
  assert.equal(other.service.arrivals.length, 0);
  assert.equal(await send(), 0);
});

test('nothing is sent of what was rolled back, and a late message is not sent', async (t) => {
  const { driverId, service } = await subscribe(t);
  const delivery = await openDelivery(malote);
  assert.equal(
    (await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: 77_777_777 })).status,
    404,
  );
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  clock.advance({ seconds: 61 });
  assert.equal(await send(), 0);
  assert.equal(service.arrivals.length, 0);
});

test('a subscription that its service does not know any more is removed; other failures keep it', async (t) => {
  for (const [status, left] of [
    [410, 0],
    [404, 0],
    [500, 1],
  ] as const) {
    const device = await subscribe(t);
    device.service.answer = withStatus(status);
    const delivery = await openDelivery(malote);
    assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: device.driverId }));
    assert.equal(await send(), 0);
    assert.equal(await subscriptions(device), left, String(status));
  }
});

test('keys of the right length that encrypt nothing are refused, and one kept before holds up nobody', async (t) => {
  const broken = await subscribe(t);
  const keys = { ...browserKeys(), p256dh: 'B'.repeat(87) };
  const body = { endpoint: broken.service.url, keys };
  assert.equal((await broken.phone.post(pathOf(broken.driverId), body)).status, 400);
  await db`
    update push_subscriptions set p256dh = ${keys.p256dh}
    where central_id = 1 and driver_id = ${broken.driverId}`;
  const other = await subscribe(t);
  for (const { driverId } of [broken, other]) {
    const { id } = await openDelivery(malote);
    assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }));
  }
  assert.equal(await send(), 1);
  assert.equal(other.service.arrivals.length, 1);
  assert.equal(await subscriptions(broken), 0);
});

/** Holds back all answers until the returned function is called. */
function holdBack(service: WebhookReceiver): () => void {
  const waiting: (() => void)[] = [];
  service.answer = (_arrival, response) => waiting.push(() => response.writeHead(201).end());
  return () => {
    for (const answer of waiting) answer();
  };
}

const offer = async ({ driverId }: TestDevice): Promise<void> => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }));
};

test('a phone whose service does not answer delays neither other phones nor the next round', async (t) => {
  const [silent, other] = [await subscribe(t), await subscribe(t)];
  const letAnswer = holdBack(silent.service);
  const sender = newSender();
  await offer(silent);
  assert.equal(await sender.round(), false);
  await waitUntil('the silent one was called', () => silent.service.arrivals.length === 1);
  await offer(other);
  assert.equal(await sender.round(), false);
  await waitUntil('the other one was called', () => other.service.arrivals.length === 1);
  letAnswer();
  assert.equal(await sender.idle(), 2);
});

test('a phone whose service does not answer is called twice at most meanwhile', async (t) => {
  const silent = await subscribe(t);
  const letAnswer = holdBack(silent.service);
  const sender = newSender();
  for (let count = 0; count < 4; count += 1) {
    await offer(silent);
    await sender.round();
  }
  await waitUntil('it was called', () => silent.service.arrivals.length === 2);
  letAnswer();
  assert.equal(await sender.idle(), 2);
  assert.equal(await send(), 0);
  assert.equal(silent.service.arrivals.length, 2);
});

test('no message is sent into our own network', async (t) => {
  const device = await subscribe(t);
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: device.driverId }));
  assert.equal(await send(false), 0);
  assert.equal(device.service.arrivals.length, 0);
});

test('an address that is not public https is refused', async () => {
  const strict = await startMalote();
  const { phone, driverId } = await newDevice(strict);
  for (const endpoint of ['http://push.example.com/a', 'https://127.0.0.1/a', 'ftp://x', 'x'])
    assert.equal(
      (await phone.post(pathOf(driverId), { endpoint, keys: browserKeys() })).status,
      400,
      endpoint,
    );
  assertOk(
    await phone.post(pathOf(driverId), { endpoint: 'https://push.example.com/a', keys: browserKeys() }),
  );
});

test('a subscription ends with its phone, or when the phone says so', async (t) => {
  const subscribed = await subscribe(t);
  assertOk(await subscribed.phone.delete(pathOf(subscribed.driverId)));
  assert.equal(await subscriptions(subscribed), 0);
  const other = await subscribe(t);
  const [{ id }] = assertOk(await operator.get(`/condutores/${other.driverId}/aparelhos`)).body.data;
  assertOk(await operator.delete(`/condutores/${other.driverId}/aparelhos/${id}`));
  assert.equal(await subscriptions(other), 0);
});

test('only a driver’s own phone subscribes', async () => {
  const { driverId, phone } = await newDevice(malote);
  const body = { endpoint: 'https://push.example.com/a', keys: browserKeys() };
  assertRefused(await operator.post(pathOf(driverId), body), 422, /aparelho/);
  assertRefused(await phone.post(pathOf(1), body), 404, /entregador não encontrado/);
  assert.equal(
    (await phone.post(pathOf(driverId), { ...body, keys: { p256dh: 'x', auth: 'y' } })).status,
    400,
  );
});

test('a phone that is signed out while it subscribes gets 401, and no subscription', async (t) => {
  const device = await newDevice(malote);
  const service = await startReceiver(t);
  const asked = await db.begin(async (tx) => {
    await tx`
      delete from sessions where central_id = 1 and user_id = (
        select id from users where central_id = 1 and driver_id = ${device.driverId})`;
    const answer = device.phone.post(pathOf(device.driverId), { endpoint: service.url, keys: browserKeys() });
    await waitUntil('it waits', async () => (await countLockWaits(db)) === 1);
    return { answer };
  });
  assertRefused(await asked.answer, 401, /./);
  assert.equal(await subscriptions(device), 0);
});

test('a delivery is cancelled while the phone of its driver is signed out', async (t) => {
  const device = await subscribe(t);
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: device.driverId }));
  const asked = await db.begin(async (tx) => {
    await tx`
      delete from sessions where central_id = 1 and user_id = (
        select id from users where central_id = 1 and driver_id = ${device.driverId})`;
    const answer = malote.manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 });
    await waitUntil('it waits', async () => (await countLockWaits(db)) === 1);
    return { answer };
  });
  assertOk(await asked.answer);
  await send();
  assert.deepEqual(device.service.arrivals, []);
});

test('a phone that another driver uses now is woken for that driver only', async (t) => {
  const [first, second] = [await subscribe(t), await subscribe(t)];
  const body = { endpoint: first.service.url, keys: browserKeys() };
  assertOk(await second.phone.post(pathOf(second.driverId), body));
  assert.deepEqual([await subscriptions(first), await subscriptions(second)], [0, 1]);
  await offer(first);
  assert.equal(await send(), 0);
  await offer(second);
  assert.equal(await send(), 1);
  assert.equal(first.service.arrivals.length, 1);
  assertOk(await second.phone.post(pathOf(second.driverId), body));
  assert.equal(await subscriptions(second), 1, 'the same phone again');
});

test('of several sessions that register one phone at once, one keeps it', async (t) => {
  const service = await startReceiver(t);
  const devices = [];
  for (let count = 0; count < 6; count += 1) devices.push(await newDevice(malote));
  const body = { endpoint: service.url, keys: browserKeys() };
  const registered = (key: string) => ({ 'idempotency-key': key });
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      devices.map(async ({ phone, driverId }, index) =>
        assertOk(await phone.post(pathOf(driverId), body, registered(`${round}-${index}`))),
      ),
    );
    const rows =
      await db`select 1 from push_subscriptions where central_id = 1 and endpoint = ${service.url}`;
    assert.equal(rows.length, 1);
  }
});

test('the same address in another central stays, as each central wakes its own drivers', async (t) => {
  const { driverId, service } = await subscribe(t);
  await db`
    insert into sessions (central_id, sha256, user_id, created_at, expires_at)
    select 2, ${randomBytes(32)}, id, ${clock.now()}, ${clock.now().add({ hours: 1 })}
    from users where central_id = 2 limit 1`;
  await db`
    insert into devices (central_id, id, sha256, label, seen_at)
    select 2, 1, sha256, 'Android', ${clock.now()} from sessions where central_id = 2`;
  await db`
    insert into push_subscriptions (central_id, device_id, driver_id, endpoint, p256dh, auth, created_at)
    values (2, 1, 1, ${service.url}, 'x', 'y', ${clock.now()})`;
  const other = await newDevice(malote);
  assertOk(await other.phone.post(pathOf(other.driverId), { endpoint: service.url, keys: browserKeys() }));
  assert.equal(await subscriptions({ ...other, driverId }), 0);
  assert.equal((await db`select 1 from push_subscriptions where central_id = 2`).length, 1);
});
