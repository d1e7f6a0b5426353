import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { client } from '../support/client.ts';
import { invite, newDevice, newDriverLogin, signInDevice } from '../support/device.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, countStatuses, newDriver } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db, clock } = malote;
const label = { aparelho: 'Android, Chrome' };
const neighbour = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-vizinha',
  user: 'vizinha',
  password: 'demo',
});
const devicesOf = async (driverId: number) =>
  assertOk(await operator.get(`/condutores/${driverId}/aparelhos`)).body.data;
const session = (cookie: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(`${malote.url}/entregador/sessao`, { method, headers: { cookie, ...headers } });

test('an invitation is a link with a code behind #, good for 15 minutes', async () => {
  const { driverId } = await newDriverLogin(malote);
  const { data } = assertOk(await operator.post(`/condutores/${driverId}/convites`)).body;
  assert.match(data.codigo, /^1\.[0-9A-HJKMNP-TV-Z]{16}$/);
  assert.equal(data.link, `${malote.url}/entregador#convite=${data.codigo}`);
  assert.equal(
    data.expira_em,
    clock.now().add({ minutes: 15 }).toString({ smallestUnit: 'second', roundingMode: 'trunc' }),
  );
  const [row] = await db<{ kept: string }>`select string_agg(i::text, '') as kept from device_invites i`;
  assert.ok(!row!.kept.includes(data.codigo.slice(2)), 'the code is kept as a digest only');
});

test('a code signs a phone in for 90 days, as the driver alone', async () => {
  const { driverId } = await newDriverLogin(malote);
  const code = await invite(malote, driverId);
  const signedIn = await signInDevice(malote, { codigo: ` ${code.toLowerCase()} `, ...label });
  assert.equal(signedIn.status, 200);
  assert.deepEqual(signedIn.body.data, {
    condutor_id: String(driverId),
    nome: 'Condutor de teste',
    central: { id: '1', nome: 'Central Demonstração' },
  });
  assert.match(
    signedIn.setCookie,
    /^malote_aparelho=1\.[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
  );
  const cookie = signedIn.setCookie.split(';')[0]!;
  const again = await session(cookie);
  assert.deepEqual(await again.json(), signedIn.body);
  assert.match(again.headers.get('set-cookie')!, /Max-Age=7776000/);
  const phone = client(`${malote.url}/api/v2/operacao`, { cookie });
  assertOk(await phone.get(`/condutores/${driverId}/trabalho`));
  assertOk(await phone.post(`/condutores/${driverId}/disponibilidade`, { disponivel: true }));
  assertRefused(await phone.get('/condutores/1/trabalho'), 404, /entregador/);
  assertRefused(await phone.get('/condutores'), 403, /permissão/);
});

test('a driver may sign in with central, user and password; others may not', async () => {
  const login = { central: 'central demonstracao', usuario: 'condutor1', senha: 'demo', ...label };
  const signedIn = await signInDevice(malote, login);
  assert.deepEqual([signedIn.status, signedIn.body.data.condutor_id], [200, '1']);
  const wrong = await signInDevice(malote, { ...login, senha: 'errada' });
  assert.deepEqual([wrong.status, wrong.body.errors[0].message], [401, 'usuário e/ou senha inválidos']);
  for (const usuario of ['central', 'gerente'])
    assert.equal((await signInDevice(malote, { ...login, usuario })).status, 403);
});

test('missing and too long fields are reported', async () => {
  for (const body of [
    {},
    { codigo: 'x' },
    { codigo: 1, ...label },
    { codigo: 'x', aparelho: 'x'.repeat(101) },
    { central: 'x', usuario: 'x', ...label },
  ])
    assert.equal((await signInDevice(malote, body)).status, 400, JSON.stringify(body));
});

test('a code that is unknown, used, expired or malformed is the same refusal', async () => {
  const { driverId } = await newDriverLogin(malote);
  const used = await invite(malote, driverId);
  assert.equal((await signInDevice(malote, { codigo: used, ...label })).status, 200);
  const expired = await invite(malote, driverId);
  clock.advance({ minutes: 15 });
  const answers = [];
  const elsewhere = (await invite(malote, driverId)).replace(/^1\./, '2.');
  for (const codigo of [used, expired, '1.0000000000000000', '99.0000000000000000', elsewhere, 'nothing'])
    answers.push(await signInDevice(malote, { codigo, ...label }));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.match(answers[0]!.body.errors[0].message, /convite/);
});

test('if many use one code at once, one gets in', async () => {
  const { driverId } = await newDriverLogin(malote);
  const codigo = await invite(malote, driverId);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => signInDevice(malote, { codigo, ...label })),
  );
  assert.deepEqual(countStatuses(answers as never), { 200: 1, 401: 7 });
  assert.equal((await devicesOf(driverId)).length, 1);
});

