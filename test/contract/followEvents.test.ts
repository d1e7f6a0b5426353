import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { basic, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { type EventSource, openEventSource } from '../support/rawHttp.ts';
import { setBalance } from '../support/rows.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver } from '../support/webhookReceiver.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const { operator, manager2, central, clock, url } = malote;

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

const headersOf = (user: string, key = 'demo-chave') => ({
  'api-key': key,
  authorization: basic(user, 'demo'),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface FollowOptions {
  query?: string;
  headers?: Record<string, string>;
  at?: string;
}
const follow = (t: TestContext, user: string, { query = '', headers = {}, at = url }: FollowOptions = {}) =>
  openEventSource(t, `${at}${PATH}${query}`, { ...headersOf(user), ...headers });
const followWith = (t: TestContext, token: string, query = '') =>
  openEventSource(t, `${url}${PATH}${query}`, bearer(token));

const listening = (count: number) =>
  waitUntil(`${count} are listening`, () => malote.app.deps.live.readers() === count);

async function newProgram(fields: Record<string, unknown>): Promise<{ id: string; token: string }> {
  return assertOk(
    await operator.post('/programas', { descricao: 'Programa', permissoes: ['watch'], ...fields }),
  ).body.data;
}

const bodiesAbout = ({ messages }: EventSource, id: number) =>
  messages.map(({ data }) => data).filter(({ data }) => data.id === String(id));

/** A stream as bytes, to compare what it carries exactly. */
async function rawStream(t: TestContext, headers: Record<string, string>) {
  const ending = new AbortController();
  t.after(() => ending.abort());
  const response = await fetch(url + PATH, { headers, signal: ending.signal });
  let text = '';
  void (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })().catch(() => undefined);
  return {
    dataOf: () =>
      new Map(
        [...text.matchAll(/^id: \d+\.([0-9a-f-]{36})\ndata: (.*)\n\n/gm)].map(([, uid, data]) => [
          uid!,
          data!,
        ]),
      ),
  };
}

test('an event has the bytes of its webhook, and its id names the webhook-id', async (t) => {
  const receiver = await startReceiver(t);
  const types = ['entrega.status', 'entrega.parada_concluida', 'credito.lancado'];
  const { id } = assertOk(await central.post('/webhooks', { url: receiver.url, tipos: types })).body.data;
  t.after(async () => void (await central.delete(`/webhooks/${id}`)));
  const stream = await rawStream(t, headersOf('central'));
  await listening(1);
  const { id: deliveryId } = await openDelivery(malote, { observacao: 'ação “à mão” — ç 🛵\u2028' }, 2);
  assertOk(await operator.post(`/entregas/${deliveryId}/aceitar`, { condutor_id: await newDriver(malote) }));
  await setBalance(malote, 90_000_00);
  await waitUntil('both have all', () => receiver.arrivals.length === 3 && stream.dataOf().size >= 3);
  for (const { id: uid, text } of receiver.arrivals) assert.equal(stream.dataOf().get(uid), text);
});

test('the stream has the headers of a stream, and no name or number beside the events', async (t) => {
  const stream = await follow(t, 'central');
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(stream.headers.get('cache-control'), 'no-store, no-transform');
  const { id } = await openDelivery(malote);
  await stream.until('it is there', () => bodiesAbout(stream, id).length === 1);
  assert.deepEqual(Object.keys(bodiesAbout(stream, id)[0]), ['type', 'timestamp', 'data']);
  assert.deepEqual([...new Set(stream.messages.map(({ event }) => event))], ['message']);
});

test('each login gets the events of its scope only', async (t) => {
  const ofCompany = await newProgram({ empresa_id: 2 });
  const ofCentral = await newProgram({});
  const streams = {
    central: await follow(t, 'central'),
    manager: await follow(t, 'gerente'),
    other: await follow(t, 'gerente2'),
    program: await followWith(t, ofCompany.token),
    whole: await followWith(t, ofCentral.token),
    neighbour: await openEventSource(t, url + PATH, headersOf('vizinha', 'demo-vizinha')),
  };
  const first = await openDelivery(malote);
  const second = Number(assertOk(await manager2.post('/entregas', order())).body.data.id_mch);
  const expected = {
    central: [1, 1],
    manager: [1, 0],
    other: [0, 1],
    program: [0, 1],
    whole: [1, 1],
    neighbour: [0, 0],
  };
  await waitUntil('they are told', () => bodiesAbout(streams.whole, second).length === 1);
  await waitUntil('they are told', () => bodiesAbout(streams.other, second).length === 1);
  for (const [name, stream] of Object.entries(streams))
    assert.deepEqual(
      [first.id, second].map((id) => bodiesAbout(stream, id).length),
      expected[name as keyof typeof expected],
      name,
    );
});

test('entries of wallets and of drivers only go to those who may read them', async (t) => {
  const permissions: [string[], string[]][] = [
    [['watch'], ['condutor.ajuda']],
    [
      ['watch', 'balance'],
      ['condutor.ajuda', 'credito.lancado'],
    ],
    [
      ['watch', 'balance', 'earnings-read'],
      ['condutor.ajuda', 'condutor.lancamento', 'credito.lancado'],
    ],
  ];
  const streams = await Promise.all(
    permissions.map(async ([permissoes]) => followWith(t, (await newProgram({ permissoes })).token)),
  );
  const driverId = await newDriver(malote);
  assertOk(
    await operator.post(`/condutores/${driverId}/lancamentos`, {
      tipo: 'ajuste',
      valor: '9.00',
      motivo: 'acerto',
    }),
  );
  await setBalance(malote, 70_000_00);
  assertOk(await operator.post(`/condutores/${driverId}/ajuda`, { id_mch: null, texto: 'pneu furado' }));
  for (const [index, stream] of streams.entries()) {
    const types = () => stream.messages.map(({ data }) => data.type as string);
    await stream.until('the last of them', () => types().includes('condutor.ajuda'));
    assert.deepEqual(types().toSorted(), permissions[index]![1]);
  }
});

test('`tipos` chooses types', async (t) => {
  const stream = await follow(t, 'central', { query: '?tipos=entrega.alterada,%20condutor.ajuda' });
  await openDelivery(malote);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/condutores/${driverId}/ajuda`, { id_mch: null, texto: 'socorro' }));
  await stream.until('the wanted one', () => stream.messages.length > 0);
  assert.deepEqual(
    stream.messages.map(({ data }) => data.type),
    ['condutor.ajuda'],
  );
});

const refusals: [string, Record<string, string>, RegExp][] = [
  ['?tipos=entrega.nada', {}, /^'tipos': deve ter tipos separados por vírgula, dentre: entrega\.status, /],
  ['?tipos=', {}, /^'tipos': não pode ser vazio$/],
  [`?tipos=${'x'.repeat(1001)}`, {}, /^'tipos': deve ter no máximo 1000 caracteres$/],
  ['?tipos=webhook.teste', {}, /^'tipos': /],
  ['?desde=ontem', {}, /^'desde': deve ser um instante ISO 8601 com fuso, .*, ou o id de um evento$/],
  ['?desde=2026-11-16T15:00:00', {}, /^'desde': deve ser um instante/],
  ['?desde=999999999999', {}, /^'desde': não é o id de um evento que ainda esteja guardado$/],
  ['', { 'last-event-id': 'ontem' }, /^'Last-Event-ID': não é o id de um evento/],
  ['', { 'last-event-id': '999999999999' }, /^'Last-Event-ID': não é o id de um evento/],
];
for (const [query, headers, message] of refusals)
  test(`a stream cannot begin with ${query.slice(0, 40)} ${JSON.stringify(headers)}`, async () => {
    const answer = await fetch(`${url}${PATH}${query}`, { headers: { ...headersOf('central'), ...headers } });
    const { success, errors } = (await answer.json()) as Json;
    assert.deepEqual([answer.status, success, errors.length, errors[0].code], [400, false, 1, 2]);
    assert.match(errors[0].message, message);
  });

test('all mistakes of a query come in one answer', async () => {
  const answer = await fetch(`${url}${PATH}?tipos=a&desde=b`, {
    headers: { ...headersOf('central'), 'accept-language': 'en' },
  });
  const { errors } = (await answer.json()) as Json;
  assert.deepEqual(
    errors.map(({ message }: { message: string }) => message.split(':')[0]),
    ["'tipos'", "'desde'"],
  );
});

test('a login that may not watch is refused, and so is an event of another company', async (t) => {
  const stream = await follow(t, 'central');
  const { id } = await openDelivery(malote);
  await stream.until('it is told', () => bodiesAbout(stream, id).length === 1);
  const message = stream.messages.find(({ data }) => data.data.id === String(id))!;
  for (const [headers, status] of [
    [{}, 401],
    [bearer('malote_1_nothing'), 401],
    [headersOf('condutor1'), 403],
    [bearer((await newProgram({ permissoes: ['order'] })).token), 403],
    [{ ...headersOf('gerente2'), 'last-event-id': message.id! }, 400],
    [{ ...headersOf('vizinha', 'demo-vizinha'), 'last-event-id': message.id! }, 400],
  ] as [Record<string, string>, number][])
    assert.equal((await fetch(url + PATH, { headers })).status, status);
});

test('`desde` tells what happened since an instant or an event, in order, and then what happens', async (t) => {
  const begin = clock.now();
  clock.advance({ seconds: 5 });
  const deliveries: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    deliveries.push((await openDelivery(malote)).id);
    clock.advance({ seconds: 1 });
  }
  const told = ({ messages }: EventSource) =>
    messages.map(({ data }) => Number(data.data.id)).filter((id) => deliveries.includes(id));
  const bySeconds = await follow(t, 'gerente', { query: `?desde=${begin}` });
  await bySeconds.until('all of them', () => told(bySeconds).length === 5);
  assert.deepEqual(told(bySeconds), deliveries);
  const third = bySeconds.messages.find(({ data }) => data.data.id === String(deliveries[2]))!;
  for (const point of [third.id!, third.id!.split('.')[0]]) {
    const byEvent = await follow(t, 'gerente', { query: `?desde=${point}` });
    await byEvent.until('the rest', () => told(byEvent).length === 2);
    assert.deepEqual(told(byEvent), deliveries.slice(3));
    const { id } = await openDelivery(malote);
    await byEvent.until('what happens now', () => bodiesAbout(byEvent, id).length === 1);
  }
});

test('a reader that returns continues after its last event, and gets nothing from before its beginning', async (t) => {
  const before = await openDelivery(malote);
  clock.advance({ seconds: 1 });
  const begin = clock.now();
  const first = await openDelivery(malote);
  const stream = await follow(t, 'central', { query: `?desde=${begin}` });
  await stream.until('it is told', () => bodiesAbout(stream, first.id).length === 1);
  stream.close();
  clock.advance({ seconds: 10 });
  const missed = await openDelivery(malote);
  const last = stream.messages.at(-1)!.id!;
  const again = await follow(t, 'central', {
    query: `?desde=${begin}`,
    headers: { 'last-event-id': last },
  });
  await again.until('what was missed', () => bodiesAbout(again, missed.id).length === 1);
  const { id } = await openDelivery(malote);
  await again.until('what happens now', () => bodiesAbout(again, id).length === 1);
  assert.equal(bodiesAbout(again, missed.id).length, 1);
  assert.deepEqual(bodiesAbout(again, before.id), []);
});

test('a token that is revoked ends its stream, and the next one is refused', async (t) => {
  const { id, token } = await newProgram({ empresa_id: 1 });
  const stream = await followWith(t, token);
  const other = await follow(t, 'gerente');
  assert.equal(stream.status, 200);
  assertOk(await operator.delete(`/programas/${id}`));
  await waitUntil('it ends', () => stream.isOver());
  assert.equal(other.isOver(), false);
  assert.equal((await followWith(t, token)).status, 401);
});

test('the streams of a login are limited together, on both interfaces', async (t) => {
  const { token } = await newProgram({});
  assert.equal((await followWith(t, token)).status, 200);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 2 ? followWith(t, token) : openEventSource(t, `${url}/api/v2/operacao/eventos`, bearer(token)),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 49);
  assert.equal(answers.filter(({ status }) => status === 429).length, 11);
});
