import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { postWebhook } from '../../server/src/events/webhooks/postWebhook.ts';
import { wordsOfError } from '../../web/console/src/pages/webhooks/errorWords.ts';

async function listening(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const answering = (text: string) => (socket: Socket) => socket.once('data', () => socket.end(text));

const errorOf = async (url: string, allowPrivate = true, resolve?: () => Promise<string[]>) => {
  const options = { allowPrivate, timeLimitMs: 300, ...(resolve && { resolve }) };
  const { error } = await postWebhook(url, '{}', {}, options);
  assert.ok(error);
  return error;
};

test('the console tells in Portuguese why a receiver has not received a message', async (t) => {
  const nowhere = async () => Promise.reject(new Error('the host name could not be resolved'));
  const cases: [error: string, words: RegExp][] = [
    [await errorOf(await listening(t, () => {})), /a tempo/],
    [await errorOf(await listening(t, (socket) => socket.once('data', () => socket.destroy()))), /fechou/],
    [await errorOf(await listening(t, answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'))), /./],
    [await errorOf(await listening(t, answering('garbage\r\n\r\n'))), /HTTP válido/],
    [await errorOf('http://127.0.0.1:1'), /recusou/],
    [await errorOf('https://nowhere.example.com', false, nowhere), /não existe/],
    [await errorOf('https://rebound.example.com', false, async () => ['10.0.0.1']), /rede privada/],
    [await errorOf('https://127.0.0.1', false), /rede privada/],
    [await errorOf('http://example.com', false), /não pode ser chamado/],
    ['certificate has expired', /certificado/],
    ['the secret of this webhook cannot be decrypted: give it a new one', /crie um novo/],
  ];
  for (const [error, words] of cases) {
    const { pt, en } = wordsOfError(error);
    assert.match(pt, words, error);
    assert.notEqual(pt, error);
    assert.notEqual(en, '');
  }
  assert.equal(wordsOfError('something new').pt, 'something new');
});
