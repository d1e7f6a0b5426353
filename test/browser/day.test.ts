import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

const pending = await deliveryIn(malote, 'pending');
malote.clock.advance({ minutes: 20 });
const waiting = await deliveryIn(malote, 'awaiting_release');
const accepted = await deliveryIn(malote, 'accepted', 2);
const running = await deliveryIn(malote, 'in_progress', 3);
const at = { lat: -30.036, lng: -51.217 };
assertOk(await malote.operator.post(`/condutores/${running.driverId}/posicao`, at));
const away = { lat: -30.045, lng: -51.2 };
assertOk(await malote.operator.post(`/condutores/${accepted.driverId}/posicao`, away));
await newDriver(malote, { lat: -30.05, lng: -51.23 });

const list = (page: Page) => page.getByRole('table', { name: 'Entregas em curso' });
const rows = (page: Page) =>
  list(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const selected = (page: Page) => list(page).locator('tr[aria-current="true"]');

test('late ones stand first, every number leads to its list, and one selection is shared by all', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await rows(page).first().waitFor();
  assert.equal(await rows(page).count(), 4);
  assert.match((await rows(page).first().textContent()) ?? '', new RegExp(`Pendente${pending.id} .*!`));

  const deps = page.getByRole('region', { name: 'Precisa de você' });
  const need = (group: string, id: number) =>
    deps.getByRole('region', { name: group }).getByRole('link', { name: new RegExp(`^${id} `) });
  await need('Atrasadas', pending.id).waitFor();
  await need('Aguardam liberação', waiting.id).waitFor();

  const counts = page.getByRole('navigation', { name: 'Entregas por status' });
  await counts.getByRole('link', { name: 'Em andamento 1' }).click();
  assert.match(page.url(), /status=E/);
  assert.equal(await rows(page).count(), 1);
  await counts.getByRole('link', { name: 'Todas 4' }).click();

  await need('Atrasadas', pending.id).click();
  assert.equal(await selected(page).getAttribute('data-key'), String(pending.id));
  await page.locator(`.map-point.selected[title^="${pending.id} "]`).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-day');
});

test('the keyboard moves, filters, opens, helps and begins a new one', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await rows(page).first().waitFor();
  await page.keyboard.press('j');
  assert.equal(await selected(page).getAttribute('data-key'), String(pending.id));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  const third = await selected(page).getAttribute('data-key');
  await page.keyboard.press('k');
  assert.notEqual(await selected(page).getAttribute('data-key'), third);
  await page.keyboard.press('Escape');
  assert.equal(await selected(page).count(), 0);

  await page.keyboard.press('f');
  await page.keyboard.type(`${running.id}`);
  assert.equal(await rows(page).count(), 1);
  assert.match(page.url(), new RegExp(`q=${running.id}`));
  await page.keyboard.press('Enter');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Atalhos do teclado' }).waitFor();
  await screen.assertAccessible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Entrega ${running.id}` }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Nova entrega' }).waitFor();
});

test('what changes elsewhere shows by itself', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await rows(page).first().waitFor();
  const opened = await openDelivery(malote);
  const row = rows(page).filter({ has: page.getByRole('link', { name: String(opened.id), exact: true }) });
  await row.getByText('Distribuindo').waitFor();
  const driverId = await newDriver(malote, { lat: -30.04, lng: -51.21 });
  assertOk(await malote.operator.post(`/entregas/${opened.id}/aceitar`, { condutor_id: driverId }));
  await row.getByText('Aceita').waitFor();
  assertOk(await malote.manager.post(`/entregas/${opened.id}/cancelar`, { motivo_id: 2 }));
  await row.waitFor({ state: 'detached' });
});

test('whoever is cut off from live updates is told so, and told again when they are back', async () => {
  await using screen = await browser.desk({ expected: [/Failed to load resource.*ERR_/] });
  const { page } = screen;
  await signIn(page);
  await page.route('**/api/v2/operacao/eventos', (route) => route.abort('connectionrefused'));
  await page.goto('/console');
  const banner = page.getByText('Sem atualização ao vivo.', { exact: false });
  await banner.waitFor();
  await rows(page).first().waitFor();
  await page.unroute('**/api/v2/operacao/eventos');
  await banner.waitFor({ state: 'detached' });
});

test('one that awaits release is released where it stands', async () => {
  const delivery = await deliveryIn(malote, 'awaiting_release');
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const deps = page.getByRole('region', { name: 'Aguardam liberação' });
  await deps
    .getByRole('listitem')
    .filter({ hasText: String(delivery.id) })
    .getByRole('button', { name: 'Liberar' })
    .click();
  await page.getByText(`Entrega ${delivery.id} liberada.`).waitFor();
  const { body } = await malote.central.get(`/entregas/${delivery.id}/status`);
  assert.equal(body.data.status, 'D');
});

test('a day without deliveries says what will appear', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente2');
  await page.goto('/console');
  await page.getByText('Nenhuma entrega em curso').waitFor();
  await page.getByText('Nada precisa de você agora').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Entregadores' }).count(), 0);
  await screen.assertAccessible();
  await screen.screenshot('console-day-empty');
});

for (const [name, open] of [
  ['console-day-dark', () => browser.desk({ maps: true, colorScheme: 'dark' })],
  ['console-day-phone', () => browser.phone({ maps: true })],
  ['console-day-phone-dark', () => browser.phone({ maps: true, colorScheme: 'dark' })],
] as const)
  test(`the day is readable on every screen: ${name}`, async () => {
    await using screen = await open();
    const { page } = screen;
    await signIn(page);
    await page.goto(`/console?sel=${running.id}`);
    await rows(page).first().waitFor();
    await page.locator('.map-point').first().waitFor();
    const [whole, seen] = await page
      .locator('html')
      .evaluate((html) => [html.scrollWidth, html.clientWidth] as const);
    assert.equal(whole, seen, 'nothing sticks out sideways');
    const cut = await page
      .locator('.day-list .table-frame')
      .evaluate((frame) => frame.scrollWidth - frame.clientWidth);
    assert.ok(cut <= 0, `${cut} pixels of the list are beside the screen`);
    // On a desk the columns scroll, and the page does not.
    if (name === 'console-day-dark')
      assert.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0);
    await screen.assertAccessible();
    await screen.screenshot(name);
  });
