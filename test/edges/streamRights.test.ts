import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { basic, client } from '../support/client.ts';
import { newDriverLogin } from '../support/device.ts';
import { startMalote } from '../support/malote.ts';
import { type EventSource, openEventSource } from '../support/rawHttp.ts';
import { assertOk, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, central, url } = malote;
const consoleHeaders = { 'x-malote-console': '1', 'content-type': 'application/json' };

interface Account {
  id: number;
  usuario: string;
  senha: string;
}

let count = 0;
async function newUser(fields: Record<string, unknown> = {}): Promise<Account> {
  count += 1;
  const account = { usuario: `pessoa${count}`, senha: 'uma senha comprida' };
  const body = { ...account, perfil: 'gerente', empresa_id: 1, ...fields };
  return { ...account, id: assertOk(await operator.post('/usuarios', body)).body.data.id };
}

const change = (account: Account, fields: Record<string, unknown>) =>
  operator.put(`/usuarios/${account.id}`, {
    usuario: account.usuario,
    perfil: 'gerente',
    empresa_id: 1,
    ...fields,
  });

const watch = (t: TestContext, { usuario, senha }: Account, at = url, key = 'demo-chave') =>
  openEventSource(t, `${at}/api/v2/operacao/eventos`, {
    'api-key': key,
    authorization: basic(usuario, senha),
  });

async function logIn({ usuario, senha }: Account): Promise<string> {
  const answer = await fetch(`${url}/console/sessao`, {
    method: 'POST',
    headers: consoleHeaders,
    body: JSON.stringify({ central: '1', usuario, senha }),
  });
  assert.equal(answer.status, 200);
  return String(answer.headers.get('set-cookie')).split(';')[0]!;
}

const watchAs = (t: TestContext, cookie: string) =>
  openEventSource(t, `${url}/api/v2/operacao/eventos`, { cookie });

const ends = (stream: EventSource) => waitUntil('the stream ends', () => stream.isOver());

/** A second process on the same database. */
async function anotherProcess(t: TestContext): Promise<string> {
  const { db, clock } = malote;
  const app = await buildApp({ db, clock, log: pino({ level: 'silent' }), routers: estimatorRouters });
  t.after(() => app.close());
  return app.server.listen({ port: 0, host: '127.0.0.1' });
}

const changes: [string, (account: Account) => Promise<unknown>][] = [
  ['is disabled', (account) => change(account, { ativo: false })],
  ['is deleted', (account) => operator.delete(`/usuarios/${account.id}`)],
  ['has a new password', (account) => change(account, { senha: 'outra senha comprida' })],
  ['moves to another company', (account) => change(account, { empresa_id: 2 })],
  ['has another role', (account) => change(account, { perfil: 'operador', empresa_id: null })],
];

for (const [what, alter] of changes)
  test(`the streams of a user who ${what} end in every process, and no others`, async (t) => {
    const account = await newUser();
    const other = await newUser();
    const elsewhere = await anotherProcess(t);
    const cookie = await logIn(account);
    const own = [await watch(t, account), await watch(t, account, elsewhere), await watchAs(t, cookie)];
    const others = [
      await watch(t, other),
      await watch(t, other, elsewhere),
      await watchAs(t, await logIn(other)),
    ];
    for (const stream of [...own, ...others]) assert.equal(stream.status, 200);
    assertOk((await alter(account)) as Awaited<ReturnType<typeof change>>);
    for (const stream of own) await ends(stream);
    assert.deepEqual(
      others.map((stream) => stream.isOver()),
      [false, false, false],
    );
  });

test('a stream ends with the key that it was opened with, and not with another', async (t) => {
  const account = await newUser();
  const { id, chave } = assertOk(await operator.post('/chaves', { descricao: 'painel' })).body.data;
  const stream = await watch(t, account, url, chave);
  const other = await watch(t, account);
  assert.equal(stream.status, 200);
  assertOk(await operator.delete(`/chaves/${id}`));
  await ends(stream);
  assert.equal(other.isOver(), false);
});

