import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ForbiddenError, type LiveEvent, Malote, UnauthorizedError } from '../../client/src/index.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const login = (send: typeof fetch = fetch, password = 'demo'): Malote =>
  new Malote({ url: malote.url, apiKey: 'demo-chave', user: 'gerente', password, fetch: send });
const manager = login();
const created = order() as Parameters<Malote['criarEntrega']>[0];

const open = new Set<AbortController>();
after(() => {
  for (const each of open) each.abort();
});

/** Listens until it is stopped, and collects the events. */
function listening(client: Malote, options: Parameters<Malote['events']['listen']>[0] = {}) {
  const stop = new AbortController();
  open.add(stop);
  const events: LiveEvent[] = [];
  const ended = (async () => {
    for await (const event of client.events.listen({ ...options, signal: stop.signal })) events.push(event);
  })();
  ended.catch(() => undefined);
  return { events, ended, stop: () => stop.abort(new Error('enough')) };
}

test('events come as they happen, with the ids that webhooks have', async () => {
  const { events, ended, stop } = listening(manager);
  await waitUntil('the stream is open', async () => {
    await manager.testarEventos();
    return events.length > 0;
  });
  const { id_mch: id } = await manager.criarEntrega(created);
  const status = () =>
    events.find(({ type, data }) => type === 'entrega.status' && 'id' in data && data.id === id);
  await waitUntil('the event has arrived', () => status() !== undefined);
  const event = status()!;
  assert.equal(event.streamId, `${event.streamId.split('.')[0]}.${event.id}`);
  stop();
  await assert.rejects(ended, /enough/);
});

test('after a lost connection nothing is missed and nothing comes twice', async () => {
  const opened: (string | null)[] = [];
  const connections: AbortController[] = [];
  const breakable: typeof fetch = async (input, init) => {
    if (!String(input).includes('/eventos')) return fetch(input, init);
    opened.push(new Headers(init?.headers).get('last-event-id'));
    const connection = new AbortController();
    connections.push(connection);
    return fetch(input, { ...init, signal: AbortSignal.any([init!.signal!, connection.signal]) });
  };
  const { id_mch: first } = await manager.criarEntrega(created);
  const { events, stop } = listening(login(breakable), {
    types: ['entrega.status'],
    since: '2020-01-01T00:00:00Z',
  });
  const heard = (id: string) => events.some(({ data }) => 'id' in data && data.id === id);
  await waitUntil('the past has arrived', () => heard(first));
  connections[0]!.abort();
  const { id_mch: second } = await manager.criarEntrega(created);
  await waitUntil('what happened meanwhile has arrived', () => heard(second));
  assert.equal(opened[0], null);
  assert.match(opened[1]!, /^\d+\./);
  const ids = events.map(({ streamId }) => streamId);
  assert.equal(new Set(ids).size, ids.length);
  stop();

  const later = listening(manager, { after: ids.at(-1)! });
  const { id_mch: third } = await manager.criarEntrega(created);
  await waitUntil('a program that stored its place goes on there', () =>
    later.events.some(({ data }) => 'id' in data && data.id === third),
  );
  later.stop();
});

test('who may not listen is told so at once', async () => {
  const { ended } = listening(login(fetch, 'errada'));
  await assert.rejects(ended, UnauthorizedError);
  const { token } = (
    await malote.operator.post('/programas', { descricao: 'Só saldo', permissoes: ['balance'] })
  ).body.data;
  const reader = listening(new Malote({ url: malote.url, token }));
  await assert.rejects(reader.ended, ForbiddenError);
});

test('a service that is busy is asked again', async () => {
  let count = 0;
  const busy: typeof fetch = (input, init) => {
    count++;
    if (count === 1)
      return Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': '0' } }));
    return fetch(input, init);
  };
  const { id_mch: id } = await manager.criarEntrega(created);
  const { events, stop } = listening(login(busy), { since: '2020-01-01T00:00:00Z' });
  await waitUntil('the event has arrived', () => events.some(({ data }) => 'id' in data && data.id === id));
  stop();
});
