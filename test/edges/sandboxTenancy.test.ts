import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { INTEGRATION_BASE } from '../../server/src/api/integration/endpoints.ts';
import { OPERATION_BASE } from '../../server/src/api/operations/endpoints.ts';
import { raw } from '../../server/src/platform/postgres/sql.ts';
import { belongings, CENTRAL_SECRET, COMPANY_SECRET, type Ids } from '../support/belongings.ts';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { everyEndpoint, isFor, type PlacedEndpoint, pathWith, queryOf } from '../support/everyEndpoint.ts';
import { png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

// The keys of one side never reach the other: for every endpoint of both interfaces, in both directions. What both sides
// have with the same ids are the registers that the sandbox took over; then only the own side is read and written.

const malote = await startMalote();
const { db } = malote;
await malote.configure({ managerTopUp: true, pixKey: 'demo@example.com' });
const real = belongings(malote);
const NOBODYS_ID = 77_777_777;

const loginAt = (base: string, user: string, key: string): Client =>
  client(malote.url + base, { key, user, password: 'demo' });
const userOf = ({ endpoint }: PlacedEndpoint): string => (isFor(endpoint, 'manager') ? 'gerente' : 'central');
const onReal = (placed: PlacedEndpoint): Client => loginAt(placed.base, userOf(placed), 'demo-chave');
const onSandbox = (placed: PlacedEndpoint): Client =>
  loginAt(placed.base, userOf(placed), 'teste_demo-chave');

const boxed = belongings({
  ...malote,
  manager: loginAt(INTEGRATION_BASE, 'gerente', 'teste_demo-chave'),
  operator: loginAt(OPERATION_BASE, 'central', 'teste_demo-chave'),
});

/** Logins and credentials are kept on the real side. */
const isOfRealSide = ({ endpoint }: PlacedEndpoint): boolean =>
  ['users', 'keys'].includes(endpoint.permission);
/** Paths that begin with a company or a driver that the other side has too. */
const namesSharedRegister = ({ endpoint }: PlacedEndpoint): boolean =>
  /^\/(entregas\/)?empresas\/:id\//.test(endpoint.path);

const send = (login: Client, { endpoint }: PlacedEndpoint, ids: Ids): Promise<Answer> => {
  const body: Json = endpoint.body && structuredClone(endpoint.bodyExample);
  const query = endpoint.path === '/busca' ? '?texto=segredo' : queryOf(endpoint);
  return login.send(pathWith(endpoint.path, (name) => ids[name] ?? NOBODYS_ID) + query, {
    method: endpoint.method,
    ...(endpoint.rawBody && { body: png(), headers: { 'content-type': 'image/png' } }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
};

/** The rows of a central, in every table that has some. */
async function rowsOf(centralId: number): Promise<Record<string, string>> {
  const tables = await db<{ name: string }>`
    select c.relname::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'central_id'
    where c.relkind = 'r' and c.relname not in ('id_counters', 'proof_link_keys', 'api_requests', 'api_request_days')
    order by c.relname`;
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db<{ mark: string }>`
      select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as mark
      from ${raw(name)} t where central_id = ${centralId}`;
    found[name] = row!.mark;
  }
  return found;
}

const sandboxId = async (): Promise<number> =>
  (await db<{ id: number }>`select id from centrals where sandbox_of = 1 and active`)[0]!.id;

before(async () => {
  // The sandbox is older than what is made here, so it has none of it, and both logins have their rows in it.
  for (const user of ['central', 'gerente'])
    assertOk(await loginAt(INTEGRATION_BASE, user, 'teste_demo-chave').get('/sandbox'));
});

const named = everyEndpoint.filter(({ endpoint }) => endpoint.path.includes(':') && !endpoint.isLive);

for (const placed of named) {
  test(`${placed.name}: a key of the sandbox does not reach what the real side has`, async () => {
    const ids = await real.idsFor(placed.endpoint.path);
    const before = await rowsOf(1);
    const answer = await send(onSandbox(placed), placed, ids);
    assert.deepEqual(await rowsOf(1), before);
    if (isOfRealSide(placed)) assertFailure(answer, 403, 0);
    else if (!namesSharedRegister(placed)) {
      assertFailure(answer, 404, 0);
      assert.equal(answer.text, (await send(onSandbox(placed), placed, {})).text);
    }
    assert.ok(!answer.text.includes(COMPANY_SECRET) && !answer.text.includes(CENTRAL_SECRET));
  });
}

for (const placed of everyEndpoint.filter(
  ({ endpoint }) =>
    !endpoint.path.includes(':') &&
    !endpoint.isLive &&
    (endpoint.method === 'GET' || endpoint.path.endsWith('consultar')),
)) {
  test(`${placed.name}: shows nothing of the real side to a key of the sandbox`, async () => {
    const answer = await onSandbox(placed).send(
      placed.endpoint.path +
        (placed.endpoint.path === '/busca' ? '?texto=segredo' : queryOf(placed.endpoint)),
      {
        method: placed.endpoint.method,
        ...(placed.endpoint.method === 'POST' && {
          body: JSON.stringify({ limite: 100 }),
          headers: { 'content-type': 'application/json' },
        }),
      },
    );
    if (isOfRealSide(placed)) return assertFailure(answer, 403, 0);
    if (answer.status !== 200) assertFailure(answer, 404, 0);
    assert.ok(!answer.text.includes(COMPANY_SECRET) && !answer.text.includes(CENTRAL_SECRET));
  });
}

/** What belongings.ts writes into central 1 by itself, or with a driver, and reasons, whose ids are chosen on both sides. */
const NOT_MADE_IN_SANDBOX =
  /^\/(enderecos\/propostas|condutores\/:id\/(convites|aparelhos)|fechamentos|visoes|motivos-cancelamento|entregas\/:id\/(agrupar|paradas\/:parada_id\/(retomar|nova-entrega|resolver|comprovantes)))/;

for (const placed of named.filter(
  (each) =>
    !isOfRealSide(each) && !namesSharedRegister(each) && !NOT_MADE_IN_SANDBOX.test(each.endpoint.path),
)) {
  test(`${placed.name}: a key of the real side does not reach what the sandbox has`, async () => {
    const ids = await boxed.idsFor(placed.endpoint.path);
    const sandbox = await sandboxId();
    const before = await rowsOf(sandbox);
    const answer = await send(onReal(placed), placed, ids);
    assert.deepEqual(await rowsOf(sandbox), before);
    assertFailure(answer, 404, 0);
    assert.equal(answer.text, (await send(onReal(placed), placed, {})).text);
  });
}

test('the key of another central reaches no sandbox but its own', async () => {
  const neighbour = loginAt(OPERATION_BASE, 'vizinha', 'demo-vizinha');
  const { chave } = assertOk(await neighbour.post('/ambiente-de-teste/chaves', { descricao: 'x' })).body.data;
  const login = loginAt(INTEGRATION_BASE, 'vizinha', chave);
  assertOk(await login.get('/sandbox'));
  // The people of one central are strangers in the sandbox of another.
  assertFailure(await loginAt(INTEGRATION_BASE, 'central', chave).get('/sandbox'), 401, 0);
  assertFailure(await loginAt(INTEGRATION_BASE, 'vizinha', 'teste_demo-chave').get('/sandbox'), 401, 0);
  const { id } = await boxed.delivery();
  assertFailure(await login.get(`/entregas/${id}`), 404, 0);
});

test('nobody logs in at the console of a sandbox', async () => {
  const id = await sandboxId();
  const [row] = await db<{ name: string }>`select name from centrals where id = ${id}`;
  for (const central of [String(id), row!.name]) {
    const answer = await fetch(`${malote.url}/console/sessao`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-malote-console': '1' },
      body: JSON.stringify({ central, usuario: 'central', senha: 'demo' }),
    });
    assert.equal(answer.status, 401);
  }
});
