import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { pauseWebhook } from '../support/states.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver, type WebhookReceiver, withStatus } from '../support/webhookReceiver.ts';

// Contract 4.27.
const malote = await startMalote({ allowPrivateWebhooks: true });
const { manager, manager2, central, neighbour, clock } = malote;

let sending: { stop(): Promise<void> };
before(() => {
  sending = startWebhooks(malote.app.deps, {
    formatEvent,
    allowPrivate: true,
    onError: (error) => assert.fail(String(error)),
  });
});
after(() => sending.stop());

async function register(t: TestContext): Promise<{ id: string; receiver: WebhookReceiver }> {
  const receiver = await startReceiver(t);
  const body = { url: receiver.url, tipos: ['entrega.status'] };
  const { id } = assertOk(await manager.post('/webhooks', body)).body.data;
  t.after(async () => void (await manager.delete(`/webhooks/${id}`)));
  return { id, receiver };
}
const statusOf = async (id: string): Promise<Json> =>
  assertOk(await manager.get(`/webhooks/${id}/status`)).body.data;
const open = async () => assertOk(await manager.post('/entregas', order()));

test('GET /webhooks/{id}/status: a new one -> active, and nothing happened yet', async (t) => {
  const { id } = await register(t);
  assert.deepEqual(await statusOf(id), {
    id,
    ativo: true,
    estado: 'ativo',
    falhas: 0,
    falhando_desde: null,
    pausado_em: null,
    proxima_tentativa: null,
    ultimo_sucesso: null,
    ultima_falha: null,
    mensagens_esperando: 0,
    esperando_desde: null,
  });
});

test('a message that was taken -> the last success; the last failure outlives it', async (t) => {
  const { id, receiver } = await register(t);
  await open();
  await waitUntil('the first message was taken', async () => (await statusOf(id)).ultimo_sucesso !== null);
  assert.equal((await statusOf(id)).ultimo_sucesso, '2026-11-16T15:00:00Z');

  receiver.answer = withStatus(503);
  clock.advance({ minutes: 1 });
  await open();
  await waitUntil('an attempt failed', async () => (await statusOf(id)).falhas > 0);
  const failing = await statusOf(id);
  assert.partialDeepStrictEqual(failing, {
    falhas: 1,
    falhando_desde: '2026-11-16T15:01:00Z',
    ultimo_sucesso: '2026-11-16T15:00:00Z',
    ultima_falha: { em: '2026-11-16T15:01:00Z', status_http: 503 },
    mensagens_esperando: 1,
    esperando_desde: '2026-11-16T15:01:00Z',
  });

  receiver.answer = withStatus(204);
  assertOk(await manager.put(`/webhooks/${id}`, { ativo: true }));
  await waitUntil('it was taken', async () => (await statusOf(id)).mensagens_esperando === 0);
  assert.partialDeepStrictEqual(await statusOf(id), {
    estado: 'ativo',
    falhas: 0,
    falhando_desde: null,
    ultimo_sucesso: '2026-11-16T15:01:00Z',
    ultima_falha: { em: '2026-11-16T15:01:00Z', status_http: 503 },
    esperando_desde: null,
  });
});

test('a webhook that was switched off -> inactive', async (t) => {
  const { id } = await register(t);
  assertOk(await manager.put(`/webhooks/${id}`, { ativo: false }));
  assert.partialDeepStrictEqual(await statusOf(id), { ativo: false, estado: 'inativo' });
});

test('a webhook that was paused -> since when, and how many messages wait', async (t) => {
  const { id } = await register(t);
  await pauseWebhook(malote, id, { failures: 9, since: clock.now() });
  await open();
  await open();
  const status = await statusOf(id);
  assert.partialDeepStrictEqual(status, {
    ativo: true,
    estado: 'pausado',
    falhas: 9,
    mensagens_esperando: 2,
  });
  assert.notEqual(status.pausado_em, null);
  assert.equal(status.proxima_tentativa, null);
});

test('GET /webhooks/{id}/status: another company, another central, or none -> 404', async (t) => {
  const { id } = await register(t);
  assertOk(await central.get(`/webhooks/${id}/status`));
  for (const login of [manager2, neighbour])
    assertRefused(await login.get(`/webhooks/${id}/status`), 404, /webhook não encontrado/);
  assertOk(await manager.delete(`/webhooks/${id}`));
  assertRefused(await manager.get(`/webhooks/${id}/status`), 404, /webhook não encontrado/);
});
