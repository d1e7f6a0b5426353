import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { schedule } from '../../support/scheduled.ts';
import {
  assertAddress,
  assertAttribute,
  assertCount,
  assertDisabled,
  assertFits,
  assertNone,
} from '../../support/shown.ts';
import { copySearched } from '../../support/states.ts';
import { assertOk, deliveryIn, openDelivery } from '../../support/steps.ts';
import { eventually } from '../../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

const finished = await deliveryIn(malote, 'finished');
const cancelled = await deliveryIn(malote, 'cancelled');
const held = await deliveryIn(malote, 'awaiting_release');

const table = (page: Page) => page.getByRole('table', { name: 'Entregas' });
const row = (page: Page, id: number) => table(page).getByRole('link', { name: String(id), exact: true });
const chips = (page: Page) => page.getByRole('list', { name: 'Filtros ativos' });

test('filters stand in the address, survive a reload and can be taken away', async () => {
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/entregas');
  await row(page, finished.id).waitFor();
  await page.getByRole('button', { name: 'Status: Todos' }).click();
  await page.getByLabel('Finalizada').check();
  await page.getByLabel('A liberar').check();
  await row(page, cancelled.id).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByLabel('Entregador').selectOption({ index: 0 });
  await page.getByLabel('Pedida').selectOption('hoje');
  await assertAddress(page, /status=F%2CL/);
  await assertAddress(page, /periodo=hoje/);
  await page.reload();
  await row(page, finished.id).waitFor();
  await row(page, held.id).waitFor();
  await assertNone(row(page, cancelled.id));
  // The list and the board use the same name.
  await table(page).getByText('A liberar').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-list-filtered');
  await chips(page).getByRole('button', { name: 'Tirar o filtro Finalizada' }).click();
  await row(page, finished.id).waitFor({ state: 'detached' });
  await chips(page).getByRole('button', { name: 'Limpar filtros' }).click();
  await row(page, cancelled.id).waitFor();
  await assertAddress(page, /\/entregas$/);
  await page.goto('/console/entregas?status=N');
  await page.getByText('Nada com estes filtros').waitFor();
});

test('a view is saved under a name, follows its user, is shared, and deleted', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/entregas?status=C&ordem=mais_antigas');
  await row(page, cancelled.id).waitFor();
  await page.getByRole('button', { name: 'Salvar esta visão' }).click();
  const dialog = page.getByRole('dialog', { name: 'Salvar a visão' });
  await dialog.getByLabel('Nome da visão').fill('Canceladas');
  await dialog.getByLabel('Mostrar também aos colegas').check();
  await screen.assertAccessible();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Visão salva.').waitFor();
  await using elsewhere = await browser.desk({ colorScheme: 'dark' });
  await signIn(elsewhere.page);
  await elsewhere.page.goto('/console/entregas');
  await row(elsewhere.page, finished.id).waitFor();
  const views = elsewhere.page.getByRole('navigation', { name: 'Visões salvas' });
  await views.getByRole('link', { name: /^Canceladas/ }).click();
  await row(elsewhere.page, finished.id).waitFor({ state: 'detached' });
  await row(elsewhere.page, cancelled.id).waitFor();
  await assertAddress(elsewhere.page, /status=C&ordem=mais_antigas/);
  await elsewhere.assertAccessible();
  await elsewhere.screenshot('console-list-view-dark');
  await views.getByRole('button', { name: 'Alterar a visão' }).click();
  await elsewhere.page
    .getByRole('dialog', { name: 'Alterar a visão' })
    .getByRole('button', { name: 'Excluir' })
    .click();
  await elsewhere.page.getByRole('button', { name: 'Excluir a visão' }).click();
  await elsewhere.page.getByText('Visão excluída.').waitFor();
  await row(elsewhere.page, finished.id).waitFor();
});

test('an address that names what the list does not have is mended, not answered with an error', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(
    '/console/entregas?status=ZZ,F&ordem=zzz&de=2026-02-30&periodo=sempre&empresa=abc&pagamento=Q',
  );
  await row(page, finished.id).waitFor();
  await assertAddress(page, /\/entregas\?status=F$/);
  await assertNone(row(page, cancelled.id));
  await assertNone(page.getByRole('alert'));
});

test('headers sort, the keyboard moves and opens', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas?status=F,C&condutor=`);
  await row(page, finished.id).waitFor();
  const ids = () =>
    table(page)
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((each) => each.dataset.key));
  await eventually(async () => assert.deepEqual(await ids(), [String(cancelled.id), String(finished.id)]));
  await page.getByRole('button', { name: 'Pedida' }).click();
  await page.waitForURL(/ordem=mais_antigas/);
  await page
    .getByRole('columnheader', { name: 'Pedida' })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor();
  await table(page)
    .locator('tbody tr')
    .first()
    .and(page.locator(`[data-key="${finished.id}"]`))
    .waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Entrega ${finished.id}` }).waitFor();
});

