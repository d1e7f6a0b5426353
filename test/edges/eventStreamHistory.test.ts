import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { basic, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { type EventSource, openEventSource } from '../support/rawHttp.ts';
import { assertOk, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { addEvents } from '../support/webhookReceiver.ts';

const malote = await startMalote();
const { manager, db, clock, url } = malote;

interface FollowOptions {
  query?: string;
  headers?: Record<string, string>;
  at?: string;
}
const follow = (t: TestContext, user: string, { query = '', headers = {}, at = url }: FollowOptions = {}) =>
  openEventSource(t, `${at}/api/v2/integracao/eventos${query}`, {
    'api-key': 'demo-chave',
    authorization: basic(user, 'demo'),
    ...headers,
  });

const bodiesAbout = ({ messages }: EventSource, id: number) =>
  messages.map(({ data }) => data).filter(({ data }) => data.id === String(id));

test('a history of many pages is told once, to a reader who takes it slowly, too', async (t) => {
  const { id } = await openDelivery(malote);
  const begin = clock.now();
  clock.advance({ seconds: 90 });
  const COUNT = 2_300;
  const at = clock.now().subtract({ seconds: 30 });
  for (let from = 0; from < COUNT; from += 100) await addEvents(db, 1, Array<number>(100).fill(id), at);
  await db`
    update events set payload = first.payload from events first
    where events.central_id = 1 and events.delivery_id = ${id} and events.sequence > 1
      and first.central_id = 1 and first.delivery_id = ${id} and first.sequence = 1`;
  const stream = await follow(t, 'central', { query: `?tipos=entrega.status&desde=${begin}` });
  await stream.until('all of them', () => bodiesAbout(stream, id).length > COUNT);
  const ids = stream.messages.map((message) => message.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    bodiesAbout(stream, id).map(({ data }) => data.sequencia),
    Array.from({ length: COUNT + 1 }, (_, index) => index + 1),
  );
});

/** A second process on the same database. */
async function anotherProcess(t: TestContext): Promise<string> {
  const app = await buildApp({ db, clock, log: pino({ level: 'silent' }), routers: estimatorRouters });
  t.after(() => app.close());
  return app.server.listen({ port: 0, host: '127.0.0.1' });
}

test('nothing is lost or told twice while many write and the reader returns again and again, in any process', async (t) => {
  const elsewhere = await anotherProcess(t);
  const begin = clock.now();
  const seen = new Map<string, Json>();
  let lastId: string | undefined;
  let isOver = false;
  let repeated = 0;
  const reading = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const stream = await follow(t, 'central', {
        query: `?tipos=entrega.status&desde=${begin}`,
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
        at: turn % 2 === 0 ? url : elsewhere,
      });
      assert.equal(stream.status, 200);
      const until = Date.now() + 40 + 60 * (turn % 3);
      await waitUntil('its time is over', () => Date.now() > until || isOver);
      stream.close();
      const ids = stream.messages.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, 'each once in a stream');
      for (const { id, data } of stream.messages) {
        if (seen.has(id!)) repeated += 1;
        seen.set(id!, data);
        lastId = id;
      }
    }
  })();
  const opened: number[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let count = 0; count < 8; count += 1) {
        const { id } = await openDelivery(malote);
        opened.push(id);
        assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
      }
    }),
  );
  const numbers = (id: number) =>
    [...seen.values()].filter(({ data }) => data.id === String(id)).map(({ data }) => data.sequencia);
  await waitUntil('all is told', () => opened.every((id) => numbers(id).length >= 2));
  isOver = true;
  await reading;
  for (const id of opened) assert.deepEqual(numbers(id), [1, 2]);
  t.diagnostic(`${seen.size} events, ${repeated} repeated`);
});
