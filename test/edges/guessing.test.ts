import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basic } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const guess = (password: string, user = 'gerente') =>
  malote.central.post('/entregas/consultar', {}, { authorization: basic(user, password) });

test('guessing in parallel is cut short: 401 a few times, then 429 with the time to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => guess(`guess ${index}`)));
  const tried = answers.filter(({ status }) => status === 401);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(tried.length + refused.length, answers.length);
  assert.ok(tried.length < 12, `${tried.length} guesses were tried`);
  for (const answer of refused) {
    assertFailure(answer, 429, 0);
    assert.match(String(answer.headers.get('retry-after')), /^[1-9]\d*$/);
  }
});

test('a name that nobody has is slowed down just the same', async () => {
  const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => guess(`g ${index}`, 'nobody')));
  assert.ok(answers.filter(({ status }) => status === 401).length < 12);
  assert.ok(answers.some(({ status }) => status === 429));
});

test('others are let in meanwhile', async () => {
  assert.equal((await malote.manager2.post('/entregas/consultar')).status, 200);
});
