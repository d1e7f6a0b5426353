import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../../support/client.ts';
import { startService } from '../../support/maloteProcess.ts';
import { order } from '../../support/orders.ts';
import { startedFolder } from '../../support/startedFolder.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { startReceiver } from '../../support/webhookReceiver.ts';

test('a service that was just started sends its webhooks, in the demonstration to this machine too', async (t) => {
  const service = await startService({
    MALOTE_DATA: await startedFolder(),
    MALOTE_DEMO: 'empty',
    MALOTE_COURIERS: 'off',
  });
  const receiver = await startReceiver(t);
  const manager = client(`${service.url}/api/v2/integracao`, {
    key: 'demo-chave',
    user: 'gerente',
    password: 'demo',
  });
  const types = ['entrega.status'];
  const { id } = assertOk(await manager.post('/webhooks', { url: receiver.url, tipos: types })).body.data;
  const delivery = assertOk(await manager.post('/entregas', order())).body.data;
  await waitUntil('it arrives', () => receiver.arrivals.length > 0);
  assert.equal(receiver.arrivals[0]?.body.data.id, delivery.id_mch);
  await waitUntil('it is logged', async () => {
    const [sending] = assertOk(await manager.get(`/webhooks/${id}/envios`)).body.data.slice(-1);
    return sending.estado === 'entregue';
  });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /^malote_webhook_attempts_total\{result="received"\} [1-9]/m);
  assert.match(metrics, /^malote_live_listeners 0$/m);
});
