import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createApiKey, createUser } from '../../server/src/centrals/createCentral.ts';
import { hashPassword } from '../../server/src/centrals/passwords.ts';
import { type Answer, basic, client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const base = `${malote.url}/api/v2/integracao`;
const as = (user: string, password = 'demo', key = 'demo-chave') => client(base, { key, user, password });

/** Everything that an answer shows, except what always differs between requests. */
const shown = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries(
    [...headers].filter(([name]) => !/^(x-request-id|date|x-ratelimit-remaining|ratelimit)$/.test(name)),
  ),
});

before(async () => {
  await malote.db.begin(async (tx) => {
    await createUser(tx, 1, { username: 'desligado', password: 'demo', role: 'operator' });
    await createUser(tx, 1, { username: 'josé', password: 'çedilha: é ✓ 🔑', role: 'integrator' });
    await tx`update users set active = false where username = 'desligado'`;
  });
  await malote.app.deps.registersHeard();
});

test('every kind of bad credentials is one and the same answer', async () => {
  const send = (authorization: string | undefined) =>
    malote.central.send('/entregas/1/status', { headers: { authorization } });
  const kinds: Record<string, Answer> = {
    'wrong password': await send(basic('central', 'wrong')),
    'unknown user': await send(basic('nobody', 'demo')),
    'user of another central': await send(basic('vizinha', 'demo')),
    'disabled user': await send(basic('desligado', 'demo')),
    'no header': await send(undefined),
    'another scheme': await send('Bearer abc'),
    'not base64': await send('Basic ***'),
    'no colon': await send(`Basic ${Buffer.from('central').toString('base64')}`),
    'empty user': await send(basic('', 'demo')),
    'empty password': await send(basic('central', '')),
    'password with a NUL': await send(basic('central', 'demo\0')),
    'overlong user': await send(basic('c'.repeat(9000), 'demo')),
    'overlong password': await send(basic('central', 'd'.repeat(9000))),
    'case of the user': await send(basic('CENTRAL', 'demo')),
    'space around the password': await send(basic('central', ' demo ')),
    'bytes that are not UTF-8': await send(`Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`),
  };
  const first = kinds['wrong password']!;
  assertFailure(first, 401, 0);
  assert.equal(first.body.errors[0].message, 'usuário e/ou senha inválidos');
  for (const [kind, answer] of Object.entries(kinds)) assert.deepEqual(shown(answer), shown(first), kind);
});

test('every kind of unidentified central is one answer, which says whether a key was sent', async () => {
  await malote.db`update centrals set active = false where id = 2`;
  await malote.app.deps.registersHeard();
  const send = (key: string | undefined) =>
    malote.central.send('/entregas/1/status', { headers: { 'api-key': key } });
  const missing = await send(undefined);
  assertFailure(missing, 401, 0);
  assert.match(missing.body.errors[0].message, /central \(bandeira\) não identificada.*envie o cabeçalho/);
  assert.deepEqual(shown(await send('')), shown(missing));
  const kinds: Record<string, Answer> = {
    unknown: await send('another'),
    'of an inactive central': await as('vizinha', 'demo', 'demo-vizinha').get('/entregas/1/status'),
    'case of the key': await send('DEMO-CHAVE'),
    overlong: await send('k'.repeat(5000)),
    latin1: await send('chave-ção'),
  };
  const first = kinds.unknown!;
  assertFailure(first, 401, 0);
  assert.match(first.body.errors[0].message, /^api-key desconhecida: confira a chave enviada/);
  assert.deepEqual(Object.keys(shown(first)), Object.keys(shown(missing)));
  assert.equal(first.headers.get('www-authenticate'), missing.headers.get('www-authenticate'));
  for (const [kind, answer] of Object.entries(kinds)) assert.deepEqual(shown(answer), shown(first), kind);
  await malote.db`update centrals set active = true where id = 2`;
  await malote.app.deps.registersHeard();
  assert.equal((await as('vizinha', 'demo', 'demo-vizinha').post('/entregas/consultar')).status, 200);
});