test('a stream ends when its session does: at the logout, and when one login too many ends it', async (t) => {
  const account = await newUser();
  const cookie = await logIn(account);
  const staying = await watchAs(t, await logIn(account));
  const stream = await watchAs(t, cookie);
  assert.equal(stream.status, 200);
  await fetch(`${url}/console/sessao`, { method: 'DELETE', headers: { ...consoleHeaders, cookie } });
  await ends(stream);
  assert.equal(staying.isOver(), false);
  malote.clock.advance({ seconds: 1 });
  await Promise.all(Array.from({ length: 30 }, () => logIn(account)));
  await ends(staying);
  const [row] = await malote.db<{ count: number }>`
    select count(*) from sessions where central_id = 1 and user_id = ${account.id}`;
  assert.equal(row!.count, 20);
});

test('a stream ends when its session expires', async (t) => {
  const account = await newUser();
  const stream = await watchAs(t, await logIn(account));
  assert.equal(stream.status, 200);
  malote.clock.advance({ hours: 12 });
  await ends(stream);
});

test('a change that is made while a stream is being opened is not missed', async (t) => {
  const account = await newUser();
  assert.equal(
    (
      await client(`${url}/api/v2/operacao`, {
        key: 'demo-chave',
        user: account.usuario,
        password: account.senha,
      }).get('/resumo')
    ).status,
    200,
  );
  const [stream] = await Promise.all([watch(t, account), change(account, { ativo: false })]);
  if (stream.status === 200) await ends(stream);
  else assert.equal(stream.status, 401);
});

test('all streams of a central that is deactivated end, those of recipients too', async (t) => {
  const account = await newUser();
  const delivery = await openDelivery(malote);
  const { data } = assertOk(await central.get(`/entregas/${delivery.id}/links-rastreio`)).body;
  const link = new URL(data[0].link_rastreio);
  const recipient = await openEventSource(t, `${url}${link.pathname}/eventos`);
  const stream = await watch(t, account);
  const neighbour = await openEventSource(t, `${url}/api/v2/operacao/eventos`, {
    'api-key': 'demo-vizinha',
    authorization: basic('vizinha', 'demo'),
  });
  for (const opened of [recipient, stream, neighbour]) assert.equal(opened.status, 200);
  t.after(() => malote.db`update centrals set active = true where id = 1`);
  await malote.db`update centrals set active = false where id = 1`;
  await ends(recipient);
  await ends(stream);
  assert.equal(neighbour.isOver(), false);
});

test('the login of a deactivated driver is refused in every process until the driver is active again', async (t) => {
  const { driverId, username: user } = await newDriverLogin(malote);
  const other = await newDriverLogin(malote);
  const login = { key: 'demo-chave', user, password: 'senha-do-condutor' };
  const processes = [url, await anotherProcess(t)];
  const drivers = processes.map((at) => client(`${at}/api/v2/operacao`, login));
  const read = () => Promise.all(drivers.map((driver) => driver.get(`/condutores/${driverId}/trabalho`)));
  const setDuty = () =>
    Promise.all(
      drivers.map((driver) => driver.post(`/condutores/${driverId}/disponibilidade`, { disponivel: false })),
    );
  const follow = (at: string, id: number, username: string) =>
    openEventSource(t, `${at}/api/v2/operacao/condutores/${id}/trabalho/eventos`, {
      'api-key': 'demo-chave',
      authorization: basic(username, 'senha-do-condutor'),
    });
  const record = assertOk(await operator.get(`/condutores/${driverId}`)).body.data;
  const setActive = async (ativo: boolean) =>
    assertOk(await operator.put(`/condutores/${driverId}`, { ...record, ativo }));
  const answerBoth = (status: number) =>
    waitUntil(`both processes answer ${status}`, async () =>
      [...(await read()), ...(await setDuty())].every((answer) => answer.status === status),
    );

  for (const answer of [...(await read()), ...(await setDuty())]) assertOk(answer);
  const own = await Promise.all(processes.map((at) => follow(at, driverId, user)));
  const others = await follow(url, other.driverId, other.username);
  for (const stream of [...own, others]) assert.equal(stream.status, 200);
  await setActive(false);
  const [refused] = await read();
  const unknown = await client(`${url}/api/v2/operacao`, { ...login, user: 'ninguem' }).get('/configuracoes');
  assert.deepEqual([refused!.status, refused!.body], [401, unknown.body]);
  await answerBoth(401);
  for (const stream of own) await ends(stream);
  assert.equal(others.isOver(), false);
  await setActive(true);
  assertOk((await read())[0]!);
  await answerBoth(200);
});
