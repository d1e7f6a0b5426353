import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, basic } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

const FLOOD = 500;
const malote = await startMalote({ behindProxy: true, limits: true });
const from = (address: string, user: string, password: string) =>
  malote.central.get('/entregas/1', {
    authorization: basic(user, password),
    'x-forwarded-for': address,
  });

/** Wrong logins from fifty networks, all sent at once, and their results so far. */
function flood() {
  const answers: Answer[] = [];
  const sent = Array.from({ length: FLOOD }, async (_, index) => {
    answers.push(await from(`203.0.113.${index % 50}`, `nobody ${index}`, 'wrong'));
  });
  const verified = () => answers.filter(({ status }) => status === 401).length;
  return { answers, verified, over: Promise.all(sent) };
}

const assertTurnedAway = (answers: readonly Answer[]) => {
  assert.equal(answers.length, FLOOD);
  const turnedAway = answers.filter(({ status }) => status !== 401);
  assert.ok(turnedAway.length > FLOOD / 3, `${turnedAway.length} were turned away`);
  for (const answer of turnedAway) {
    assertFailure(answer, answer.status === 429 ? 429 : 503, 0);
    assert.match(String(answer.headers.get('retry-after')), /^[1-9]\d?$/);
  }
};

test('beside 500 wrong logins a client that was let in before is served first', async () => {
  assertFailure(await from('198.51.100.1', 'central', 'demo'), 404, 0);
  // The cached password check has expired, so the password is verified again.
  malote.clock.advance({ minutes: 2 });
  const { answers, verified, over } = flood();
  const valid = await from('198.51.100.1', 'central', 'demo');
  const before = verified();
  assertFailure(valid, 404, 0);
  assert.ok(before < FLOOD / 4, `${before} wrong logins were verified before it`);
  await over;
  assertTurnedAway(answers);
});

test('beside 500 wrong logins somebody new in a quiet network gets in too', async () => {
  malote.clock.advance({ minutes: 20 });
  const { answers, verified, over } = flood();
  const valid = await from('198.51.100.2', 'gerente', 'demo');
  const before = verified();
  assertFailure(valid, 404, 0);
  assert.ok(before < FLOOD / 4, `${before} wrong logins were verified before it`);
  await over;
  assertTurnedAway(answers);
});

test('wrong logins use up nothing of what the central is allowed', async () => {
  malote.clock.advance({ minutes: 20 });
  const answer = await from('198.51.100.1', 'central', 'demo');
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '799');
});

test('a field named as a password is not digested where no password is taken', async () => {
  const report = (senha: string) =>
    malote
      .driver(1)
      .post('/condutores/1/posicao', { lat: -30.03, lng: -51.23, senha }, { 'idempotency-key': 'position' });
  const first = assertOk(await report('not asked for'));
  // If the password were part of the digest, this would be another request under the same key.
  assert.equal(assertOk(await report('something else')).text, first.text);
});

test('beside 300 passwords that a central sets somebody else gets in', async () => {
  malote.clock.advance({ minutes: 20 });
  const user = { usuario: 'nobody', perfil: 'atendente', senha: 'uma senha comprida' };
  let set = 0;
  const flood = Array.from({ length: 300 }, async () => {
    const { status } = await malote.operator.put('/usuarios/999999', user);
    if (status === 404) set += 1;
    return status;
  });
  await Promise.race(flood);
  assertFailure(await from('198.51.100.3', 'gerente2', 'demo'), 404, 0);
  assert.ok(set < 100, `${set} passwords were digested before it`);
  const statuses = new Set(await Promise.all(flood));
  assert.ok(statuses.isSubsetOf(new Set([404, 503])), `${[...statuses]}`);
});
