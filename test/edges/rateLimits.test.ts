import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimits } from '../../server/src/api/http/rateLimits.ts';
import { type Answer, client } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote({ limits: true });
const { central, manager, neighbour, clock } = malote;

const standing = ({ headers }: Answer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
});

/** Begins a new window: more than a minute after everything before. */
const aMinuteLater = () => clock.advance({ seconds: 61 });

test('the defaults are those of the interface', async () => {
  assert.deepEqual(standing(await central.get('/entregas/programadas')), { limit: 200, remaining: 199 });
  assert.deepEqual(standing(await central.post('/entregas/consultar')), { limit: 800, remaining: 799 });
  const areas = await central.get('/entregas/bandeiras/areas-atuacao');
  assert.deepEqual(standing(areas), { limit: 1000, remaining: 999 });
});

test('the limit is per api-key: its users share it, another central has its own', async () => {
  aMinuteLater();
  assert.equal(standing(await central.post('/entregas/consultar')).remaining, 799);
  assert.equal(standing(await manager.post('/entregas/consultar')).remaining, 798);
  assert.equal(standing(await neighbour.post('/entregas/consultar')).remaining, 799);
});

test('the limit is exact, slides with time, and says when to come back', async () => {
  aMinuteLater();
  await malote.configure({ limitDeliveries: 3 });
  assert.equal(standing(await central.get('/entregas/1')).remaining, 2);
  clock.advance({ seconds: 20 });
  assert.equal(standing(await central.get('/entregas/1')).remaining, 1);
  assert.equal(standing(await central.get('/entregas/1')).remaining, 0);
  const refused = await central.get('/entregas/1');
  assertFailure(refused, 429, 0);
  assert.deepEqual(standing(refused), { limit: 3, remaining: 0 });
  assert.equal(refused.headers.get('retry-after'), '40');
  clock.advance({ milliseconds: 39_999 });
  assertFailure(await central.get('/entregas/1'), 429, 0);
  clock.advance({ milliseconds: 1 });
  assertFailure(await central.get('/entregas/1'), 404, 0);
  assertFailure(await central.get('/entregas/1'), 429, 0);
});

test('many at once get no more than the limit', async () => {
  aMinuteLater();
  await malote.configure({ limitDeliveries: 10 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => central.get('/entregas/1')));
  assert.equal(answers.filter(({ status }) => status === 404).length, 10);
  assert.equal(answers.filter(({ status }) => status === 429).length, 40);
});

test('requests refused for the rights of a login use up its own allowance, and not that of the key', async (t) => {
  aMinuteLater();
  await malote.configureFor(t, { limitDeliveries: 20, limitScheduled: 20, limitOperations: 20 });
  const driverAtIntegration = client(`${malote.url}/api/v2/integracao`, {
    key: 'demo-chave',
    user: 'condutor1',
    password: 'demo',
  });
  for (const [login, path, refusal] of [
    [manager, '/entregas/999999', 404],
    [driverAtIntegration, '/entregas/1', 403],
    [driverAtIntegration, '/entregas/programadas', 403],
    [malote.driver(1), '/configuracoes', 403],
  ] as const) {
    for (let count = 1; count <= 20; count += 1) {
      const answer = await login.get(path);
      assertFailure(answer, refusal, 0);
      assert.deepEqual(standing(answer), { limit: 20, remaining: 20 - count });
    }
    assertFailure(await login.get(path), 429, 0);
  }
  assert.deepEqual(standing(await central.post('/entregas/consultar')), { limit: 20, remaining: 19 });
  assert.deepEqual(standing(await central.get('/entregas/programadas')), { limit: 20, remaining: 19 });
  assert.equal((await malote.operator.get('/configuracoes')).status, 200);
  aMinuteLater();
  assert.equal((await manager.post('/entregas/consultar')).status, 200);
});

test('one login cannot use a key up for the others, whoever comes first', async (t) => {
  aMinuteLater();
  await malote.configureFor(t, { limitDeliveries: 10 });
  const ask = async (login: typeof manager, count: number) => {
    const answers = [];
    for (let sent = 0; sent < count; sent += 1) answers.push(await login.post('/entregas/consultar'));
    return answers.map(({ status }) => status);
  };
  // Alone it has the whole limit; what is beyond its share is not held against the others.
  assert.deepEqual(await ask(manager, 11), [...Array(10).fill(200), 429]);
  assert.deepEqual(await ask(central, 3), [200, 200, 429]);
  aMinuteLater();
  assert.deepEqual(await ask(central, 1), [200]);
  assert.deepEqual(await ask(manager, 9), [...Array(8).fill(200), 429]);
  assert.deepEqual(await ask(central, 2), [200, 429]);
});

test('RateLimit and RateLimit-Policy say the same as in the draft of the IETF', async () => {
  aMinuteLater();
  const draft = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  await malote.configure({ limitDeliveries: 800 });
  assert.deepEqual(draft(await central.post('/entregas/consultar')), [
    '"default";q=800;w=60',
    '"default";r=799;t=60',
  ]);
  clock.advance({ seconds: 20 });
  assert.deepEqual(draft(await central.post('/entregas/consultar')), [
    '"default";q=800;w=60',
    '"default";r=798;t=40',
  ]);
  assert.deepEqual(draft(await manager.post('/entregas/consultar')), [
    '"default";q=800;w=60, "login";q=640;w=60',
    '"default";r=797;t=40, "login";r=639;t=40',
  ]);
  const nobody = client(`${malote.url}/api/v2/integracao`, { key: 'unknown', user: 'x', password: 'y' });
  assert.deepEqual(draft(await nobody.get('/entregas/1')), ['"default";q=120;w=60', '"default";r=119;t=60']);
});