test('a sixth open invitation voids the oldest', async () => {
  const { driverId } = await newDriverLogin(malote);
  const codes = [];
  for (let count = 0; count < 6; count += 1) {
    codes.push(await invite(malote, driverId));
    clock.advance({ seconds: 1 });
  }
  assert.equal((await signInDevice(malote, { codigo: codes[0], ...label })).status, 401);
  assert.equal((await signInDevice(malote, { codigo: codes[1], ...label })).status, 200);
});

test('a new password or an inactive login ends open invitations and phones', async () => {
  const { driverId, userId, username } = await newDriverLogin(malote);
  const [first, second] = [await invite(malote, driverId), await invite(malote, driverId)];
  const { setCookie } = await signInDevice(malote, { codigo: first, ...label });
  const user = { usuario: username, perfil: 'condutor', condutor_id: driverId };
  assertOk(await operator.put(`/usuarios/${userId}`, { ...user, senha: 'outra-senha-longa' }));
  assert.equal((await session(setCookie.split(';')[0]!)).status, 401);
  assert.equal((await signInDevice(malote, { codigo: second, ...label })).status, 401);
  const third = await invite(malote, driverId);
  assertOk(await operator.put(`/usuarios/${userId}`, { ...user, ativo: false }));
  assert.equal((await signInDevice(malote, { codigo: third, ...label })).status, 401);
  assertRefused(await operator.post(`/condutores/${driverId}/convites`), 422, /não tem usuário/);
});

test('a login that is saved without a change keeps its invitations and phones', async () => {
  const { driverId, userId, username } = await newDriverLogin(malote);
  const [first, second] = [await invite(malote, driverId), await invite(malote, driverId)];
  const { setCookie } = await signInDevice(malote, { codigo: first, ...label });
  const user = { usuario: username, perfil: 'condutor', condutor_id: driverId };
  assertOk(await operator.put(`/usuarios/${userId}`, user));
  assert.equal((await session(setCookie.split(';')[0]!)).status, 200);
  assert.equal((await signInDevice(malote, { codigo: second, ...label })).status, 200);
});

test('a driver who is deactivated is signed out everywhere, and stays so when active again', async () => {
  const { driverId, username, phone, cookie } = await newDevice(malote);
  const other = await newDevice(malote);
  const code = await invite(malote, driverId);
  const signIn = () =>
    signInDevice(malote, { central: '1', usuario: username, senha: 'senha-do-condutor', ...label });
  const second = await signIn();
  assert.equal(second.status, 200);
  const driver = assertOk(await operator.get(`/condutores/${driverId}`)).body.data;
  const setActive = async (ativo: boolean) =>
    assertOk(await operator.put(`/condutores/${driverId}`, { ...driver, ativo }));
  const isSignedOut = async () => {
    assert.equal((await phone.get(`/condutores/${driverId}/trabalho`)).status, 401);
    assert.equal((await session(cookie)).status, 401);
    assert.equal((await session(second.setCookie.split(';')[0]!)).status, 401);
    assert.deepEqual(await devicesOf(driverId), []);
    assert.equal((await signInDevice(malote, { codigo: code, ...label })).status, 401);
  };
  await setActive(false);
  await isSignedOut();
  assert.equal((await signIn()).status, 401);
  assertRefused(await operator.post(`/condutores/${driverId}/convites`), 422, /inativo/);
  await setActive(true);
  await isSignedOut();
  assert.equal((await signIn()).status, 200);
  await setActive(true);
  assert.equal((await devicesOf(driverId)).length, 1);
  assertOk(await other.phone.get(`/condutores/${other.driverId}/trabalho`));
});

