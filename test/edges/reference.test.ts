import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const anybody = client(malote.url, { key: '', user: '', password: '' });
const get = (path: string, headers: Record<string, string | undefined> = {}) =>
  anybody.send(path, {
    redirect: 'manual',
    headers: { 'api-key': undefined, authorization: undefined, ...headers },
  });

test('/openapi.json is for anybody, and is not sent twice to whoever has it', async () => {
  const first = await get('/openapi.json');
  assert.equal(first.status, 200);
  assert.match(String(first.headers.get('content-type')), /^application\/json/);
  assert.equal(first.body.openapi, '3.1.0');
  const etag = first.headers.get('etag')!;
  const again = await get('/openapi.json', { 'if-none-match': etag });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
  assert.equal((await get('/openapi.json', { 'if-none-match': '"another"' })).status, 200);
});

test('/docs leads to the reference', async () => {
  const answer = await get('/docs');
  assert.equal(answer.status, 308);
  assert.equal(answer.headers.get('location'), '/docs/');
});

test('the reference loads everything from this server, and may load nothing else', async () => {
  const { status, text, headers } = await get('/docs/');
  assert.equal(status, 200);
  assert.match(String(headers.get('content-type')), /^text\/html/);
  const sources = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  // An empty icon, so that no browser asks for one that is not there.
  assert.deepEqual(sources, ['data:,', 'js/scalar.js']);
  assert.doesNotMatch(text, /https?:\/\//);
  const settings: [name: string, value: string][] = [
    ['withDefaultFonts', 'false'],
    ['telemetry', 'false'],
    ['hideClientButton', 'true'],
    ['showDeveloperTools', '"never"'],
    ['url', '"/openapi.json"'],
  ];
  for (const [setting, value] of settings) assert.ok(text.includes(`"${setting}": ${value}`), setting);
  assert.match(text, /"agent": \{\s*"disabled": true/);
  assert.doesNotMatch(text, /proxyUrl|demo-chave/);

  const policy = String(headers.get('content-security-policy'));
  assert.match(policy, /^default-src 'none'/);
  assert.match(policy, /connect-src 'self'(;|$)/);
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  const inline = [...text.matchAll(/<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)];
  assert.equal(inline.length, 1);
  assert.ok(policy.includes(createHash('sha256').update(inline[0]![1]!).digest('base64')));

  const script = await get('/docs/js/scalar.js');
  assert.equal(script.status, 200);
  assert.match(String(script.headers.get('content-type')), /^text\/javascript/);
  assert.ok(script.text.length > 1_000_000);
  assert.equal(
    (await get('/docs/js/scalar.js', { 'if-none-match': script.headers.get('etag')! })).status,
    304,
  );
});

test('only the reference may run scripts', async () => {
  for (const path of ['/openapi.json', '/healthz', '/nowhere'])
    assert.equal(
      (await get(path)).headers.get('content-security-policy'),
      "default-src 'none'; frame-ancestors 'none'",
    );
});
