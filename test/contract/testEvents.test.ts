import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { basic, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver } from '../support/webhookReceiver.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const { operator, manager, central, neighbour, url } = malote;

let sending: { stop(): Promise<void> };
before(() => {
  sending = startWebhooks(malote.app.deps, {
    formatEvent,
    allowPrivate: true,
    onError: (error) => assert.fail(String(error)),
  });
});
after(() => sending.stop());

const PATH = '/api/v2/integracao/eventos';

const headersOf = (user: string) => ({ 'api-key': 'demo-chave', authorization: basic(user, 'demo') });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const follow = (t: TestContext, user: string) => openEventSource(t, url + PATH, headersOf(user));
const followWith = (t: TestContext, token: string, query = '') =>
  openEventSource(t, `${url}${PATH}${query}`, bearer(token));

async function newProgram(fields: Record<string, unknown>): Promise<{ id: string; token: string }> {
  const body = { descricao: 'Programa', permissoes: ['watch'], ...fields };
  return assertOk(await operator.post('/programas', body)).body.data;
}

const uidOf = (id: string | undefined) => id?.split('.')[1];

test('a test event goes to the streams of the login that asked for it, whatever their types', async (t) => {
  const { token } = await newProgram({ empresa_id: 1, permissoes: ['watch', 'webhooks'] });
  const own = await followWith(t, token, '?tipos=entrega.agrupada');
  const others = [
    await follow(t, 'gerente'),
    await follow(t, 'central'),
    await openEventSource(t, `${url}/api/v2/operacao/eventos`, headersOf('central')),
  ];
  const ask = async (body: object) => {
    const answer = await fetch(`${url}${PATH}/teste`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as Json).data.evento_id;
  };
  const uids = [await ask({ tipo: 'entrega.parada_concluida' }), await ask({})];
  await own.until('both are there', () => own.messages.length === 2);
  assert.deepEqual(
    own.messages.map(({ id }) => uidOf(id)),
    uids,
  );
  assert.deepEqual(
    own.messages.map(({ data }) => [data.type, data.test]),
    [
      ['entrega.parada_concluida', true],
      ['webhook.teste', undefined],
    ],
  );
  assert.equal(own.messages[0]!.data.data.parada.id_externo, 'erp-991');
  const { id } = await openDelivery(malote);
  for (const stream of others) {
    await stream.until('a later event', () =>
      stream.named('message').some(({ data }) => data.data.id === String(id)),
    );
    assert.ok(!stream.messages.some(({ id: each }) => uids.includes(uidOf(each))));
    assert.ok(!stream.messages.some(({ data }) => data.test || data.type === 'webhook.teste'));
  }
});

test('a test event needs the permission for webhooks, and a known type', async () => {
  const { token } = await newProgram({ permissoes: ['watch'] });
  const refused = await fetch(`${url}${PATH}/teste`, { method: 'POST', headers: bearer(token) });
  assert.equal(refused.status, 403);
  const answer = await manager.post('/eventos/teste', { tipo: 'entrega.nada' });
  assert.equal(answer.status, 400);
  assert.match(answer.body.errors[0].message, /^'tipo': deve ser um de: entrega\.status, /);
  assert.equal((await neighbour.post('/eventos/teste')).status, 200);
});

test('a webhook is tested with the example of any type, which nobody else receives', async (t) => {
  const [receiver, other] = [await startReceiver(t), await startReceiver(t)];
  const register = async (address: string) =>
    assertOk(await central.post('/webhooks', { url: address, tipos: ['entrega.status'] })).body.data.id;
  const ids = [await register(receiver.url), await register(other.url)];
  t.after(async () => {
    for (const id of ids) await central.delete(`/webhooks/${id}`);
  });
  const { envio_id } = assertOk(
    await central.post(`/webhooks/${ids[0]}/teste`, { tipo: 'condutor.lancamento' }),
  ).body.data;
  assertOk(await central.post(`/webhooks/${ids[0]}/teste`, { tipo: 'webhook.teste' }));
  await waitUntil('both have come', () => receiver.arrivals.length === 2);
  const [example, plain] = ['condutor.lancamento', 'webhook.teste'].map(
    (type) => receiver.arrivals.find(({ body }) => body.type === type)!.body,
  );
  assert.equal(example.test, true);
  assert.equal(example.data.saldo, '187.40');
  assert.deepEqual(Object.keys(plain), ['type', 'timestamp', 'data']);
  const log = assertOk(await central.get(`/webhooks/${ids[0]}/envios`)).body.data;
  assert.deepEqual(
    log.map(({ id, tipo, entrega_id }: Json) => [id === envio_id, tipo, entrega_id]).toSorted(),
    [
      [false, 'webhook.teste', null],
      [true, 'condutor.lancamento', null],
    ],
  );
  assert.deepEqual(other.arrivals, []);
  const wrong = await central.post(`/webhooks/${ids[0]}/teste`, { tipo: 'condutor' });
  assert.match(wrong.body.errors[0].message, /^'tipo': deve ser um de: /);
});
