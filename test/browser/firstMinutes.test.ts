import assert from 'node:assert/strict';
import { removeDemoAccess } from '../../server/simulation/demo/demoAccess.ts';
import { createCentral, createUser } from '../../server/src/centrals/createCentral.ts';
import { openBrowser } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { assertNone } from '../support/shown.ts';
import { assertOk } from '../support/steps.ts';

const demo = await startMalote({ demonstration: true });
// The logins of the full demonstration; that of the tests lacks them.
for (const perfil of ['supervisor', 'financeiro', 'atendente', 'consulta'])
  assertOk(await demo.operator.post('/usuarios', { usuario: perfil, perfil, senha: 'demo demo' }));
await demo.db`
  update users set password_hash = (select password_hash from users where central_id = 1 and username = 'central')
  where central_id = 1 and username in ('supervisor', 'financeiro', 'atendente', 'consulta')`;
const real = await startMalote();
const browser = await openBrowser(demo.url);
const realBrowser = await openBrowser(real.url);

/** Requests that are under way when somebody logs out. */
const LEAVING = [/status of 401 .*\/operacao\//];

test('each person of the demonstration has a button, which leads to what is theirs', async () => {
  await using screen = await browser.desk({ expected: LEAVING });
  const { page } = screen;
  await page.goto('/console');
  await page.getByRole('heading', { name: 'Demonstração: entre como' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('login-demonstration');
  await page.getByRole('button', { name: 'Operação da central' }).click();
  await page.getByRole('link', { name: 'Configurações' }).waitFor();
  await page.getByRole('button', { name: 'Sair' }).click();
  await page.getByRole('button', { name: 'Gerente de empresa' }).click();
  await page
    .getByRole('navigation', { name: 'Seções' })
    .getByRole('link', { name: 'Nova entrega' })
    .waitFor();
  await assertNone(page.getByRole('link', { name: 'Configurações' }));
});

test('each role of the central has a button', async () => {
  await using screen = await browser.desk({ expected: LEAVING });
  const { page } = screen;
  for (const [button, sees, lacks] of [
    ['Supervisão', 'Usuários e chaves', null],
    ['Financeiro', 'Fechamento', 'Nova entrega'],
    ['Atendimento', 'Nova entrega', 'Usuários e chaves'],
    ['Consulta', 'Entregas', 'Nova entrega'],
  ] as const) {
    await page.goto('/console');
    await page.getByRole('button', { name: button }).click();
    const menu = page.getByRole('navigation', { name: 'Seções' });
    await menu.getByRole('link', { name: sees, exact: true }).waitFor();
    if (lacks) await assertNone(menu.getByRole('link', { name: lacks }), `${button}: ${lacks}`);
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.getByRole('button', { name: button }).waitFor();
  }
});

test('the driver’s button leads to the driver’s app, signed in', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await page.goto('/console');
  await page.getByRole('button', { name: 'Entregador' }).waitFor();
  await screen.screenshot('login-demonstration-phone');
  await page.getByRole('button', { name: 'Entregador' }).click();
  await page.waitForURL('**/entregador*');
  await page.getByRole('switch').waitFor();
  await screen.screenshot('driver-demonstration');
});

test('people and login fit on one screen of 800 pixels, at a desk and on a phone', async () => {
  for (const [kind, width] of [
    ['desk', 1440],
    ['phone', 390],
  ] as const) {
    await using screen = await browser[kind]({ viewport: { width, height: 800 } });
    const { page } = screen;
    await page.goto('/console');
    await page.getByRole('button', { name: 'Entregador' }).waitFor();
    await page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollHeight'), 800, kind);
  }
});

test('the buttons speak English to who reads it', async () => {
  await using screen = await browser.desk({ locale: 'en-US', colorScheme: 'dark' });
  const { page } = screen;
  await page.goto('/console');
  await page.getByRole('button', { name: 'Dispatch desk' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('login-demonstration-dark');
});

test('an address that the console does not have says so, and the menu leads on', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await page.goto('/console/nada/aqui');
  await page.getByRole('button', { name: 'Operação da central' }).click();
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
  await page.getByText('Este endereço não existe no console.').waitFor();
  await screen.assertAccessible();
  await page.getByRole('link', { name: 'O dia' }).click();
  await page.waitForURL('**/console/');
});

test('a real central offers nobody, nor does a demonstration whose logins were removed', async () => {
  await using screen = await realBrowser.desk();
  await screen.page.goto('/console');
  await screen.page.getByLabel('Senha').waitFor();
  await assertNone(screen.page.getByText('Demonstração'));

  await removeDemoAccess(demo.app.deps);
  await using after = await browser.desk();
  await after.page.goto('/console');
  await after.page.getByLabel('Senha').waitFor();
  await assertNone(after.page.getByText('Demonstração'));
});

test('a new central says what it needs before its first order and leads there', async () => {
  const central = { name: 'Entregas do Acre', timeZone: 'America/Rio_Branco' };
  const id = await createCentral({ db: real.db }, central);
  await real.db.begin((tx) =>
    createUser(tx, id, { username: 'ana', password: 'segredo123', role: 'operator' }),
  );
  await using screen = await realBrowser.desk();
  const { page } = screen;
  const login = await page.request.post('/console/sessao', {
    headers: { 'x-malote-console': '1' },
    data: { central: central.name, usuario: 'ana', senha: 'segredo123' },
  });
  assert.equal(login.status(), 200);
  await page.goto('/console/nova');
  await page.getByText('Para receber pedidos a central precisa de').waitFor();
  await screen.assertAccessible();
  await page.getByRole('link', { name: 'uma categoria com tarifa' }).waitFor();
  await page.getByRole('link', { name: 'uma área de atuação' }).click();
  await page.getByText('Nenhuma área ainda').waitFor();
});