test('names and passwords may hold any character but a colon in the name', async () => {
  assert.equal((await as('josé', 'çedilha: é ✓ 🔑').post('/entregas/consultar')).status, 200);
  assert.equal((await as('josé', 'çedilha').post('/entregas/consultar')).status, 401);
});

test('the scheme may be written in any case, and base64 with or without padding', async () => {
  for (const authorization of [
    'basic Y2VudHJhbDpkZW1v',
    'BASIC  Y2VudHJhbDpkZW1v',
    'Basic Y2VudHJhbDpkZW1v==',
  ])
    assert.equal((await malote.central.get('/entregas/1', { authorization })).status, 404, authorization);
});

test('a revoked key is refused at once', async () => {
  const { id, key } = await createApiKey(malote.app.deps, 1, 'soon revoked');
  const integrator = as('central', 'demo', key);
  assert.equal((await integrator.post('/entregas/consultar')).status, 200);
  await malote.db`update api_keys set revoked_at = now() where central_id = 1 and id = ${id}`;
  await malote.app.deps.registersHeard();
  assertFailure(await integrator.post('/entregas/consultar'), 401, 0);
});

test('a disabled user is out at once, and in again at once', async () => {
  const user = as('gerente2');
  assert.equal((await user.post('/entregas/consultar')).status, 200);
  await malote.db`update users set active = false where central_id = 1 and username = 'gerente2'`;
  await malote.app.deps.registersHeard();
  assertFailure(await user.post('/entregas/consultar'), 401, 0);
  await malote.db`update users set active = true where central_id = 1 and username = 'gerente2'`;
  await malote.app.deps.registersHeard();
  assert.equal((await user.post('/entregas/consultar')).status, 200);
});

test('a new password holds at once, and the old one no longer', async () => {
  const hash = await hashPassword('nova');
  assert.equal((await as('gerente').post('/entregas/consultar')).status, 200);
  await malote.db`update users set password_hash = ${hash} where central_id = 1 and username = 'gerente'`;
  await malote.app.deps.registersHeard();
  assertFailure(await as('gerente').post('/entregas/consultar'), 401, 0);
  assert.equal((await as('gerente', 'nova').post('/entregas/consultar')).status, 200);
});

test('an inactive central is refused at once', async () => {
  const neighbour = as('vizinha', 'demo', 'demo-vizinha');
  assert.equal((await neighbour.post('/entregas/consultar')).status, 200);
  await malote.db`update centrals set active = false where id = 2`;
  await malote.app.deps.registersHeard();
  assertFailure(await neighbour.post('/entregas/consultar'), 401, 0);
});

test('drivers have no business on the integration interface', async () => {
  assertFailure(await as('condutor1').post('/entregas/consultar'), 403, 0);
});

test('the caller is identified before the request is examined', async () => {
  const stranger = as('central', 'wrong');
  assertFailure(await stranger.post('/entregas', 'x'.repeat(2_000_000)), 401, 0);
  assertFailure(await stranger.get('/entregas/nonsense/status'), 401, 0);
  assertFailure(await stranger.send('/entregas', { method: 'POST', body: '{' }), 401, 0);
});

test('two api-key headers name no central', async () => {
  const { rawHttp } = await import('../support/rawHttp.ts');
  const ask = (keys: string[]) =>
    rawHttp(
      malote.url,
      `GET /api/v2/integracao/entregas/1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${basic('central', 'demo')}\r\n${keys.map((key) => `api-key: ${key}\r\n`).join('')}\r\n`,
    );
  for (const keys of [
    ['demo-chave', 'demo-vizinha'],
    ['demo-chave', 'demo-chave'],
    ['', 'demo-chave'],
  ]) {
    const [answer] = (await ask(keys)).answers;
    assertFailure(answer!, 401, 0);
  }
  assertFailure((await ask(['demo-chave'])).answers[0]!, 404, 0);
});

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
