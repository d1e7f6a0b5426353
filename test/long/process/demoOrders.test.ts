import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../support/client.ts';
import { dataFolder, type Service, startService } from '../../support/maloteProcess.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const folder = await dataFolder();
const MINUTES_MS = 240_000;

const operator = (service: Service) =>
  client(`${service.url}/api/v2/integracao`, { key: 'demo-chave', user: 'central', password: 'demo' });

/** The newest deliveries: id and letter. */
async function deliveries(service: Service): Promise<{ id: number; status: string }[]> {
  // Far below a login's limit of requests per minute.
  await sleep(500);
  const { body } = await operator(service).post('/entregas/consultar');
  return body.data.map(({ id, status_solicitacao }: { id: string; status_solicitacao: string }) => ({
    id: Number(id),
    status: status_solicitacao,
  }));
}

const newest = async (service: Service): Promise<number> =>
  Math.max(...(await deliveries(service)).map(({ id }) => id));

/** The deliveries with which the demonstration starts, as documented in the README. */
const FIRST_DELIVERIES = 10;

test('the demonstration orders by itself, its couriers deliver, and a restart continues', async () => {
  const first = await startService({ MALOTE_DATA: folder, MALOTE_DEMO_ORDERS: 'rush' });
  await waitUntil('three orders', async () => (await newest(first)) >= FIRST_DELIVERIES + 3, MINUTES_MS);
  await waitUntil(
    'one of them is delivered',
    async () => (await deliveries(first)).some(({ id, status }) => id > FIRST_DELIVERIES && status === 'F'),
    MINUTES_MS,
  );
  first.signal('SIGTERM');
  assert.equal((await first.ended).code, 0);

  const quiet = await startService({ MALOTE_DATA: folder, MALOTE_DEMO_ORDERS: 'off' });
  const known = await newest(quiet);
  quiet.signal('SIGTERM');
  assert.equal((await quiet.ended).code, 0);

  const again = await startService({ MALOTE_DATA: folder, MALOTE_DEMO_ORDERS: 'rush' });
  await waitUntil('another order', async () => (await newest(again)) > known, MINUTES_MS);
  again.signal('SIGTERM');
  assert.equal((await again.ended).code, 0);
  assert.doesNotMatch(again.stdout(), /could not order/);
});
