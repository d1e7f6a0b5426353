import { indexCentral } from '../../server/src/insight/search/indexCentral.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { assertAttribute, assertNone, assertTexts } from '../support/shown.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

const recipient = {
  ...stop(2),
  endereco_parada: 'Rua Padre Chagas, 185',
  nome_cliente_parada: 'João Gonçalves Müller',
  telefone_cliente_parada: '51987654321',
  numero_pedido: 'PED-8871',
};
const created = async (path: string, body: object): Promise<string> =>
  String(assertOk(await malote.manager.post(path, body)).body.data.id_mch);
const id = await created('/entregas', order({ paradas: [recipient] }));
const scheduled = await created(
  '/entregas/programadas',
  scheduledOrder({ paradas: [{ ...recipient, nome_cliente_parada: 'Joana Gonçalves' }] }),
);
await indexCentral(malote.app.deps, 1);

test('an order is found by the recipient’s name typed without accents, by keyboard alone', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await page.getByRole('combobox', { name: 'Buscar em tudo' }).waitFor();
  await page.keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await page.keyboard.type('joao goncalves');
  const found = page.getByRole('option', { name: /João Gonçalves Müller/ });
  await found.waitFor();
  await assertTexts(found.locator('mark'), ['João', 'Gonçalves']);
  await screen.assertAccessible();
  await screen.screenshot('console-search');
  await page.keyboard.press('ArrowDown');
  await assertAttribute(found, 'aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/entregas/${id}`);
});

test('results are grouped by kind; Esc closes them, and Enter without a choice lists all', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await page.getByRole('combobox', { name: 'Buscar em tudo' }).waitFor();
  await page.keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await page.keyboard.type('goncalves ');
  await page.getByRole('group', { name: 'Entregas' }).getByRole('option').waitFor();
  await page.getByRole('group', { name: 'Programadas' }).getByRole('option').waitFor();
  await page.keyboard.press('Escape');
  await assertNone(page.getByRole('option'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/busca?texto=goncalves');
  await page.getByRole('heading', { name: 'Busca: goncalves' }).waitFor();
  await page.getByRole('link', { name: /Joana Gonçalves/ }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-search-page');
  await page.getByRole('link', { name: /Joana Gonçalves/ }).click();
  await page.waitForURL(`**/console/programadas/${scheduled}`);
});

test('an empty result says what can be searched for, also on a phone', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const box = page.getByRole('combobox', { name: 'Buscar em tudo' });
  await box.fill('xyzzy plugh');
  await page.getByText('Nada encontrado.').waitFor();
  await page.getByText(/os 4 últimos algarismos/).waitFor();
  await box.fill('7654321');
  await page.getByRole('option', { name: /João Gonçalves/ }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-search-phone');
  await page.getByRole('option', { name: /João Gonçalves/ }).click();
  await page.waitForURL(`**/console/entregas/${id}`);
});

test('a result of an earlier text is not opened while a new text is searched', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const box = page.getByRole('combobox', { name: 'Buscar em tudo' });
  await box.fill('joao goncalves');
  await page.getByRole('option', { name: /João Gonçalves/ }).waitFor();
  await page.route(/busca\?texto=dagoberto/, () => undefined);
  const asked = page.waitForRequest(/busca\?texto=dagoberto/);
  await box.fill('dagoberto');
  await asked;
  await page.getByText('Buscando…').waitFor();
  await assertNone(page.getByRole('option'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/busca?texto=dagoberto');
  await page.getByRole('main').getByText('Carregando…').waitFor();
});
