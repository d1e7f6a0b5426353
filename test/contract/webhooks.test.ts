import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WEBHOOKS_MAX } from '../../server/src/events/webhooks/webhook.ts';
import type { Answer, Client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { countMessages, endMessages, multiplyMessages, pauseWebhook } from '../support/states.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

// As in production: only https, only public addresses. Nothing is sent here.
const malote = await startMalote();
const { central, manager, manager2, neighbour } = malote;
const body = (changes: Record<string, unknown> = {}) => ({
  url: 'https://erp.example.com/malote',
  tipos: ['entrega.status', 'credito.lancado'],
  ...changes,
});
const register = async (login: Client, changes: Record<string, unknown> = {}): Promise<string> =>
  assertOk(await login.post('/webhooks', body(changes))).body.data.id;

const problems = ({ status, body: { errors } }: Answer): string[] => {
  assert.equal(status, 400);
  return errors.map(({ code, message }: { code: number; message: string }) => {
    assert.equal(code, 2);
    return message;
  });
};
const eventsOf = (webhookId: string) => countMessages(malote, webhookId);
const messageIds = async (webhookId: string): Promise<number[]> =>
  assertOk(await manager.get(`/webhooks/${webhookId}/envios`)).body.data.map((message: { id: string }) =>
    Number(message.id),
  );

test('a webhook is registered, and its secret is shown in that answer only', async () => {
  const { data } = assertOk(await manager.post('/webhooks', body())).body;
  const { segredo, ...shown } = data;
  assert.match(segredo, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(shown, {
    id: data.id,
    empresa_id: '1',
    url: 'https://erp.example.com/malote',
    tipos: ['entrega.status', 'credito.lancado'],
    ativo: true,
    estado: 'ativo',
    falhas: 0,
    falhando_desde: null,
    proxima_tentativa: null,
    pausado_em: null,
    segredo_anterior_ate: null,
    criado_em: '2026-11-16T15:00:00Z',
  });
  assert.match(data.id, /^\d+$/);
  assert.deepEqual(assertOk(await manager.get(`/webhooks/${data.id}`)).body.data, shown);
  const list = assertOk(await manager.get('/webhooks')).body.data;
  assert.deepEqual(list.at(-1), shown);
});

test('the webhook of a central user belongs to no company', async () => {
  const id = await register(central);
  assert.equal(assertOk(await central.get(`/webhooks/${id}`)).body.data.empresa_id, null);
});

test('a company sees its own webhooks only, and a central all of its own', async () => {
  const [own, other, whole] = [await register(manager), await register(manager2), await register(central)];
  const ids = async (login: Client): Promise<string[]> =>
    assertOk(await login.get('/webhooks?limite=100')).body.data.map((row: { id: string }) => row.id);
  const seen = await ids(manager);
  assert.ok(seen.includes(own) && !seen.includes(other) && !seen.includes(whole));
  const all = await ids(central);
  assert.ok([own, other, whole].every((id) => all.includes(id)));
  assert.deepEqual(await ids(neighbour), []);
});

test('a webhook that a login may not see gets the same 404 as a missing one, for every request', async () => {
  const id = await register(manager);
  await malote.manager.post('/entregas', order());
  const [messageId] = await messageIds(id);
  const range = { de: '2026-11-16T00:00:00Z', ate: '2026-11-17T00:00:00Z' };
  const asked: [what: string, ask: (login: Client, webhook: string, envio: number) => Promise<Answer>][] = [
    ['webhook', (login, webhook) => login.get(`/webhooks/${webhook}`)],
    ['webhook', (login, webhook) => login.put(`/webhooks/${webhook}`, { ativo: false })],
    ['webhook', (login, webhook) => login.delete(`/webhooks/${webhook}`)],
    ['webhook', (login, webhook) => login.post(`/webhooks/${webhook}/segredo`)],
    ['webhook', (login, webhook) => login.post(`/webhooks/${webhook}/teste`)],
    ['webhook', (login, webhook) => login.get(`/webhooks/${webhook}/envios`)],
    ['webhook', (login, webhook) => login.post(`/webhooks/${webhook}/reenviar`, range)],
    ['envio', (login, _webhook, envio) => login.post(`/webhooks/envios/${envio}/reenviar`)],
  ];
  for (const [what, ask] of asked) {
    for (const login of [manager2, neighbour])
      assertRefused(await ask(login, id, messageId!), 404, new RegExp(`${what} não encontrado`));
    assertRefused(await ask(manager, '999999', 999_999), 404, new RegExp(`${what} não encontrado`));
  }
  assertOk(await central.get(`/webhooks/${id}`));
});

const refusedUrls: [url: string, words: RegExp][] = [
  ['erp.example.com', /'url': deve ser um endereço https completo/],
  ['ftp://erp.example.com', /endereço https completo/],
  ['http://erp.example.com', /deve começar com https/],
  ['https://usuario:senha@erp.example.com', /não pode conter usuário nem senha/],
  ['https://localhost:3000', /deve ser um endereço público/],
  ['https://127.0.0.1', /endereço público/],
  ['https://2130706433', /endereço público/],
  ['https://[::ffff:10.0.0.1]', /endereço público/],
  ['https://169.254.169.254/latest', /endereço público/],
  ['', /não pode ser vazio/],
  [`https://erp.example.com/${'x'.repeat(2_000)}`, /no máximo 2000 caracteres/],
];

for (const [url, words] of refusedUrls)
  test(`refuses to register ${url.slice(0, 40) || 'an empty address'}`, async () => {
    const [recorded, ...more] = problems(await manager.post('/webhooks', body({ url })));
    assert.match(recorded!, words);
    assert.deepEqual(more, []);
    const id = await register(manager);
    assert.match(problems(await manager.put(`/webhooks/${id}`, { url }))[0]!, words);
    assertOk(await manager.delete(`/webhooks/${id}`));
  });

test('every mistake in a registration is reported at once', async () => {
  assert.deepEqual(problems(await manager.post('/webhooks', {})), [
    "'url': é obrigatório",
    "'tipos': é obrigatório",
  ]);
  assert.equal(problems(await manager.post('/webhooks', body({ url: 7, tipos: [] }))).length, 2);
  assert.match(problems(await manager.post('/webhooks', body({ tipos: ['entrega'] })))[0]!, /entrega.status/);
  assert.match(
    problems(await manager.post('/webhooks', body({ tipos: ['webhook.teste'] })))[0]!,
    /deve ser um de/,
  );
  const twice = ['entrega.status', 'entrega.status'];
  assert.match(problems(await manager.post('/webhooks', body({ tipos: twice })))[0]!, /repetidos/);
});

test('only what is sent is changed', async () => {
  const id = await register(manager);
  const change = async (changes: Record<string, unknown>) =>
    assertOk(await manager.put(`/webhooks/${id}`, changes)).body.data;
  assert.partialDeepStrictEqual(await change({ tipos: ['programada.alterada'] }), {
    url: 'https://erp.example.com/malote',
    tipos: ['programada.alterada'],
    ativo: true,
  });
  assert.partialDeepStrictEqual(await change({ ativo: false }), { ativo: false, estado: 'inativo' });
  assert.partialDeepStrictEqual(await change({ url: 'https://novo.example.com/' }), {
    url: 'https://novo.example.com/',
    tipos: ['programada.alterada'],
    ativo: false,
  });
  assert.partialDeepStrictEqual(await change({ ativo: true }), { ativo: true, estado: 'ativo' });
});

test('an endpoint gets events of its types, and of its company only', async () => {
  const [own, other, whole] = [await register(manager), await register(manager2), await register(central)];
  const scheduled = await register(manager, { tipos: ['programada.alterada'] });
  assertOk(await manager.post('/entregas', order()));
  assert.equal(await eventsOf(own), 1);
  assert.equal(await eventsOf(whole), 1);
  assert.equal(await eventsOf(other), 0);
  assert.equal(await eventsOf(scheduled), 0);
});

test('a deleted webhook gets no events, and its messages are deleted with it', async () => {
  const id = await register(manager);
  assertOk(await manager.post('/entregas', order()));
  const answer = await manager.delete(`/webhooks/${id}`);
  assert.deepEqual(answer.body, { success: true, message: 'webhook excluído' });
  assertOk(await manager.post('/entregas', order()));
  assert.equal(await eventsOf(id), 1);
  assertRefused(await manager.get(`/webhooks/${id}/envios`), 404, /webhook não encontrado/);
  assertRefused(await manager.delete(`/webhooks/${id}`), 404, /webhook não encontrado/);
});

test('a paused one shows it, refuses a test, and is woken by "ativo": true', async () => {
  const id = await register(manager);
  await pauseWebhook(malote, id, { failures: 30, since: malote.clock.now().subtract({ hours: 24 }) });
  assert.partialDeepStrictEqual(assertOk(await manager.get(`/webhooks/${id}`)).body.data, {
    ativo: true,
    estado: 'pausado',
    falhas: 30,
    falhando_desde: '2026-11-15T15:00:00Z',
    pausado_em: '2026-11-16T15:00:00Z',
    proxima_tentativa: null,
  });
  assertRefused(await manager.post(`/webhooks/${id}/teste`), 406, /inativo ou pausado/);
  const { data } = assertOk(await manager.put(`/webhooks/${id}`, { ativo: true })).body;
  assert.partialDeepStrictEqual(data, { estado: 'ativo', falhas: 0, falhando_desde: null, pausado_em: null });
  assert.match(assertOk(await manager.post(`/webhooks/${id}/teste`)).body.data.envio_id, /^\d+$/);
});

test('a test goes to the one endpoint that it names', async () => {
  const [tested, other] = [await register(manager), await register(manager)];
  const { envio_id } = assertOk(await manager.post(`/webhooks/${tested}/teste`)).body.data;
  const [sending] = assertOk(await manager.get(`/webhooks/${tested}/envios`)).body.data;
  assert.equal(await eventsOf(other), 0);
  assert.deepEqual(sending, {
    id: envio_id,
    evento_id: sending.evento_id,
    tipo: 'webhook.teste',
    entrega_id: null,
    programada_id: null,
    sequencia: null,
    ocorrido_em: '2026-11-16T15:00:00Z',
    estado: 'esperando',
    tentativas: 0,
    ultima_tentativa: null,
    proxima_tentativa: '2026-11-16T15:00:00Z',
    status_http: null,
    duracao_ms: null,
    resposta: null,
    erro: null,
    entregue_em: null,
    reenviado_em: null,
  });
});

test('the sending log is paged, newest first', async () => {
  const id = await register(manager);
  for (let count = 0; count < 5; count += 1) assertOk(await manager.post(`/webhooks/${id}/teste`));
  const page = async (query: string): Promise<number[]> =>
    assertOk(await manager.get(`/webhooks/${id}/envios${query}`)).body.data.map((row: { id: string }) =>
      Number(row.id),
    );
  const all = await page('');
  assert.equal(all.length, 5);
  assert.deepEqual(
    all,
    all.toSorted((a, b) => b - a),
  );
  assert.deepEqual(await page('?limite=2&pagina=2'), all.slice(2, 4));
  assert.deepEqual(await page('?pagina=9'), []);
  assert.equal((await manager.get(`/webhooks/${id}/envios?limite=101`)).status, 400);
});

test('a time range is replayed by the instant of the events, and within bounds', async () => {
  const id = await register(manager);
  const replay = (changes: Record<string, unknown> = {}) =>
    manager.post(`/webhooks/${id}/reenviar`, {
      de: '2026-11-16T11:00:00-03:00',
      ate: '2026-11-16T15:00:01Z',
      ...changes,
    });
  for (let count = 0; count < 3; count += 1) assertOk(await manager.post(`/webhooks/${id}/teste`));
  assert.equal(assertOk(await replay()).body.data.reenviados, 0, 'what still waits needs no replay');
  const [newest] = await messageIds(id);
  await endMessages(malote, id, 'delivered');
  await endMessages(malote, id, 'failed', [newest!]);
  assert.equal(assertOk(await replay({ somente_falhas: true })).body.data.reenviados, 1);
  assert.equal(assertOk(await replay()).body.data.reenviados, 2, 'the failed one waits again already');
  await endMessages(malote, id, 'delivered');
  assert.equal(assertOk(await replay({ ate: '2026-11-16T15:00:00Z' })).body.data.reenviados, 0);

  assert.deepEqual(problems(await replay({ de: '2026-11-16T16:00:00Z' })), [
    "'ate': deve ser depois de 'de'",
  ]);
  assert.equal(problems(await replay({ de: 'ontem', ate: 5 })).length, 2);
  await multiplyMessages(malote, id, 5000);
  assertRefused(await replay(), 400, /mais de 5000 envios/);
});

test('a position is not sent again', async () => {
  const id = await register(manager);
  assertOk(await manager.post(`/webhooks/${id}/teste`));
  const [messageId] = await messageIds(id);
  await endMessages(malote, id, 'expired');
  assertRefused(await manager.post(`/webhooks/envios/${messageId}/reenviar`), 406, /posição antiga/);
});

test('a repeated registration with the same Idempotency-Key makes one webhook, and shows no secret', async () => {
  const headers = { 'idempotency-key': 'webhook-1' };
  const first = assertOk(await manager2.post('/webhooks', body(), headers));
  const again = assertOk(await manager2.post('/webhooks', body(), headers));
  assert.ok(first.body.data.segredo);
  assert.deepEqual(again.body.data, { ...first.body.data, segredo: null });
});

test('a company has so many webhooks and no more', async () => {
  const before = assertOk(await manager2.get('/webhooks?limite=100')).body.data.length;
  for (let count = before; count < WEBHOOKS_MAX; count += 1) await register(manager2);
  assertRefused(await manager2.post('/webhooks', body()), 400, /no máximo 20 webhooks/);
  const english = await manager2.post('/webhooks', body(), { 'accept-language': 'en' });
  assertRefused(english, 400, /at most 20 webhooks/);
});
