import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roleCode } from '../../server/src/api/json/codes.ts';
import type { Role } from '../../server/src/centrals/caller.ts';
import { readSettings } from '../../server/src/centrals/central.ts';
import { may, roles } from '../../server/src/centrals/permissions.ts';
import { basic, type Client, client } from '../support/client.ts';
import { everyEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator } = malote;
const SENHA = 'uma senha boa';
const DAY_ONLY = 'operadores_so_conduzem_o_dia';

const login = (usuario: string, base = '/api/v2/operacao'): Client =>
  client(malote.url + base, { key: 'demo-chave', user: usuario, password: SENHA });

let count = 0;
const ownerOf = (role: Role) => ({
  ...(role === 'manager' && { empresa_id: 1 }),
  ...(role === 'driver' && { condutor_id: 1 }),
});
async function create(role: Role, by = operator): Promise<{ id: number; usuario: string; login: Client }> {
  const usuario = `${role}${++count}`;
  const body = { usuario, senha: SENHA, perfil: roleCode[role], ...ownerOf(role) };
  return { id: assertOk(await by.post('/usuarios', body)).body.data.id, usuario, login: login(usuario) };
}

/** Whether the role is authorised. Tried with unknown ids and an empty body, so that nothing changes. */
async function isLetIn(
  usuario: string,
  { base, endpoint }: (typeof everyEndpoint)[number],
): Promise<boolean> {
  const abort = new AbortController();
  const answer = await fetch(malote.url + base + pathWith(endpoint.path, () => 987_654_321), {
    method: endpoint.method,
    headers: {
      'api-key': 'demo-chave',
      authorization: basic(usuario, SENHA),
      ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(endpoint.method === 'POST' || endpoint.method === 'PUT' ? { body: '{}' } : {}),
    signal: abort.signal,
  });
  abort.abort();
  assert.notEqual(answer.status, 401);
  return answer.headers.get('x-error-kind') !== 'not-allowed';
}

/** The endpoints whose behaviour differs from the table of permissions. */
async function deviations(role: Role, usuario: string): Promise<string[]> {
  const [row] = await malote.db<{ settings: Record<string, unknown> }>`
    select settings from centrals where id = 1`;
  const central = { settings: readSettings(row!.settings) };
  const wrong: string[] = [];
  for (const placed of everyEndpoint) {
    const expected = may({ role, central }, placed.endpoint.permission);
    if ((await isLetIn(usuario, placed)) !== expected)
      wrong.push(`${placed.name}: expected ${expected ? 'allowed' : 'refused'}`);
  }
  return wrong;
}

for (const role of roles)
  test(`a login with the role ${role} is let in exactly where the table says, on both interfaces`, async () => {
    const { usuario } = await create(role);
    assert.deepEqual(await deviations(role, usuario), []);
  });

test('the same holds while operators run the day only and managers top up', async (t) => {
  const logins = await Promise.all(
    (['operator', 'finance', 'manager'] as const).map(async (role) => ({ role, ...(await create(role)) })),
  );
  await malote.configureFor(t, { operatorsRunDayOnly: true, managerTopUp: true });
  for (const { role, usuario } of logins) assert.deepEqual(await deviations(role, usuario), [], role);
});

test('each new role can do its work, and not what lies just beyond it', async () => {
  const cases: [Role, method: 'get' | 'post' | 'put', path: string, isAllowed: boolean][] = [
    ['finance', 'get', '/fechamentos', true],
    ['finance', 'post', '/condutores/1/lancamentos', true],
    ['finance', 'put', '/configuracoes', false],
    ['finance', 'get', '/usuarios', false],
    ['finance', 'post', '/entregas/1/liberar', false],
    ['attendant', 'get', '/programadas', true],
    ['attendant', 'post', '/destinatarios/buscar', true],
    ['attendant', 'get', '/tarifas', false],
    ['attendant', 'get', '/empresas/1/extrato', false],
    ['attendant', 'post', '/entregas/1/liberar', false],
    ['viewer', 'get', '/tarifas', true],
    ['viewer', 'get', '/fechamentos', true],
    ['viewer', 'post', '/entregas/1/liberar', false],
    ['viewer', 'get', '/chaves', false],
    ['supervisor', 'put', '/configuracoes', true],
    ['supervisor', 'get', '/chaves', true],
  ];
  for (const [role, method, path, isAllowed] of cases) {
    const { login } = await create(role);
    const answer = await login[method](path, method === 'get' ? undefined : ({} as never));
    assert.equal(answer.status !== 403, isAllowed, `${role} ${method} ${path}: ${answer.text}`);
  }
});

test('an attendant orders and cancels on the integration interface, a read-only login only reads there', async () => {
  const { usuario: attendant } = await create('attendant');
  const { usuario: viewer } = await create('viewer');
  const [asAttendant, asViewer] = [attendant, viewer].map((each) => login(each, '/api/v2/integracao'));
  assertRefused(await asAttendant!.post('/entregas/987654321/cancelar', { motivo_id: 1 }), 404, /./);
  assertRefused(await asViewer!.post('/entregas/987654321/cancelar', { motivo_id: 1 }), 403, /permissão/);
  assert.equal((await asViewer!.post('/entregas/consultar')).status, 200);
  const topUp = { valor: 1, empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' } };
  for (const each of [asAttendant, asViewer])
    assertRefused(await each!.post('/entregas/empresas/creditos/recargas', topUp), 403, /permissão/);
});

test('turning on that operators run the day only needs an active supervisor, and only a supervisor turns it off', async (t) => {
  await malote.db`update users set active = false where central_id = 1 and role = 'supervisor'`;
  await malote.app.deps.registersHeard();
  assertRefused(
    await operator.put('/configuracoes', { [DAY_ONLY]: true }),
    409,
    /cadastre antes um supervisor/,
  );

  const supervisor = await create('supervisor');
  t.after(() => supervisor.login.put('/configuracoes', { [DAY_ONLY]: false }));
  assertOk(await operator.put('/configuracoes', { [DAY_ONLY]: true }));
  assertRefused(await operator.put('/configuracoes', { [DAY_ONLY]: false }), 403, /permissão/);
  assertRefused(await operator.post('/usuarios', {}), 403, /permissão/);
  assertRefused(await operator.get('/chaves'), 403, /permissão/);
  assert.equal((await operator.get('/tarifas')).status, 200, 'prices are still to be read');
  const topUp = { valor: 1, empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' } };
  assertRefused(await malote.central.post('/entregas/empresas/creditos/recargas', topUp), 403, /permissão/);

  const other = { usuario: supervisor.usuario, perfil: 'supervisor' };
  assertRefused(
    await supervisor.login.put(`/usuarios/${supervisor.id}`, { ...other, ativo: false }),
    409,
    /próprio usuário/,
  );
  assertRefused(await supervisor.login.delete(`/usuarios/${supervisor.id}`), 409, /próprio usuário/);
  assertOk(await supervisor.login.put('/configuracoes', { [DAY_ONLY]: false }));
  assert.equal((await operator.get('/chaves')).status, 200);
});

/** Both requests are authorised and wait for the central's lock, so neither sees the other's change. */
async function together<Result>(ask: () => Promise<Result>[]): Promise<Result[]> {
  const asked = await malote.db.begin(async (tx) => {
    await tx`select id from centrals where id = 1 for no key update`;
    const all = ask();
    await waitUntil('both wait', async () => (await countLockWaits(malote.db)) === 2);
    return all;
  });
  return Promise.all(asked);
}

test('of two supervisors who remove each other while operators run the day only, the second is refused', async (t) => {
  await malote.db`update users set active = false where central_id = 1 and role = 'supervisor'`;
  const [first, other] = [await create('supervisor'), await create('supervisor')];
  assertOk(await first!.login.get('/usuarios'));
  assertOk(await other!.login.get('/usuarios'));
  await malote.configureFor(t, { operatorsRunDayOnly: true });
  const answers = await together(() => [
    first!.login.delete(`/usuarios/${other!.id}`),
    other!.login.put(`/usuarios/${first!.id}`, { usuario: first!.usuario, perfil: 'consulta' }),
  ]);
  const [done, refused] = answers.toSorted((a, b) => a.status - b.status);
  assert.equal(done!.status, 200, done!.text);
  assertRefused(refused!, 409, /ao menos um supervisor ativo/);
});

test('a login that loses its role while its request waits gives no rights away any more', async () => {
  const [keeper, taken] = [await create('supervisor'), await create('supervisor')];
  assertOk(await taken!.login.get('/usuarios'));
  const demotion = { usuario: taken!.usuario, perfil: 'atendente' };
  const creation = { usuario: 'escondido', senha: SENHA, perfil: 'supervisor' };
  const [demoted, created] = await together(() => [
    keeper!.login.put(`/usuarios/${taken!.id}`, demotion),
    taken!.login.post('/usuarios', creation),
  ]);
  assert.equal(demoted!.status, 200, demoted!.text);
  const { body } = await operator.get('/usuarios?limite=100');
  const isThere = body.data.some(({ usuario }: { usuario: string }) => usuario === 'escondido');
  // The creation can only succeed if it had the lock first, when the login was still a supervisor.
  if (created!.status === 200) assert.ok(isThere);
  else assertRefused(created!, 403, /permissão/);
  assert.equal(created!.status === 200, isThere);
});

for (const role of ['finance', 'attendant', 'viewer', 'integrator', 'manager', 'driver'] as const)
  test(`a login with the role ${role} raises neither itself nor others`, async () => {
    const own = await create(role);
    const target = await create('supervisor');
    const raise = { usuario: own.usuario, perfil: 'operador' };
    for (const answer of [
      await own.login.put(`/usuarios/${own.id}`, raise),
      await own.login.post('/usuarios', { usuario: `mais${role}`, senha: SENHA, perfil: 'supervisor' }),
      await own.login.put(`/usuarios/${target.id}`, {
        usuario: target.usuario,
        perfil: 'supervisor',
        senha: 'senha de outro',
      }),
      await own.login.delete(`/usuarios/${target.id}`),
      await own.login.put('/configuracoes', { [DAY_ONLY]: true }),
      await own.login.post('/chaves', { descricao: 'Minha' }),
    ])
      assertRefused(answer, 403, /permissão/);
    assert.equal((await target.login.get('/usuarios')).status, 200, 'the password is still its own');
  });

async function session(usuario: string): Promise<{ cookie: string; permissoes: string[]; perfil: string }> {
  const answer = await fetch(`${malote.url}/console/sessao`, {
    method: 'POST',
    headers: { 'x-malote-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ central: '1', usuario, senha: SENHA }),
  });
  assert.equal(answer.status, 200);
  const { data } = (await answer.json()) as { data: { permissoes: string[]; perfil: string } };
  return { ...data, cookie: String(answer.headers.get('set-cookie')).split(';')[0]! };
}

test('the session lists what its login may do, and a setting changes it at once', async (t) => {
  const { usuario } = await create('operator');
  const opened = await session(usuario);
  assert.ok(opened.permissoes.includes('tariffs'));
  const supervisor = await create('supervisor');
  t.after(() => supervisor.login.put('/configuracoes', { [DAY_ONLY]: false }));
  assertOk(await supervisor.login.put('/configuracoes', { [DAY_ONLY]: true }));
  const { cookie } = opened;
  const again = await fetch(`${malote.url}/console/sessao`, { headers: { cookie } });
  const { data } = (await again.json()) as { data: { permissoes: string[] } };
  assert.ok(!data.permissoes.includes('tariffs'));
  assert.ok(data.permissoes.includes('dispatch'));
  const refused = await fetch(`${malote.url}/api/v2/operacao/categorias`, {
    method: 'POST',
    headers: { cookie, 'x-malote-console': '1', 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(refused.status, 403);
});

test('another role ends sessions and live streams, and a remembered password has the new rights at once', async (t) => {
  const changed = await create('supervisor');
  const { cookie } = await session(changed.usuario);
  assertOk(await changed.login.get('/chaves'));
  const stream = await openEventSource(t, `${malote.url}/api/v2/operacao/eventos`, {
    'api-key': 'demo-chave',
    authorization: basic(changed.usuario, SENHA),
  });
  assertOk(await operator.put(`/usuarios/${changed.id}`, { usuario: changed.usuario, perfil: 'consulta' }));
  assertRefused(await changed.login.get('/chaves'), 403, /permissão/);
  assert.equal((await fetch(`${malote.url}/console/sessao`, { headers: { cookie } })).status, 401);
  await waitUntil('the stream ends', () => stream.isOver());
  assertOk(await changed.login.get('/tarifas'));
});

test('roles of one central say nothing in another', async () => {
  const { usuario, id } = await create('supervisor');
  const next = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: usuario,
    password: SENHA,
  });
  assert.equal((await next.get('/usuarios')).status, 401);
  const neighbour = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: 'vizinha',
    password: 'demo',
  });
  assertRefused(
    await neighbour.put(`/usuarios/${id}`, { usuario, perfil: 'consulta' }),
    404,
    /não encontrado/,
  );
});