test('more rows are loaded behind the first ones, and all of them go into a file', async () => {
  for (let count = 0; count < 52; count += 1) await openDelivery(malote);
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/entregas');
  await page.getByText(/^50 de \d+$/).waitFor();
  await page.getByRole('button', { name: 'Carregar mais' }).click();
  await row(page, finished.id).waitFor();
  await assertNone(page.getByRole('button', { name: 'Carregar mais' }));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar planilha' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^entregas-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  assert.ok(lines[0]!.startsWith('\ufeffEntrega;Status;'));
  await assertCount(table(page).locator('tbody tr'), lines.length - 1);
  await page.getByText(`Arquivo com ${lines.length - 1} linhas.`).waitFor();
});

test('a text typed into the filter bar narrows the list and stays in the address', async () => {
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/entregas');
  await page.getByText(/^50 de \d+$/).waitFor();
  await page.keyboard.press('f');
  await page.keyboard.type(String(finished.id));
  await page.getByText('1 na lista').waitFor();
  await row(page, finished.id).waitFor();
  await assertAddress(page, new RegExp(`texto=${finished.id}`));
  await chips(page).getByText(`Procurar: ${finished.id}`).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-list-text');
});

test('rows of the filters before are shown as old until those of the new ones come', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await using screen = await browser.desk({ colorScheme, viewport: { width: 1280, height: 800 } });
    const { page } = screen;
    await signIn(page);
    await page.goto('/console/entregas?status=C');
    await page.getByText('1 na lista').waitFor();
    const exporting = page.getByRole('button', { name: 'Exportar planilha' });
    const before = await table(page).boundingBox();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v2/operacao/entregas/consultar', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel('Pedida').selectOption('hoje');
    await assertAttribute(table(page), 'aria-busy', 'true');
    await page.getByText('Carregando…').waitFor();
    await assertNone(page.getByText('1 na lista'));
    await assertDisabled(exporting);
    await row(page, cancelled.id).waitFor();
    assert.deepEqual(await table(page).boundingBox(), before, 'nothing moves');
    await screen.assertAccessible();
    await screen.screenshot(`console-list-loading-${colorScheme}`);
    release();
    await page.getByText('1 na lista').waitFor();
    await assertAttribute(table(page), 'aria-busy', 'false');
    await exporting.and(page.locator(':enabled')).waitFor();
  }
});

test('a phone shows the same list', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/entregas?status=F');
  await row(page, finished.id).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-list-phone');
  await assertFits(page.locator('html'));
});

test('companies and the wallet of one are lists of the same kind', async () => {
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/empresas');
  const companies = page.getByRole('table', { name: 'Empresas' });
  const guaiba = companies.getByRole('link', { name: 'Farmácia Guaíba' });
  await guaiba.waitFor();
  await page.keyboard.press('f');
  await page.keyboard.type('moinhos');
  await guaiba.waitFor({ state: 'detached' });
  await page.waitForURL(/texto=moinhos/);
  await screen.assertAccessible();
  await screen.screenshot('console-list-companies');
  await companies.getByRole('link', { name: 'Padaria Moinhos' }).click();
  const entries = page.getByRole('table', { name: 'Extrato' });
  await entries.getByRole('cell', { name: 'Recarga' }).first().waitFor();
  await page.getByRole('button', { name: 'Lançamento: Todos' }).click();
  await page.getByLabel('Saque').check();
  await page.getByText('Nada com estes filtros').waitFor();
  await page.getByLabel('Recarga').check();
  await entries.getByRole('cell', { name: 'Recarga' }).first().waitFor();
  await page.keyboard.press('Escape');
  await screen.assertAccessible();
  await screen.screenshot('console-list-wallet');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar planilha' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^carteiras-lancamentos-/);
  // The entries of another company are requested, whatever was read before.
  await page.goto('/console/empresas/2');
  await page.getByRole('heading', { name: 'Farmácia Guaíba' }).waitFor();
  await using phone = await browser.phone({ colorScheme: 'dark' });
  await signIn(phone.page, 'gerente');
  await phone.page.goto('/console/empresas');
  await phone.page.getByRole('table', { name: 'Extrato' }).waitFor();
  await phone.assertAccessible();
  await phone.screenshot('console-list-wallet-phone-dark');
});

