import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '../../server/src/centrals/passwords.ts';
import { client } from '../support/client.ts';
import { invite, newDriverLogin, signInDevice } from '../support/device.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { runText } from '../support/runText.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

// A login that is valid when its password is verified, and is changed before its session is stored. The change ends all
// existing sessions, and a session that is stored a moment later must not outlive it.

const malote = await startMalote();
const { db, operator } = malote;
const newHash = await hashPassword('outra senha comprida');

type Change = (typeof changes)[number][1];
const changes = [
  ['gets a new password', { password_hash: newHash }],
  ['is made inactive', { active: false }],
  ['gets another role', { role: 'viewer', driver_id: null, company_id: null }],
] as const;

const change = (tx: Pick<typeof db, 'channel'>, userId: number, values: Change) =>
  runText(
    tx,
    `update users set ${Object.keys(values)
      .map((name, index) => `${name} = $${index + 2}`)
      .join(', ')} where central_id = 1 and id = $1`,
    [userId, ...Object.values(values)],
  );

/** Sends a request that waits for the user's row, which is changed in the meantime. */
async function meanwhile<Result>(
  userId: number,
  values: Change,
  ask: () => Promise<Result>,
): Promise<Result> {
  const asked = await db.begin(async (tx) => {
    await change(tx, userId, values);
    const answer = ask();
    await waitUntil('the request waits', async () => (await countLockWaits(db)) === 1);
    return { answer };
  });
  return asked.answer;
}

const sessionsOf = async (userId: number): Promise<number> =>
  (await db`select 1 from sessions where central_id = 1 and user_id = ${userId}`).length;

for (const [what, values] of changes) {
  test(`a console login is refused when its user ${what} meanwhile`, async () => {
    const usuario = what.replaceAll(' ', '-');
    const account = { usuario, senha: 'uma senha comprida' };
    const { id } = assertOk(await operator.post('/usuarios', { ...account, perfil: 'operador' })).body.data;
    const logIn = () =>
      fetch(`${malote.url}/console/sessao`, {
        method: 'POST',
        headers: { 'x-malote-console': '1', 'content-type': 'application/json' },
        body: JSON.stringify({ central: '1', ...account }),
      });
    assert.equal((await logIn()).status, 200);
    const answer = await meanwhile(id, values, logIn);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.equal(await sessionsOf(id), 0);
  });

  test(`a phone’s password sign-in is refused when its user ${what} meanwhile`, async () => {
    const { userId, username } = await newDriverLogin(malote);
    const answer = await meanwhile(userId, values, () =>
      signInDevice(malote, {
        central: '1',
        usuario: username,
        senha: 'senha-do-condutor',
        aparelho: 'Android',
      }),
    );
    assert.equal(answer.status, 401);
    assert.equal(await sessionsOf(userId), 0);
  });

  test(`a one-time code is refused when its user ${what} meanwhile`, async () => {
    const { userId, driverId } = await newDriverLogin(malote);
    const codigo = await invite(malote, driverId);
    const answer = await meanwhile(userId, values, () =>
      signInDevice(malote, { codigo, aparelho: 'Android' }),
    );
    assert.equal(answer.status, 401);
    assert.equal(await sessionsOf(userId), 0);
  });
}

for (const way of ['password', 'code'] as const)
  test(`a phone’s sign-in by ${way} is refused when its driver is deactivated meanwhile`, async () => {
    const { userId, driverId, username } = await newDriverLogin(malote);
    const proof =
      way === 'code'
        ? { codigo: await invite(malote, driverId) }
        : { central: '1', usuario: username, senha: 'senha-do-condutor' };
    const asked = await db.begin(async (tx) => {
      await tx`select 1 from users where central_id = 1 and id = ${userId} for no key update`;
      const answer = signInDevice(malote, { ...proof, aparelho: 'Android' });
      await waitUntil('the request waits', async () => (await countLockWaits(db)) === 1);
      await tx`update drivers set active = false where central_id = 1 and id = ${driverId}`;
      return { answer };
    });
    assert.equal((await asked.answer).status, 401);
    assert.equal(await sessionsOf(userId), 0);
  });

// A login that is deleted while its request runs, for each table that names its author.

const deletedMeanwhile: [what: string, table: string, method: 'post', path: string, body: object][] = [
  [
    'saves a view',
    'saved_views',
    'post',
    '/visoes',
    { lista: 'entregas', nome: 'Hoje', filtros: 'status=F' },
  ],
  ['asks for a Pix code', 'pix_top_ups', 'post', '/empresas/1/pix', { valor: '10.00' }],
  [
    'enters something in a driver’s account',
    'driver_entries',
    'post',
    '/condutores/1/lancamentos',
    { tipo: 'ajuste', valor: '1.00', motivo: 'x' },
  ],
];

for (const [what, table, method, path, body] of deletedMeanwhile)
  test(`a caller who ${what} with a login that is deleted meanwhile gets 401`, async (t) => {
    await malote.configureFor(t, { pixKey: 'demo@example.com' });
    const account = { usuario: `autor-${table}`, senha: 'uma senha comprida' };
    const { id } = assertOk(await operator.post('/usuarios', { ...account, perfil: 'operador' })).body.data;
    const author = client(`${malote.url}/api/v2/operacao`, {
      key: 'demo-chave',
      user: account.usuario,
      password: account.senha,
    });
    assertOk(await author.get('/usuarios'));
    const asked = await db.begin(async (tx) => {
      await tx`delete from users where central_id = 1 and id = ${id}`;
      const answer = author[method](path, body);
      await waitUntil('the request waits', async () => (await countLockWaits(db)) === 1);
      return { answer };
    });
    const answer = await asked.answer;
    assert.equal(answer.status, 401, answer.text);
  });

// A row that has a user's id as its own, as a program does, has no author there.
test('every constraint that names the author of a row is known as such by its name', async () => {
  const rows = await db<{ name: string }>`
    select conname as name from pg_constraint reference
    where contype = 'f' and confrelid = 'users'::regclass and not exists (
      select from pg_constraint own
      where own.conrelid = reference.conrelid and own.contype = 'p' and own.conkey = reference.conkey)`;
  assert.ok(rows.length > 5);
  for (const { name } of rows) assert.match(name, /_user_fkey$/);
});
