import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { goWithin, openBrowser } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { watchRequests } from '../../support/openRequests.ts';
import { schedule } from '../../support/scheduled.ts';
import { assertNone } from '../../support/shown.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../../support/steps.ts';
import { eventually } from '../../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { operator } = malote;
const SENHA = 'uma senha boa';

for (const perfil of ['supervisor', 'financeiro', 'atendente', 'consulta', 'operador'])
  assertOk(await operator.post('/usuarios', { usuario: `ana.${perfil}`, senha: SENHA, perfil }));
const delivery = await openDelivery(malote);
// Creates records, so that every page has links to follow.
await deliveryIn(malote, 'in_progress', 2);
await deliveryIn(malote, 'finished');
await deliveryIn(malote, 'cancelled');
await schedule(malote.manager);
assertOk(await operator.post('/empresas/1/fechamentos', { ate: '2026-12-31' }));
await newDriver(malote, { lat: -30.03, lng: -51.22 });

async function logInAs(page: Page, perfil: string): Promise<void> {
  const login =
    perfil === 'gerente' ? { usuario: 'gerente', senha: 'demo' } : { usuario: `ana.${perfil}`, senha: SENHA };
  const answer = await page.request.post('/console/sessao', {
    headers: { 'x-malote-console': '1' },
    data: { central: 'Central Demonstração', ...login },
  });
  assert.equal(answer.status(), 200, await answer.text());
  await page.goto('/console');
  await page.getByRole('heading', { level: 1, name: 'O dia' }).waitFor();
}

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Seções' }).getByRole('listitem');

/** Asserts that the menu lacks exactly these entries, and returns its entries. */
async function assertMissing(page: Page, missing: readonly string[]): Promise<string[]> {
  let menu: string[] = [];
  await eventually(async () => {
    menu = await menuOf(page).allTextContents();
    assert.deepEqual(
      whole.filter((name) => !menu.includes(name)),
      missing,
    );
  });
  return menu;
}

const forKeepersOfKeys = ['Usuários e chaves', 'Ambiente de teste', 'Requisições'];

/** The missing menu entries, and buttons that are present or absent on pages. */
const cases: {
  perfil: string;
  missing: readonly string[];
  buttons: readonly (readonly [path: string, name: string, isThere: boolean])[];
}[] = [
  {
    perfil: 'supervisor',
    missing: [],
    buttons: [
      ['/console/tarifas', 'Nova tarifa', true],
      ['/console/acessos', 'Novo usuário', true],
      ['/console/acessos', 'Nova chave', true],
      [`/console/entregas/${delivery.id}`, 'Oferecer a um entregador', true],
    ],
  },
  {
    perfil: 'financeiro',
    missing: ['Nova entrega', 'Endereços corrigidos', 'Webhooks', ...forKeepersOfKeys, 'Auditoria'],
    buttons: [
      ['/console/fechamentos', 'Ver o que está em aberto', true],
      ['/console/condutores/1/conta', 'Lançar pagamento', true],
      ['/console/empresas/1', 'Adicionar créditos', true],
      ['/console/empresas/1', 'Editar', false],
      ['/console/tarifas', 'Nova tarifa', false],
      ['/console/configuracoes', 'Salvar configurações', false],
      ['/console/condutores', 'Cadastrar entregador', false],
      [`/console/entregas/${delivery.id}`, 'Cancelar', false],
      [`/console/entregas/${delivery.id}`, 'Oferecer a um entregador', false],
    ],
  },
  {
    perfil: 'atendente',
    missing: [
      'Entregadores',
      'Empresas',
      'Fechamento',
      'Relatórios',
      'Áreas de atuação',
      'Webhooks',
      'Categorias e tarifas',
      ...forKeepersOfKeys,
      'Auditoria',
      'Configurações',
    ],
    buttons: [
      [`/console/entregas/${delivery.id}`, 'Usar como modelo', true],
      [`/console/entregas/${delivery.id}`, 'Oferecer a um entregador', false],
      ['/console/nova', 'Abrir entrega', true],
    ],
  },
  {
    perfil: 'consulta',
    missing: ['Nova entrega', 'Endereços corrigidos', ...forKeepersOfKeys, 'Auditoria'],
    buttons: [
      ['/console/tarifas', 'Nova tarifa', false],
      ['/console/areas', 'Importar GeoJSON', false],
      ['/console/areas', 'Exportar GeoJSON', true],
      ['/console/webhooks', 'Novo webhook', false],
      ['/console/fechamentos', 'Ver o que está em aberto', false],
      ['/console/empresas/1', 'Adicionar créditos', false],
      ['/console/empresas/1', 'Sacar', false],
      ['/console/condutores/1/conta', 'Lançar pagamento', false],
      [`/console/entregas/${delivery.id}`, 'Usar como modelo', false],
    ],
  },
];

