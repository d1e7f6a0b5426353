import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { RETRY_POLICY } from '../../server/src/events/webhooks/retryPolicy.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { encryptStoredSecrets } from '../../server/src/events/webhooks/webhookSecrets.ts';
import { type SecretBox, secretBox } from '../../server/src/platform/kernel/secretBox.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { type Arrival, startReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';

const key = randomBytes(32);
const secrets = secretBox([key]);
// The library compares a message's time with the machine's clock, so this test's clock starts there.
const clock = testClock(Temporal.Now.instant().toString());
const malote = await startMalote({ allowPrivateWebhooks: true, clock, secrets });
const { central, db } = malote;

interface StoredRow {
  secret: string;
  previous_secret: string | null;
}

async function register(t: TestContext) {
  const receiver = await startReceiver(t);
  const { id, segredo } = assertOk(
    await central.post('/webhooks', { url: receiver.url, tipos: ['credito.lancado'] }),
  ).body.data;
  t.after(async () => void (await central.delete(`/webhooks/${id}`)));
  return {
    id: id as string,
    secret: segredo as string,
    receiver,
    stored: async (): Promise<StoredRow> => {
      const [row] = await db<StoredRow>`
        select secret, previous_secret from webhooks where central_id = 1 and id = ${id}::bigint`;
      return row!;
    },
    rotate: async () => assertOk(await central.post(`/webhooks/${id}/segredo`)).body.data,
    tryOut: async () => void assertOk(await central.post(`/webhooks/${id}/teste`)),
    messages: async () => assertOk(await central.get(`/webhooks/${id}/envios`)).body.data,
  };
}

/** A process that sends, with its own keys. */
function send(t: TestContext, box: SecretBox) {
  const unreadable: string[] = [];
  const sending = startWebhooks(
    { ...malote.app.deps, secrets: box },
    {
      formatEvent,
      allowPrivate: true,
      retryPolicy: { ...RETRY_POLICY, poll: 0.05 },
      onError: (error) => assert.fail(String(error)),
      onUnreadableSecret: ({ centralId, webhookId }) => unreadable.push(`${centralId}/${webhookId}`),
    },
  );
  t.after(() => sending.stop());
  return { unreadable, stop: () => sending.stop() };
}

const arrived = async ({ arrivals }: WebhookReceiver, count = 1): Promise<Arrival> => {
  await waitUntil(`${count} messages have arrived`, () => arrivals.length >= count);
  return arrivals[count - 1]!;
};

const isSignedWith = (secret: string, { text, headers }: Arrival): boolean => {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
};

test('the database holds a secret encrypted only, and messages are signed with it', async (t) => {
  const webhook = await register(t);
  assert.match((await webhook.stored()).secret, /^v1:/);
  assert.ok(!JSON.stringify(await webhook.stored()).includes(webhook.secret.slice(6)));
  await webhook.tryOut();
  send(t, secrets);
  assert.ok(isSignedWith(webhook.secret, await arrived(webhook.receiver)));
});

test('after a rotation both secrets are encrypted, and both sign', async (t) => {
  const webhook = await register(t);
  const { segredo } = await webhook.rotate();
  const { secret, previous_secret } = await webhook.stored();
  for (const value of [secret, previous_secret]) assert.match(String(value), /^v1:/);
  await webhook.tryOut();
  send(t, secrets);
  const arrival = await arrived(webhook.receiver);
  assert.ok(isSignedWith(segredo, arrival));
  assert.ok(isSignedWith(webhook.secret, arrival));
});

test('a rotation encrypts a previous secret that was stored plainly', async (t) => {
  const webhook = await register(t);
  await db`update webhooks set secret = ${webhook.secret} where central_id = 1 and id = ${webhook.id}::bigint`;
  await webhook.rotate();
  assert.match(String((await webhook.stored()).previous_secret), /^v1:/);
});

test('plain secrets and those of an older key are encrypted with the current key, and sign as before', async (t) => {
  const [plain, older] = [await register(t), await register(t)];
  await older.rotate();
  await db`update webhooks set secret = ${plain.secret} where central_id = 1 and id = ${plain.id}::bigint`;
  const renewed = secretBox([randomBytes(32), key]);
  assert.ok((await encryptStoredSecrets({ db, clock, secrets: renewed })) >= 2);
  for (const webhook of [plain, older]) {
    const { secret, previous_secret } = await webhook.stored();
    for (const value of [secret, previous_secret ?? secret])
      assert.ok(value.startsWith(renewed.currentPrefix));
  }
  assert.equal(await encryptStoredSecrets({ db, clock, secrets: renewed }), 0, 'once');
  await plain.tryOut();
  await older.tryOut();
  send(t, renewed);
  assert.ok(isSignedWith(plain.secret, await arrived(plain.receiver)));
  assert.ok(isSignedWith(older.secret, await arrived(older.receiver)), 'the previous secret signs too');
});

test('a secret that was copied from another webhook signs nothing', async (t) => {
  const [webhook, other] = [await register(t), await register(t)];
  await db`
    update webhooks set secret = ${(await other.stored()).secret}
    where central_id = 1 and id = ${webhook.id}::bigint`;
  await webhook.tryOut();
  await other.tryOut();
  const { unreadable } = send(t, secrets);
  await arrived(other.receiver);
  await waitUntil('it is reported', () => unreadable.includes(`1/${webhook.id}`));
  assert.deepEqual(webhook.receiver.arrivals, []);
});

test('without the key messages wait, it is logged once, and a new secret sends them', async (t) => {
  const webhook = await register(t);
  for (let count = 0; count < 4; count += 1) await webhook.tryOut();
  const { unreadable, stop } = send(t, secretBox([randomBytes(32)]));
  const read = async () => assertOk(await central.get(`/webhooks/${webhook.id}`)).body.data;
  let rounds = 0;
  for (let before = await read(); before.estado !== 'pausado'; before = await read()) {
    assert.ok(rounds < 50, 'it is never paused');
    rounds += 1;
    clock.advance({ hours: 3 });
    await waitUntil('it was tried again', async () => (await read()).falhas > before.falhas);
  }
  await stop();
  assert.deepEqual(unreadable, [`1/${webhook.id}`]);
  const waiting = await webhook.messages();
  assert.deepEqual([...new Set(waiting.map(({ estado }: { estado: string }) => estado))], ['esperando']);
  assert.equal(waiting.length, 4);
  assert.equal(webhook.receiver.arrivals.length, 0);

  // The situation of a service that has lost its key: the secret that it cannot read ends at once.
  const lost = secretBox([randomBytes(32)]);
  await db`
    update webhooks set secret = ${lost.seal(webhook.secret, `webhook 1/${webhook.id}`)}
    where central_id = 1 and id = ${webhook.id}::bigint`;
  const { segredo, segredo_anterior_ate } = await webhook.rotate();
  assert.ok(Temporal.Instant.compare(segredo_anterior_ate, clock.now()) <= 0);
  assert.equal((await webhook.stored()).previous_secret, null);
  send(t, secrets);
  const arrival = await arrived(webhook.receiver, 4);
  // Signed at this test's clock, which the library would reject as too far ahead.
  const signedAt = new Date(Number(arrival.headers['webhook-timestamp']) * 1000);
  assert.equal(
    arrival.headers['webhook-signature'],
    new Webhook(segredo).sign(arrival.id, signedAt, arrival.text),
  );
});