test('one group does not use up another', async (t) => {
  aMinuteLater();
  await malote.configureFor(t, { limitDeliveries: 1 });
  await central.get('/entregas/1');
  assertFailure(await central.get('/entregas/1'), 429, 0);
  assert.equal((await central.get('/entregas/programadas')).status, 200);
  assert.equal((await central.get('/entregas/bandeiras/areas-atuacao')).status, 200);
});

const balance = (identifier: string) =>
  central.get(`/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=${identifier}`);

test('balances are limited per company', async () => {
  aMinuteLater();
  for (let count = 11; count >= 0; count -= 1) {
    const answer = await balance('padaria-moinhos');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(standing(answer), { limit: 12, remaining: count });
  }
  const refused = await balance('padaria-moinhos');
  assertFailure(refused, 429, 0);
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.equal((await balance('farmacia-guaiba')).status, 200);
});

test('top-ups are limited per company', async () => {
  aMinuteLater();
  const topUp = (identificacao: string) =>
    central.post('/entregas/empresas/creditos/recargas', {
      valor: 1,
      observacao: 'teste',
      empresa: { tipo_identificacao: 'I', identificacao },
    });
  for (let count = 0; count < 5; count += 1) assert.equal((await topUp('padaria-moinhos')).status, 200);
  const before = (await balance('padaria-moinhos')).body.data.saldo;
  assertFailure(await topUp('padaria-moinhos'), 429, 0);
  assert.equal((await balance('padaria-moinhos')).body.data.saldo, before);
  assert.equal((await topUp('farmacia-guaiba')).status, 200);
});

test('every answer states the remaining requests, whatever its status', async () => {
  aMinuteLater();
  const nobody = client(`${malote.url}/api/v2/integracao`, { key: 'unknown', user: 'x', password: 'y' });
  const wrong = client(`${malote.url}/api/v2/integracao`, { key: 'demo-chave', user: 'x', password: 'y' });
  const answers: [number, Answer][] = [
    [200, await central.post('/entregas/consultar')],
    [400, await central.get('/entregas/nonsense')],
    [400, await central.send('/entregas/consultar', { method: 'POST', body: '{' })],
    [400, await central.get('/entregas/%zz')],
    [401, await nobody.get('/entregas/1')],
    [401, await wrong.get('/entregas/1')],
    [404, await central.get('/entregas/1')],
    [404, await central.get('/nowhere')],
    [405, await central.send('/entregas/1', { method: 'PATCH' })],
    [405, await central.send('/entregas/1', { method: 'PROPFIND' })],
    [413, await central.post('/entregas', { x: 'x'.repeat(1_100_000) })],
  ];
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status, answer.text);
    assert.match(String(answer.headers.get('x-ratelimit-limit')), /^\d+$/, `${status} ${answer.text}`);
    assert.match(String(answer.headers.get('x-ratelimit-remaining')), /^\d+$/, `${status} ${answer.text}`);
    assert.match(String(answer.headers.get('ratelimit-policy')), /^"default";q=\d+;w=60/);
    assert.match(String(answer.headers.get('ratelimit')), /^"default";r=\d+;t=\d+/);
  }
});

test('strangers are limited by their address, which does not touch those who are known', async () => {
  aMinuteLater();
  const nobody = client(`${malote.url}/api/v2/integracao`, { key: 'unknown', user: 'x', password: 'y' });
  const answers = await Promise.all(Array.from({ length: 150 }, () => nobody.get('/entregas/1')));
  assert.equal(answers.filter(({ status }) => status === 401).length, 120);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 30);
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0));
  assert.equal((await central.post('/entregas/consultar')).status, 200);
});

test('wrong logins with a good api-key do not use up its allowance, and count as strangers', async (t) => {
  aMinuteLater();
  await malote.configureFor(t, { limitDeliveries: 10 });
  const wrong = client(`${malote.url}/api/v2/integracao`, { key: 'demo-chave', user: 'x', password: 'y' });
  const answers = await Promise.all(Array.from({ length: 30 }, () => wrong.get('/entregas/1')));
  assert.ok(answers.every(({ status }) => status === 401 || status === 429));
  const refused = answers.find(({ status }) => status === 401)!;
  assert.equal(standing(refused).limit, 120);
  assert.deepEqual(standing(await central.get('/entregas/1')), { limit: 10, remaining: 9 });
});

test('a flood of strangers neither grows memory without end nor pushes out those who are known', () => {
  const limits = rateLimits(testClock());
  for (let count = 0; count < 3; count += 1) limits.admit('known', 3);
  for (let index = 0; index < 100_000; index += 1)
    limits.admitStranger(`2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`);
  assert.equal(limits.admit('known', 3).admitted, false);
});

test('the networks of one /48 share a limit of their own', () => {
  const limits = rateLimits(testClock());
  let admitted = 0;
  for (let index = 0; index < 5_000; index += 1)
    if (limits.admitStranger(`2001:db8:7:${(index % 1000).toString(16)}::1`).admitted) admitted += 1;
  assert.equal(admitted, 1_200);
  assert.equal(limits.admitStranger('2001:db8:8::1').admitted, true);
});

test('one IPv6 network is one stranger', () => {
  const limits = rateLimits(testClock());
  for (let index = 0; index < 120; index += 1) limits.admitStranger(`2001:db8::${index.toString(16)}`);
  assert.equal(limits.admitStranger('2001:db8::ffff').admitted, false);
  assert.equal(limits.admitStranger('2001:db8:0:1::ffff').admitted, true);
});