let whole: string[] = [];
test('an operator sees every section', async () => {
  await using screen = await browser.desk();
  const networkIdle = watchRequests(screen.page);
  await logInAs(screen.page, 'operador');
  await networkIdle();
  whole = await menuOf(screen.page).allTextContents();
  assert.ok(whole.length >= 12, whole.join());
});

for (const { perfil, missing, buttons } of cases)
  test(`the menu and the buttons of ${perfil} are what it may do, and no page asks for more`, async () => {
    // A refused request is logged to the console, which fails the screen.
    await using screen = await browser.desk();
    const { page } = screen;
    const networkIdle = watchRequests(page);
    await logInAs(page, perfil);
    for (const name of await assertMissing(page, missing)) {
      await menuOf(page).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await networkIdle();
    }
    await screen.screenshot(`roles-${perfil}`);
    for (const [path, name, isThere] of buttons) {
      await goWithin(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await networkIdle();
      const button = page.getByRole('button', { name, exact: true });
      if (isThere) await button.first().waitFor();
      else await assertNone(button, `${perfil}: ${name} at ${path}`);
    }
    await screen.assertAccessible();
  });

test('rights that are taken away are gone from the menu at the first refusal, without a new login', async (t) => {
  await using screen = await browser.desk({ expected: [/Failed to load resource.*403/] });
  const { page } = screen;
  await logInAs(page, 'operador');
  const users = page
    .getByRole('navigation', { name: 'Seções' })
    .getByRole('link', { name: 'Usuários e chaves' });
  await users.waitFor();
  await malote.configureFor(t, { operatorsRunDayOnly: true });
  await users.click();
  await users.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
  // The entries return with the person's rights.
  await malote.configure({ operatorsRunDayOnly: false });
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await users.waitFor();
});

test('an operator who runs the day only sees no users, and reads tariffs', async (t) => {
  await malote.configureFor(t, { operatorsRunDayOnly: true });
  await using screen = await browser.phone();
  const { page } = screen;
  await logInAs(page, 'operador');
  await page.getByRole('button', { name: 'Menu' }).click();
  await assertMissing(page, [...forKeepersOfKeys, 'Auditoria']);
  await page.goto('/console/tarifas');
  await page.getByRole('cell', { name: 'Moto padrão' }).waitFor();
  await assertNone(page.getByRole('button', { name: 'Nova tarifa' }));
  await page.goto('/console/acessos');
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
});

/** Targets of links within the console; of those that differ only by a number, one. */
const shapeOf = (path: string): string => path.replace(/\d+/g, 'n');
const pathsOf = async (links: Locator): Promise<string[]> => {
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  return addresses.map((address) => new URL(address, malote.url).pathname);
};

for (const perfil of ['gerente', 'consulta', 'financeiro', 'atendente'])
  test(`no link leads ${perfil} to a page that it may not open`, async () => {
    await using screen = await browser.desk();
    const { page } = screen;
    const networkIdle = watchRequests(page);
    await logInAs(page, perfil);
    await networkIdle();
    const paths = new Map(
      (await pathsOf(menuOf(page).getByRole('link'))).map((path) => [shapeOf(path), path]),
    );
    const dead: string[] = [];
    // While iterating, a map also returns the entries that are added.
    for (const [shape, path] of paths) {
      await goWithin(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await networkIdle();
      if (await page.getByRole('heading', { name: 'Página não encontrada' }).count()) dead.push(path);
      for (const next of await pathsOf(page.locator('main a[href^="/console"]')))
        if (!paths.has(shapeOf(next))) paths.set(shapeOf(next), next);
      if (shape === '/console') assert.ok(paths.has('/console/entregas/n'), 'this test follows links');
    }
    assert.deepEqual(dead, []);
  });