test('a driver without a login cannot be invited; unknown and foreign drivers are not found', async () => {
  assertRefused(
    await operator.post(`/condutores/${await newDriver(malote)}/convites`),
    422,
    /não tem usuário/,
  );
  const absent = await operator.post('/condutores/77777777/convites');
  assertRefused(absent, 404, /entregador não encontrado/);
  assert.equal((await neighbour.post('/condutores/1/convites')).text, absent.text);
  assert.equal((await neighbour.get('/condutores/1/aparelhos')).text, absent.text);
  for (const who of [malote.driver(1), client(`${malote.url}/api/v2/operacao`, managers)])
    assertRefused(await who.post('/condutores/1/convites'), 403, /permissão/);
});
const managers = { key: 'demo-chave', user: 'gerente', password: 'demo' };

test('a repetition with the same Idempotency-Key shows the code no more', async () => {
  const { driverId } = await newDriverLogin(malote);
  const key = { 'idempotency-key': 'convite-1' };
  const first = assertOk(await operator.post(`/condutores/${driverId}/convites`, undefined, key)).body.data;
  const again = assertOk(await operator.post(`/condutores/${driverId}/convites`, undefined, key)).body.data;
  assert.ok(first.codigo);
  assert.deepEqual(again, { ...first, codigo: null, link: null });
});

test('operators see a driver’s phones and end one at once', async () => {
  const { driverId, phone, cookie } = await newDevice(malote);
  const [device] = await devicesOf(driverId);
  assert.deepEqual(device, {
    id: device.id,
    nome: 'Android, Chrome',
    criado_em: device.criado_em,
    visto_em: device.criado_em,
    versao: null,
    bateria: null,
  });
  const other = await newDevice(malote);
  const path = (driver: number, id: string) => `/condutores/${driver}/aparelhos/${id}`;
  const absent = await operator.delete(path(driverId, '77777777'));
  assertRefused(absent, 404, /aparelho não encontrado/);
  assert.equal((await operator.delete(path(other.driverId, device.id))).text, absent.text);
  assert.equal((await neighbour.delete(path(driverId, device.id))).text, absent.text);
  assertOk(await phone.get(`/condutores/${driverId}/trabalho`));
  assertOk(await operator.delete(path(driverId, device.id)));
  assert.equal((await phone.get(`/condutores/${driverId}/trabalho`)).status, 401);
  assert.equal((await session(cookie)).status, 401);
  assert.deepEqual(await devicesOf(driverId), []);
  assertOk(await other.phone.get(`/condutores/${other.driverId}/trabalho`));
});

test('the last use is written at most once a minute, and keeps the phone signed in', async () => {
  const { driverId, phone } = await newDevice(malote);
  const seen = async () => {
    const [row] = await db<{ seen: Temporal.Instant; until: Temporal.Instant; version: string }>`
      select d.seen_at as seen, s.expires_at as until, d.xmin::text as version
      from sessions s join devices d using (central_id, sha256)
      where s.user_id = (select id from users where central_id = 1 and driver_id = ${driverId})`;
    return row!;
  };
  const use = async () => assertOk(await phone.get(`/condutores/${driverId}/trabalho`));
  const first = await seen();
  clock.advance({ seconds: 59 });
  await use();
  assert.deepEqual(await seen(), first);
  clock.advance({ seconds: 1 });
  await use();
  const second = await seen();
  assert.ok(second.seen.equals(clock.now()));
  assert.ok(second.until.equals(clock.now().add({ hours: 90 * 24 })));
  clock.advance({ hours: 80 * 24 });
  await use();
  clock.advance({ hours: 80 * 24 });
  await use();
  clock.advance({ hours: 90 * 24 });
  assert.equal((await phone.get(`/condutores/${driverId}/trabalho`)).status, 401);
});

test('signing out ends the phone’s session only', async () => {
  const { cookie, driverId } = await newDevice(malote);
  assert.equal((await session(cookie, 'DELETE')).status, 403);
  const out = await session(cookie, 'DELETE', { 'x-malote-entregador': '1' });
  assert.equal(out.status, 200);
  assert.match(out.headers.get('set-cookie')!, /^malote_aparelho=; .*Max-Age=0/);
  assert.equal((await session(cookie)).status, 401);
  assert.deepEqual(await devicesOf(driverId), []);
});

