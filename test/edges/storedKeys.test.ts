import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { formatPush } from '../../server/src/api/json/pushJson.ts';
import { proofLinks } from '../../server/src/deliveries/proof/proofLinks.ts';
import { encryptSecrets } from '../../server/src/dispatch/rounds/encryptSecrets.ts';
import { publicPushKey } from '../../server/src/events/push/pushKeys.ts';
import { pushSender } from '../../server/src/events/push/sendPushes.ts';
import { type SecretBox, secretBox } from '../../server/src/platform/kernel/secretBox.ts';
import { newDevice, type TestDevice } from '../support/device.ts';
import { jpeg } from '../support/images.ts';
import { startMalote, type TestMalote } from '../support/malote.ts';
import { browserKeys } from '../support/push.ts';
import { assertOk, deliveryIn, openDelivery } from '../support/steps.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';

// The keys that a central has besides the secrets of its webhooks: the key pair that wakes phones, and the key that
// signs links to proof images. Both are encrypted with the key of stored secrets, which may change or be lost.

/** A separate service for each test, with its key. */
async function start() {
  const key = randomBytes(32);
  const secrets = secretBox([key]);
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const malote = await startMalote({ allowPrivateWebhooks: true, secrets, log });
  return { key, secrets, malote, lines };
}

const publicKeyFor = async ({ url }: TestMalote, { cookie }: TestDevice): Promise<string> => {
  const answer = await fetch(`${url}/entregador/push`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { data: { chave_publica: string } }).data.chave_publica;
};

async function subscribe(
  t: TestContext,
  malote: TestMalote,
): Promise<TestDevice & { service: WebhookReceiver }> {
  const [service, device] = [await startReceiver(t), await newDevice(malote)];
  await publicKeyFor(malote, device);
  const body = { endpoint: service.url, keys: browserKeys() };
  assertOk(await device.phone.post(`/condutores/${device.driverId}/aparelhos/push`, body));
  return { ...device, service };
}

async function offer(malote: TestMalote, { driverId }: TestDevice): Promise<void> {
  const { id } = await openDelivery(malote);
  assertOk(await malote.operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }));
}

/** A process that sends, with its own keys. */
function sender({ db, clock }: TestMalote, secrets: SecretBox) {
  const unreadable: number[] = [];
  const sending = pushSender(
    { db, clock, secrets },
    {
      formatPush,
      allowPrivate: true,
      onError: (error) => assert.fail(String(error)),
      onUnreadableKey: (centralId) => unreadable.push(centralId),
    },
  );
  const send = async (): Promise<number> => {
    while (await sending.round());
    return sending.idle();
  };
  return { send, unreadable };
}

/** The token of a link to a photo, as given to a person. */
async function givenLink(malote: TestMalote): Promise<string> {
  const { id, stopIds } = await deliveryIn(malote, 'in_progress');
  const path = `/entregas/${id}/paradas/${stopIds[0]}/comprovantes/foto`;
  const headers = { 'content-type': 'image/jpeg' };
  assertOk(await malote.operator.send(path, { method: 'PUT', body: new Uint8Array(jpeg()), headers }));
  const { url } = assertOk(await malote.operator.get(path)).body.data;
  assert.equal((await fetch(url)).status, 200);
  return /\/comprovantes\/(.+)$/.exec(url)![1]!;
}

const storedKeys = async ({ db }: TestMalote): Promise<string[]> => {
  const rows = await db<{ stored: string }>`
    select private_key as stored from push_keys where central_id = 1
    union all select link_key from proof_link_keys where central_id = 1`;
  return rows.map(({ stored }) => stored);
};

const countSubscriptions = async ({ db }: TestMalote): Promise<number> =>
  (await db`select 1 from push_subscriptions where central_id = 1`).length;

test('after a change of the key phones are woken and given links work with the new key alone', async (t) => {
  const { key, malote } = await start();
  const device = await subscribe(t, malote);
  const publicKey = await publicKeyFor(malote, device);
  const token = await givenLink(malote);
  const newKey = randomBytes(32);
  const { db, clock } = malote;
  const renewing = { db, clock, secrets: secretBox([newKey, key]) };
  assert.deepEqual(await encryptSecrets(renewing), { webhooks: 0, pushKeys: 1, proofLinkKeys: 1 });
  assert.deepEqual(await encryptSecrets(renewing), { webhooks: 0, pushKeys: 0, proofLinkKeys: 0 }, 'once');
  const only = secretBox([newKey]);
  await offer(malote, device);
  const { send, unreadable } = sender(malote, only);
  assert.equal(await send(), 1);
  assert.deepEqual(unreadable, []);
  assert.equal(await publicPushKey({ db, clock, secrets: only }, 1), publicKey);
  assert.ok(await proofLinks({ db, clock, secrets: only }).read(token));
});