test('the accounts of a driver and of a company are lists, and an entry is reversed once', async () => {
  const adjustment = { tipo: 'ajuste', valor: '5.00', motivo: 'Chuva' };
  assertOk(await malote.operator.post(`/condutores/${finished.driverId}/lancamentos`, adjustment));
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/condutores/${finished.driverId}/conta?tipo=ajuste`);
  const entries = page.getByRole('table', { name: 'Extrato' });
  await entries.getByText('Chuva').waitFor();
  await assertCount(entries.locator('tbody tr'), 1);
  await entries.getByRole('button', { name: /^Estornar o lançamento/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Motivo').fill('Engano');
  await dialog.getByRole('button', { name: 'Estornar' }).click();
  await entries.getByText('Estorno: Ajuste').waitFor();
  await assertNone(entries.getByRole('button', { name: /^Estornar o lançamento/ }));
  await screen.assertAccessible();
  await screen.screenshot('console-list-driver-account');
  await page.goto('/console/empresas/1');
  await page.getByRole('link', { name: 'Conta', exact: true }).click();
  await page.getByRole('heading', { name: 'Conta de Padaria Moinhos' }).waitFor();
  const account = page.getByRole('table', { name: 'Conta' });
  await account
    .getByRole('link', { name: String(finished.id), exact: true })
    .first()
    .waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-list-company-account');
});

test('scheduled deliveries: by situation and payment in the address, sorted, as a view, opened by keyboard', async () => {
  const [early, late] = [
    await schedule(malote.manager, { hora: '13:00:00', forma_pagamento: 'D' }),
    await schedule(malote.manager, { hora: '15:00:00', forma_pagamento: 'X' }),
  ];
  const gone = await schedule(malote.manager, { hora: '14:00:00' });
  assertOk(await malote.operator.post(`/programadas/${gone}/cancelar`));
  const link = (page: Page, id: number) =>
    page.getByRole('table', { name: 'Programadas' }).getByRole('link', { name: String(id), exact: true });
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/programadas');
  await page.getByRole('link', { name: 'Todas', exact: true }).click();
  await link(page, gone).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-scheduled-list');
  await page.getByRole('button', { name: 'Situação: Todas' }).click();
  await page.getByLabel('Aguardando').check();
  await link(page, gone).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByLabel('Pagamento').selectOption('X');
  await link(page, early).waitFor({ state: 'detached' });
  await assertAddress(page, /lista\?situacao=A&pagamento=X$/);
  await page.reload();
  await link(page, late).waitFor();
  await chips(page).getByRole('button', { name: 'Limpar filtros' }).click();
  await page.getByRole('button', { name: /^Saída/ }).click();
  await page.waitForURL(/ordem=disparo_mais_cedo/);
  await eventually(async () => {
    const order = await page.getByRole('table', { name: 'Programadas' }).getByRole('link').allTextContents();
    assert.deepEqual(
      order.map(Number).filter((id) => [early, gone, late].includes(id)),
      [early, gone, late],
    );
  });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/programadas\/\d+$/);
});

test('drivers: by name without accents, by what they carry, and one that a link chose', async () => {
  const nome = 'Átila Lourenço';
  const carrier = assertOk(
    await malote.operator.post('/condutores', {
      nome,
      telefone: '51988887777',
      veiculo: 'Bike',
      placa: '',
      categorias: [1],
    }),
  ).body.data;
  const carried = await openDelivery(malote);
  assertOk(
    await malote.operator.post(`/entregas/${carried.id}/aceitar`, { condutor_id: Number(carrier.id) }),
  );
  const names = (page: Page) => page.getByRole('table', { name: 'Entregadores' });
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/condutores');
  await page.getByRole('searchbox', { name: 'Procurar' }).fill('atila');
  await page.waitForURL(/texto=atila/);
  await page.getByLabel('Situação', { exact: true }).selectOption('ocupados');
  await names(page).getByRole('button', { name: nome, exact: true }).waitFor();
  await page.getByLabel('Situação', { exact: true }).selectOption('livres');
  await names(page).getByRole('button', { name: nome, exact: true }).waitFor({ state: 'detached' });
  await screen.assertAccessible();
  await screen.screenshot('console-drivers-free');
  await page.goto(`/console/entregas/${carried.id}`);
  await page.getByRole('link', { name: nome }).first().click();
  await names(page).locator('tr[aria-current=true]').getByText(nome).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: nome }).waitFor();
});

// The last one, since it fills the first page of the list.
test('a file that leaves out what a text finds says so', async () => {
  await copySearched(malote, finished.id, 'Serafina Demais', 1_001);
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/entregas?texto=serafina');
  await page.getByText('50 de mais de 1.000').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar planilha' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^entregas-/);
  await page.getByText(/^Arquivo com 1\.000 linhas, mas há mais/).waitFor();
});

test('on a phone, whose cards show no column heads, a list is sorted by a choice', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/condutores');
  const names = page.locator('main table tbody tr > td:first-child button');
  await names.first().waitFor();
  const shown = () => names.allTextContents();
  const before = await shown();
  await page.getByLabel('Ordenar por').selectOption('Nome, do fim');
  await eventually(async () => assert.deepEqual(await shown(), before.toReversed()));
  await assertAddress(page, /ordem=nome_inverso/);
  await screen.assertAccessible();
});