test('a sign-in on a phone ends the session that was open there, of any driver', async () => {
  const [first, elsewhere] = [await newDevice(malote), await newDevice(malote)];
  const { driverId } = await newDriverLogin(malote);
  const own = { 'x-malote-entregador': '1', cookie: first.cookie };
  assert.equal((await signInDevice(malote, { codigo: '1.0000000000000000', ...label }, own)).status, 401);
  assert.equal((await session(first.cookie)).status, 200, 'a code that is refused ends nothing');
  const second = await signInDevice(malote, { codigo: await invite(malote, driverId), ...label }, own);
  assert.deepEqual([second.status, second.body.data.condutor_id], [200, String(driverId)]);
  assert.equal((await session(first.cookie)).status, 401);
  assert.deepEqual(await devicesOf(first.driverId), []);
  assert.equal((await session(elsewhere.cookie)).status, 200, 'other phones stay signed in');

  const cookie = second.setCookie.split(';')[0]!;
  const again = { ...own, cookie };
  const third = await signInDevice(malote, { codigo: await invite(malote, driverId), ...label }, again);
  assert.equal(third.status, 200);
  assert.equal((await session(cookie)).status, 401);
  assert.equal((await devicesOf(driverId)).length, 1, 'the same driver again');
  const stale = await signInDevice(malote, { codigo: await invite(malote, driverId), ...label }, again);
  assert.equal(stale.status, 200, 'a cookie of a session that is over is no obstacle');
});

test('writes need the header that no other page can send', async () => {
  const { cookie, driverId } = await newDevice(malote);
  const write = (headers: Record<string, string>) =>
    fetch(`${malote.url}/api/v2/operacao/condutores/${driverId}/disponibilidade`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: '{"disponivel":true}',
    });
  assert.equal((await write({})).status, 403);
  assert.equal((await write({ 'x-malote-console': '1' })).status, 200);
  const code = await invite(malote, driverId);
  assert.equal((await signInDevice(malote, { codigo: code, ...label }, {})).status, 403);
});

test('the console takes no phone’s token, and the app no console’s', async () => {
  const { cookie } = await newDevice(malote);
  const asConsole = cookie.replace('malote_aparelho', 'malote_sessao');
  const visit = (path: string, with_: string) => fetch(malote.url + path, { headers: { cookie: with_ } });
  assert.equal((await visit('/console/sessao', asConsole)).status, 401);
  assert.equal((await visit('/api/v2/operacao/condutores', asConsole)).status, 401);
  const opened = await fetch(`${malote.url}/console/sessao`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-malote-console': '1' },
    body: JSON.stringify({ central: '1', usuario: 'central', senha: 'demo' }),
  });
  const console_ = opened.headers.get('set-cookie')!.split(';')[0]!;
  assert.equal((await session(console_.replace('malote_sessao', 'malote_aparelho'))).status, 401);
  // A browser may hold both cookies; the app states that it means its own.
  const both = `${console_}; ${cookie}`;
  const drivers = (headers: Record<string, string>) =>
    fetch(`${malote.url}/api/v2/operacao/condutores`, { headers: { cookie: both, ...headers } });
  assert.equal((await drivers({})).status, 200);
  assert.equal((await drivers({ 'x-malote-entregador': '1' })).status, 403);
});

test('guessing codes is slowed down', async () => {
  const other = await startMalote();
  const guess = () => signInDevice(other, { codigo: '1.0000000000000000', ...label });
  const statuses = [];
  while (statuses.length < 60 && statuses.at(-1) !== 429) statuses.push((await guess()).status);
  assert.equal(statuses.at(-1), 429);
  assert.ok(statuses.length > 50, 'people who share a network are let try');
});

test('expired invitations are tidied up', async () => {
  const { driverId } = await newDriverLogin(malote);
  await invite(malote, driverId);
  clock.advance({ minutes: 16 });
  await tidyUp({ db, clock });
  assert.deepEqual(await db`select 1 from device_invites`, []);
});
