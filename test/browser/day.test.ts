import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { NO_NETWORK, openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import {
  assertAddress,
  assertAttribute,
  assertCount,
  assertFits,
  assertNone,
  assertText,
} from '../support/shown.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';
import { eventually } from '../support/waitUntil.ts';

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

test('late deliveries come first, every number leads to its list, and all lists share one selection', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await rows(page).first().waitFor();
  await assertCount(rows(page), 4);
  await assertText(rows(page).first(), new RegExp(`Pendente${pending.id} .*!`));

  const deps = page.getByRole('region', { name: 'Precisa de você' });
  const entry = (group: string, id: number) =>
    deps.getByRole('region', { name: group }).getByRole('link', { name: new RegExp(`^${id} `) });
  await entry('Atrasadas', pending.id).waitFor();
  await entry('Aguardam liberação', waiting.id).waitFor();

  const counts = page.getByRole('navigation', { name: 'Entregas por status' });
  await counts.getByRole('link', { name: 'Em andamento 1' }).click();
  await assertAddress(page, /status=E/);
  await assertCount(rows(page), 1);
  await counts.getByRole('link', { name: 'Todas 4' }).click();

  await entry('Atrasadas', pending.id).click();
  await assertAttribute(selected(page), 'data-key', String(pending.id));
  await page.locator(`.map-point.selected[title^="${pending.id} "]`).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-day');
});

test('the keyboard moves, filters, opens, shows help and begins a new delivery', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  await rows(page).first().waitFor();
  await page.keyboard.press('j');
  await assertAttribute(selected(page), 'data-key', String(pending.id));
  const keyOf = (index: number) => rows(page).nth(index).getAttribute('data-key');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await assertAttribute(selected(page), 'data-key', await keyOf(2));
  await page.keyboard.press('k');
  await assertAttribute(selected(page), 'data-key', await keyOf(1));
  await page.keyboard.press('Escape');
  await assertNone(selected(page));

  await page.keyboard.press('f');
  await page.keyboard.type(`${running.id}`);
  await assertCount(rows(page), 1);
  await assertAddress(page, new RegExp(`q=${running.id}`));
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

test('changes made elsewhere appear without a reload', async () => {
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

test('the page says when live updates are lost, and again when they are back', async () => {
  await using screen = await browser.desk({ expected: [NO_NETWORK] });
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

/** A stream that dies as during a sleep: it sends nothing more and reports no error. */
const DYING_STREAMS = `{
  const open = new Set();
  globalThis.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      open.add(this);
    }
  };
  globalThis.endStreams = () => {
    for (const stream of open) stream.close();
  };
}`;

test('after a sleep or a change of network the page reads its data again and is live', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await page.addInitScript(DYING_STREAMS);
  await signIn(page);
  // Only the stream keeps this list current.
  await page.goto('/console/entregas');
  const link = (id: number) => page.getByRole('link', { name: String(id), exact: true });
  await link(pending.id).first().waitFor();
  for (const wake of [
    `const { now } = Date; Date.now = () => now() + 3600 * 1000;`,
    `dispatchEvent(new Event('online'));`,
  ]) {
    const live = await openDelivery(malote);
    await link(live.id).first().waitFor();
    await page.evaluate('endStreams()');
    const missed = await openDelivery(malote);
    await page.evaluate(`{ ${wake} }`);
    await link(missed.id).first().waitFor();
    await assertNone(page.getByText('Sem atualização ao vivo.', { exact: false }));
  }
});

test('a delivery that awaits release is released from the list', async () => {
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
  await assertNone(page.getByRole('link', { name: 'Entregadores' }));
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
    await assertFits(page.locator('html'));
    await assertFits(page.locator('.day-list .table-frame'));
    // On a desk the columns scroll and the page does not.
    if (name === 'console-day-dark')
      await eventually(async () =>
        assert.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0),
      );
    await screen.assertAccessible();
    await screen.screenshot(name);
  });
