import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

// What a trusted proxy passes on may still be what its client sent.

const malote = await startMalote({ behindProxy: true });

async function linkThrough(headers: Record<string, string>) {
  const { id_mch: id } = assertOk(await malote.manager.post('/entregas', order())).body.data;
  return malote.manager.get(`/entregas/${id}/links-rastreio`, headers);
}

test('links have the scheme that the proxy names', async () => {
  for (const [sent, scheme] of [
    ['https', 'https'],
    ['HTTPS', 'https'],
    ['http', 'http'],
  ] as const) {
    const answer = assertOk(
      await linkThrough({ 'x-forwarded-proto': sent, 'x-forwarded-host': 'example.com' }),
    );
    assert.ok(answer.body.data[0].link_rastreio.startsWith(`${scheme}://example.com/rastreio/`), answer.text);
  }
});

test('an odd forwarded host makes no links', async () => {
  for (const host of ['evil"><script>', 'a b', 'user@host', 'x/../y'])
    assertFailure(await linkThrough({ 'x-forwarded-host': host }), 400, 2);
});

test('a forwarded scheme that no page has makes no links', async () => {
  for (const scheme of ['javascript', 'wss', 'ht"tp', '$&'])
    assertFailure(await linkThrough({ 'x-forwarded-proto': scheme }), 400, 2);
  const collection = await fetch(`${malote.url}/postman.json`, {
    headers: { 'x-forwarded-proto': 'javascript' },
  });
  assert.equal(collection.status, 400);
});