test('keys that were stored before there was a key of stored secrets are encrypted', async (t) => {
  const malote = await startMalote({ allowPrivateWebhooks: true });
  const device = await subscribe(t, malote);
  const token = await givenLink(malote);
  for (const stored of await storedKeys(malote)) assert.doesNotMatch(stored, /^v1:/);
  const { db, clock } = malote;
  const secrets = secretBox([randomBytes(32)]);
  assert.deepEqual(await encryptSecrets({ db, clock, secrets }), {
    webhooks: 0,
    pushKeys: 1,
    proofLinkKeys: 1,
  });
  const stored = await storedKeys(malote);
  assert.deepEqual(
    stored.map((text) => text.startsWith(secrets.currentPrefix)),
    [true, true],
  );
  await offer(malote, device);
  assert.equal(await sender(malote, secrets).send(), 1);
  assert.ok(await proofLinks({ db, clock, secrets }).read(token));
});

test('a key that cannot be read is neither changed by the renewal nor used, which is logged once', async (t) => {
  const { malote } = await start();
  const device = await subscribe(t, malote);
  const token = await givenLink(malote);
  const before = await storedKeys(malote);
  const { db, clock } = malote;
  const lost = secretBox([randomBytes(32)]);
  const none = { webhooks: 0, pushKeys: 0, proofLinkKeys: 0 };
  assert.deepEqual(await encryptSecrets({ db, clock, secrets: lost }), none);
  assert.deepEqual(await storedKeys(malote), before);
  const { send, unreadable } = sender(malote, lost);
  for (let count = 0; count < 2; count += 1) {
    await offer(malote, device);
    assert.equal(await send(), 0);
  }
  assert.deepEqual(unreadable, [1]);
  const reported: number[] = [];
  const onUnreadableKey = (centralId: number) => reported.push(centralId);
  const links = proofLinks({ db, clock, secrets: lost }, { onUnreadableKey });
  for (let count = 0; count < 2; count += 1) assert.equal(await links.read(token), undefined);
  await links.signer(1);
  assert.deepEqual(reported, [1]);
});

test('a pair that cannot be read is replaced once by all who ask at once, and its subscriptions end', async (t) => {
  const { malote } = await start();
  const device = await subscribe(t, malote);
  const dead = await publicKeyFor(malote, device);
  const { db, clock } = malote;
  const lost = secretBox([randomBytes(32)]);
  let replaced = 0;
  const ask = () => publicPushKey({ db, clock, secrets: lost }, 1, () => (replaced += 1));
  const given = new Set(await Promise.all(Array.from({ length: 6 }, ask)));
  assert.equal(given.size, 1);
  assert.ok(!given.has(dead));
  assert.equal(replaced, 1);
  assert.equal(await countSubscriptions(malote), 0);

  const body = { endpoint: device.service.url, keys: browserKeys() };
  assertOk(await device.phone.post(`/condutores/${device.driverId}/aparelhos/push`, body));
  assert.deepEqual(new Set([await ask()]), given, 'it stays, and so do new subscriptions');
  await offer(malote, device);
  assert.equal(await sender(malote, lost).send(), 1);
});

test('the log says of which central a key was lost, and nothing of the key', async (t) => {
  const { malote, lines } = await start();
  const device = await subscribe(t, malote);
  const lost = secretBox([randomBytes(32)]);
  // The state in which the service finds them after its key was replaced.
  await malote.db`
    update push_keys set private_key = ${lost.seal('private', 'push 1')} where central_id = 1`;
  await malote.db`
    insert into proof_link_keys (central_id, link_key, created_at)
    values (1, ${lost.seal('link', 'proof links 1')}, ${malote.clock.now()})`;
  const stored = await storedKeys(malote);
  await publicKeyFor(malote, device);
  await publicKeyFor(malote, device);
  await givenLink(malote);
  const WARN = 40;
  const warnings = lines
    .map((line) => JSON.parse(line) as { level: number; centralId?: number; msg: string })
    .filter(({ level }) => level === WARN);
  assert.deepEqual(
    warnings.map(({ centralId, msg }) => [centralId, msg.split(':')[0]]),
    [
      [1, 'the push key of a central could not be decrypted and was replaced'],
      [1, 'the key of links to images of proof cannot be decrypted'],
    ],
  );
  for (const text of [...stored, ...(await storedKeys(malote))])
    assert.ok(!lines.some((line) => line.includes(text)));
});
