import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { acceptedEncoding, sendCompressed } from './compression.ts';
import { JsonText } from './envelope.ts';

const cases: [header: string | undefined, expected: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000, br;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['GZIP ; q=0.5', 'gzip'],
  ['x-gzip-like, brown', undefined],
];
for (const [header, expected] of cases)
  test(`Accept-Encoding ${JSON.stringify(header)} -> ${expected ?? 'as it is'}`, () =>
    assert.equal(acceptedEncoding(header), expected));

const long = JSON.stringify({ data: Array.from({ length: 200 }, (_, index) => `Histórico ${index}`) });
const app = Fastify();
app.get('/long', (request, reply) => sendCompressed(request, reply, new JsonText(Buffer.from(long))));
app.get('/short', (request, reply) => sendCompressed(request, reply, new JsonText('{"data":[]}')));

test('a long answer is compressed as the client accepts it, and has a Vary header', async () => {
  const [plain, zipped, brotli] = await Promise.all(
    ['identity', 'gzip', 'gzip, br'].map((accepted) =>
      app.inject({ url: '/long', headers: { 'accept-encoding': accepted } }),
    ),
  );
  assert.equal(plain!.headers['content-encoding'], undefined);
  assert.equal(plain!.body, long);
  assert.equal(zipped!.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(zipped!.rawPayload).toString(), long);
  assert.equal(brotli!.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(brotli!.rawPayload).toString(), long);
  assert.ok(brotli!.rawPayload.length < long.length / 4);
  for (const answer of [plain, zipped, brotli]) {
    assert.equal(answer!.headers.vary, 'accept-encoding');
    assert.equal(answer!.headers['content-type'], 'application/json; charset=utf-8');
  }
});

test('a short answer is not compressed', async () => {
  const answer = await app.inject({ url: '/short', headers: { 'accept-encoding': 'br' } });
  assert.equal(answer.headers['content-encoding'], undefined);
  assert.equal(answer.body, '{"data":[]}');
});
