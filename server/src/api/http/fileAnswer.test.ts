import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { FileAnswer, sendFile } from './fileAnswer.ts';
import { heavyWork } from './heavyWork.ts';

const PIECE = Buffer.alloc(100_000, 'x');
const made = { pieces: 0, hasEnded: false };

async function* endless(): AsyncGenerator<Buffer> {
  made.pieces = 0;
  made.hasEnded = false;
  try {
    for (;;) {
      made.pieces += 1;
      yield PIECE;
    }
  } finally {
    made.hasEnded = true;
  }
}

/** Of lengths that no group of base64 fits. */
const odd = ['a', '', 'bc', 'é', 'defgh', ''].map((text) => Buffer.from(text));
async function* few(): AsyncGenerator<Buffer> {
  yield* odd;
}

async function* failing(): AsyncGenerator<Buffer> {
  yield PIECE;
  throw new Error('the database has gone');
}

async function* failingAtOnce(): AsyncGenerator<Buffer> {
  if (PIECE.length > 0) throw new Error('the database has gone');
  yield PIECE;
}

const work = heavyWork(10);
const app = Fastify();
const serve = (path: string, pieces: () => AsyncIterable<Buffer>) =>
  app.get(path, (_request, reply) => {
    const request = work.begin({ centralId: 1, userId: 1 });
    reply.raw.once('close', request.end);
    return sendFile(reply, request, new FileAnswer('a "b".csv', 'text/csv', pieces()));
  });
serve('/endless', endless);
serve('/few', few);
serve('/failing', failing);
serve('/failing-at-once', failingAtOnce);
const url = await app.listen({ port: 0, host: '127.0.0.1' });
after(() => app.close());

test('a file arrives whole, whatever the lengths of its pieces', async () => {
  const answer = await fetch(`${url}/few`);
  assert.match(answer.headers.get('content-type')!, /^application\/json/);
  assert.deepEqual(await answer.json(), {
    success: true,
    data: { nome: 'a "b".csv', tipo: 'text/csv', conteudo: Buffer.concat(odd).toString('base64') },
  });
  await waitUntil('the request is over', () => work.figures().open === 0);
});

test('a client that does not read has few pieces made, and nothing is made once it has gone', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.pause();
  await once(socket, 'connect');
  socket.write('GET /endless HTTP/1.1\r\nhost: a\r\n\r\n');
  // Endless work that nobody reads would never rest.
  let before = -1;
  await waitUntil('no more pieces are made', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const isResting = made.pieces > 0 && made.pieces === before;
    before = made.pieces;
    return isResting;
  });
  assert.equal(work.figures().running, 0, 'the unread file holds no turn');
  assert.equal(work.figures().open, 1);
  socket.destroy();
  await waitUntil('its work has ended', () => made.hasEnded && work.figures().open === 0);
});

test('a file whose work fails in the middle is cut off, not completed', async () => {
  const answer = await fetch(`${url}/failing`);
  assert.equal(answer.status, 200);
  await assert.rejects(answer.text());
  await waitUntil('the request is over', () => work.figures().open === 0);
});

test('a file whose work fails before its first piece is answered as an error', async () => {
  assert.equal((await fetch(`${url}/failing-at-once`)).status, 500);
  await waitUntil('the request is over', () => work.figures().open === 0);
});
