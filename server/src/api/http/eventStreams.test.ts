import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { type EventStream, eventStreams, followUntilClosed, sseMessage } from './eventStreams.ts';
import type { RightsWatch } from './streamLimits.ts';

const HEARTBEAT_MS = 15_000;
const everlasting: RightsWatch = { join: () => () => undefined, stop: () => undefined };
const holder = (key: string) => ({ centralId: 1, rights: null, limits: [{ key, max: 1 }] });

test('a silent stream is kept alive, and ended after a quarter of an hour', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const app = Fastify();
  t.after(() => app.close());
  const streams = eventStreams(app, everlasting);
  let stream: EventStream | undefined;
  app.get('/', async (request, reply) => {
    stream = streams.open(request, reply, holder('somebody'));
    stream.start();
    return reply;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(url);
  let text = '';
  let isOver = false;
  const reading = (async () => {
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
    isOver = true;
  })();
  await waitUntil('it says when to come back', () => /^retry: \d{4}\n\n$/.test(text));
  t.mock.timers.tick(HEARTBEAT_MS);
  await waitUntil('its heart beats', () => text.endsWith(':\n\n'));
  stream?.send(sseMessage({ a: 'b\nc' }, { id: 7, event: 'x' }));
  await waitUntil('a message arrives', () => text.endsWith('event: x\nid: 7\ndata: {"a":"b\\nc"}\n\n'));
  assert.equal(streams.count(), 1);
  for (let minutes = 0; minutes <= 15; minutes += 0.25) t.mock.timers.tick(HEARTBEAT_MS);
  await waitUntil('it is over', () => isOver);
  await reading;
  await waitUntil('it is forgotten', () => streams.count() === 0);
});

test('an error before the first message is answered, and one after it ends the stream', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  const streams = eventStreams(app, everlasting);
  app.get('/:when', async (request, reply) => {
    const { when } = request.params as { when: string };
    await followUntilClosed(streams.open(request, reply, holder(when)), async (stream) => {
      if (when === 'after') stream.send(sseMessage('hello'));
      throw new Error('the database is away');
    });
    return reply;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  assert.equal((await fetch(`${url}/before`)).status, 500);
  const begun = await fetch(`${url}/after`);
  assert.equal(begun.status, 200);
  assert.match(await begun.text(), /data: "hello"/);
  await waitUntil('both are forgotten', () => streams.count() === 0);
});
