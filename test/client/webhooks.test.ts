import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Malote, verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver } from '../support/webhookReceiver.ts';

// Receivers compare a message's time with the machine's clock, so this test's clock starts there.
const malote = await startMalote({
  allowPrivateWebhooks: true,
  clock: testClock(Temporal.Now.instant().toString()),
});
const sending = startWebhooks(malote.app.deps, {
  formatEvent,
  allowPrivate: true,
  onError: (error) => assert.fail(String(error)),
});
after(() => sending.stop());
const manager = new Malote({ url: malote.url, apiKey: 'demo-chave', user: 'gerente', password: 'demo' });

test('a webhook is registered, tried, heard, verified and removed with the client alone', async (t) => {
  const receiver = await startReceiver(t);
  const { id, segredo: secret } = await manager.criarWebhook({
    url: receiver.url,
    tipos: ['entrega.status'],
  });
  assert.ok(secret, 'a first answer shows the secret');
  await manager.testarWebhook(id);
  await waitUntil('the test has arrived', () => receiver.arrivals.length === 1);
  const { id_mch } = await manager.criarEntrega(order() as Parameters<Malote['criarEntrega']>[0]);
  await waitUntil('the event has arrived', () => receiver.arrivals.length === 2);

  const events = await Promise.all(
    receiver.arrivals.map(({ headers, text }) => verifyWebhook({ headers, body: text, secret: secret! })),
  );
  const [trial, status] = events;
  assert.equal(trial?.type, 'webhook.teste');
  assert.ok(status?.type === 'entrega.status');
  assert.equal(status.data.id, id_mch);
  assert.equal(status.data.status, 'D');
  assert.equal(status.id, receiver.arrivals[1]?.headers['webhook-id']);

  // The receipt of a message is recorded a moment after its arrival.
  const newest = async () => (await manager.listarEnvios(id))[0]!;
  await waitUntil('it counts as received', async () => (await newest()).estado === 'entregue');
  await manager.reenviarEnvio((await newest()).id);
  await waitUntil('it has come again', () => receiver.arrivals.length === 3);
  assert.equal(receiver.arrivals[2]?.id, status.id);
  await manager.excluirWebhook(id);
  assert.deepEqual(await manager.listarWebhooks(), []);
});

const secret = `whsec_${Buffer.from('um segredo de trinta e dois byte').toString('base64')}`;
const other = `whsec_${Buffer.from('um outro segredo de mesmo tamanho').toString('base64')}`;
const body = JSON.stringify({ type: 'webhook.teste', timestamp: 'x', data: {} });
const now = new Date('2026-11-16T15:00:00Z');
const signed = (by = secret, at = now) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(by).sign('msg_1', at, body),
});

test('what the library of Standard Webhooks signs is accepted, whatever form the headers have', async () => {
  const { id } = await verifyWebhook({ headers: signed(), body, secret, now });
  assert.equal(id, 'msg_1');
  assert.equal((await verifyWebhook({ headers: new Headers(signed()), body, secret, now })).id, 'msg_1');
  const shouted = Object.fromEntries(
    Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  assert.equal((await verifyWebhook({ headers: shouted, body, secret, now })).id, 'msg_1');
});

test('while one secret replaces another, either is enough', async () => {
  const byNew = await verifyWebhook({ headers: signed(other), body, secret: [secret, other], now });
  assert.equal(byNew.id, 'msg_1');
  const both = `${signed()['webhook-signature']} ${signed(other)['webhook-signature']}`;
  const headers = { ...signed(), 'webhook-signature': both };
  assert.equal((await verifyWebhook({ headers, body, secret: other, now })).id, 'msg_1');
});

const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
for (const [what, change] of [
  ['another body', { body: body.replace('{}', '{"id":"1"}') }],
  ['another secret', { secret: other }],
  ['a secret that is none', { secret: 'whsec_*' }],
  ['another id', { headers: { ...signed(), 'webhook-id': 'msg_2' } }],
  ['a time that was changed', { headers: { ...signed(), 'webhook-timestamp': '1794668401' } }],
  ['no time', { headers: { ...signed(), 'webhook-timestamp': 'ontem' } }],
  ['no signature', { headers: { ...signed(), 'webhook-signature': undefined } }],
  ['a signature of another version', { headers: { ...signed(), 'webhook-signature': 'v2,AAAA' } }],
  ['a signature that is no base64', { headers: { ...signed(), 'webhook-signature': 'v1,***' } }],
  ['one that is too old', { now: minutes(6) }],
  ['one from the future', { now: minutes(-6) }],
] as const)
  test(`${what} is rejected`, () =>
    assert.rejects(
      verifyWebhook({ headers: signed(), body, secret, now, ...change }),
      WebhookVerificationError,
    ));
