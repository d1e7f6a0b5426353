import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToken, writeToken } from './centralToken.ts';

const secret = 'Zk3vXoQ1sT9bYw5uE2hRaA';

test('a token is read as it was written', () => {
  for (const centralId of [1, 35, 36, 123_456_789]) {
    assert.deepEqual(readToken(writeToken({ centralId, secret })), { centralId, secret });
  }
  assert.equal(writeToken({ centralId: 46, secret }), `1a.${secret}`);
});

test('a text in another form is refused as a token', () => {
  const others = [
    secret,
    `.${secret}`,
    `0.${secret}`,
    `01.${secret}`,
    `A.${secret}`,
    `1.${secret}=`,
    '1.short',
  ];
  for (const text of [...others, `${'z'.repeat(11)}.${secret}`, `1.${'a'.repeat(65)}`, `1.${secret}\n`])
    assert.equal(readToken(text), undefined, text);
});
