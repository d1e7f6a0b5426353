import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { openBrowser, signIn, standsStill } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Json } from '../../support/client.ts';
import { startMalote } from '../../support/malote.ts';
import { nextFrames } from '../../support/openRequests.ts';
import { places } from '../../support/orders.ts';
import { assertAttribute, assertCount, assertDisabled, assertFits, assertNone } from '../../support/shown.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../../support/steps.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { operator, db } = malote;
const browser = await openBrowser(malote.url);
const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const name = (id: number, text: string) =>
  db`update drivers set name = ${text} where central_id = 1 and id = ${id}`;
const detail = async (id: number): Promise<Json> => assertOk(await operator.get(`/entregas/${id}`)).body.data;

await db`update drivers set available = false where central_id = 1`;
const ana = await newDriver(malote, near(8));
await name(ana, 'Ana Souza');
const busy = await deliveryIn(malote, 'in_progress', 3);
await name(busy.driverId!, 'Bruno Dias');
assertOk(await operator.post(`/condutores/${busy.driverId}/posicao`, near(6)));
for (let count = 0; count < 4; count += 1) await openDelivery(malote, {}, 1);

async function openBoard(page: Page): Promise<void> {
  await signIn(page);
  await page.goto('/console');
  await row(page, busy.id).waitFor();
  await driver(page, 'Ana Souza').waitFor();
}
const row = (page: Page, id: number) => page.locator(`.day-list tr[data-key="${id}"]`);
const driver = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Entregadores' }).getByRole('listitem').filter({ hasText: text });

/**
 * Drags as a hand does: down and over, followed by an `up` of the test. The board is live, so rows may move under the
 * pointer. Each place is measured right before the pointer moves there, until the board shows what is dragged and over
 * whom.
 */
async function drag(page: Page, id: number, to: Locator): Promise<void> {
  const held = page.locator('.dragged').filter({ has: page.getByText(String(id), { exact: true }) });
  await waitUntil(`delivery ${id} is held`, async () => {
    await row(page, id).scrollIntoViewIfNeeded();
    const start = await row(page, id).boundingBox();
    if (!start) return false;
    const y = start.y + start.height / 2;
    await page.mouse.move(start.x + 20, y);
    await page.mouse.down();
    await page.mouse.move(start.x + 60, y, { steps: 3 });
    if (await held.isVisible()) return true;
    await page.keyboard.press('Escape');
    await page.mouse.up();
    return false;
  });
  await waitUntil('the pointer is over the target', async () => {
    const end = await to.boundingBox();
    if (!end) return false;
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
    await nextFrames(page);
    return to.evaluate((target) => target.matches('.over, :not([data-driver])'));
  });
}

test('the board shows what each driver has in hand, when it is free, and each arrival against its promise', async () => {
  await using screen = await browser.desk({ maps: true, viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await openBoard(page);
  await driver(page, 'Ana Souza').getByText('livre agora').waitFor();
  await driver(page, 'Bruno Dias').getByText('1 entrega, 3 paradas').waitFor();
  await driver(page, 'Bruno Dias')
    .getByText(/livre \d\d:\d\d/)
    .waitFor();
  await row(page, busy.id)
    .getByText(/chega \d\d:\d\d/)
    .waitFor();
  await row(page, busy.id)
    .getByText(/prometido \d\d:\d\d/)
    .waitFor();
  await assertFits(page.locator('html'));
  await screen.assertAccessible();
  await screen.screenshot('console-board-1280', page.locator('.map'));
});

test('a delivery is given to another driver by keyboard alone, from the board', async () => {
  const { id } = await deliveryIn(malote, 'accepted', 2);
  await using screen = await browser.desk();
  const { page } = screen;
  await openBoard(page);
  await row(page, id).waitFor();
  await page.keyboard.press('f');
  await page.keyboard.type(String(id));
  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: `Passar a entrega ${id} para…` });
  await dialog.getByRole('radio', { name: /Ana Souza/ }).waitFor();
  await page.keyboard.type('ana sou');
  await page.keyboard.press('ArrowDown');
  await dialog.getByRole('columnheader', { name: 'Depois' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-board-give');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Fica no caminho dela');
  await page.keyboard.press('Enter');
  await page.getByText('A entrega passou para Ana Souza.').waitFor();
  assert.equal((await detail(id)).condutor.id, String(ana));
  assertOk(await operator.post(`/entregas/${id}/desistir`, {}));
});

test('a delivery without a driver is dragged onto one, offered, and refused in words where it may not be', async () => {
  const { id } = await openDelivery(malote, {}, 1);
  await using screen = await browser.desk();
  const { page } = screen;
  await openBoard(page);
  await row(page, id).waitFor();
  await drag(page, id, driver(page, 'Ana Souza'));
  await page.getByText('soltar aqui').waitFor();
  await screen.screenshot('console-board-drag');
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: `Escolher entregador para a entrega ${id}` });
  await dialog.getByRole('columnheader', { name: 'Depois' }).waitFor();
  await screen.screenshot('console-board-drop');
  await dialog.getByRole('button', { name: 'Oferecer' }).click();
  await page.getByText('Oferecida a Ana Souza; aguarda o aceite.').waitFor();
  assert.equal((await detail(id)).status, 'G');

  // A delivery that a driver is carrying passes only to a free driver.
  const other = await deliveryIn(malote, 'in_progress', 1);
  await row(page, other.id).waitFor();
  await drag(page, other.id, driver(page, 'Bruno Dias'));
  await page.mouse.up();
  const refused = page.getByRole('dialog', { name: `Passar a entrega ${other.id} para…` });
  await refused.getByText(`está com a entrega ${busy.id} agora`, { exact: false }).waitFor();
  await refused.getByLabel('Motivo').fill('Mais perto');
  await assertDisabled(refused.getByRole('button', { name: 'Passar a entrega' }));
  await page.keyboard.press('Escape');

  // Released elsewhere, it stays.
  await drag(page, other.id, page.getByRole('heading', { name: 'O dia' }));
  await page.mouse.up();
  await assertNone(page.getByRole('dialog'));
});

test('the dialog follows a delivery that somebody accepts meanwhile', async () => {
  const { id } = await openDelivery(malote, {}, 1);
  const driverId = await newDriver(malote, near(4));
  await using screen = await browser.desk();
  const { page } = screen;
  await openBoard(page);
  await row(page, id).click({ position: { x: 4, y: 4 } });
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: `Escolher entregador para a entrega ${id}` }).waitFor();
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  const dialog = page.getByRole('dialog', { name: `Passar a entrega ${id} para…` });
  await dialog.getByLabel('Motivo').waitFor();
  await assertNone(dialog.getByRole('button', { name: 'Aceitar por ele' }));
});

test('the map gathers deliveries into clusters that open, and draws only the selected one in full', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await openBoard(page);
  const cluster = page.locator('.map-point.cluster:not(.drivers)').first();
  await cluster.waitFor();
  await assertNone(page.locator('.map-point.stop'));
  await eventually(async () => {
    const count = Number.parseInt((await cluster.locator('.sign').textContent()) ?? '', 10);
    assert.ok(count >= 4, `those of one pickup are one cluster, of ${count}`);
  });
  await cluster.click();
  // These deliveries are at the same place, so they are listed. Choosing one also selects it in the list.
  const listed = page.locator('.map-list button');
  await listed.first().waitFor();
  await screen.screenshot('console-board-cluster');
  const text = (await listed.first().textContent()) ?? '';
  await listed.first().click();
  await page.locator(`.day-list tr[aria-current="true"][data-key="${text.split(' ')[0]}"]`).waitFor();
  await row(page, busy.id).click({ position: { x: 4, y: 4 } });
  await page.locator('.map-point.stop').nth(2).waitFor();
  await assertCount(page.locator('.map-point.stop'), 3);
  await screen.screenshot('console-board-1440', page.locator('.map'));
});

test('drivers who stand together are one sign with their number, which opens; who carries the selected one is apart', async () => {
  for (let count = 0; count < 5; count += 1) await newDriver(malote, near(2));
  assertOk(await operator.post(`/condutores/${busy.driverId}/posicao`, near(2)));
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await openBoard(page);
  const together = page.locator('.map-point.cluster.drivers');
  await together.getByText('6', { exact: true }).waitFor();
  await assertAttribute(together.first(), 'title', '6 entregadores');
  await row(page, busy.id).click({ position: { x: 4, y: 4 } });
  await page.locator('.map-point.driver.selected').waitFor();
  await together.getByText('5', { exact: true }).waitFor();
  await standsStill(page.locator('.map'));
  await screen.screenshot('console-board-drivers');
  await together.click();
  await page.locator('.map-list button').nth(4).waitFor();
});

test('items that need a person are reached with p and done with r', async () => {
  const waiting = await deliveryIn(malote, 'awaiting_release');
  await using screen = await browser.desk();
  const { page } = screen;
  await openBoard(page);
  const item = page.locator(`.attention-list li[data-delivery="${waiting.id}"]`);
  await item.waitFor();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('p');
    if (await item.locator('.attention-entry').evaluate((link) => link.matches(':focus'))) break;
  }
  await page.keyboard.press('r');
  await page.getByText(`Entrega ${waiting.id} liberada.`).waitFor();
  assert.equal((await detail(waiting.id)).status, 'D');
});

test('the bell asks the browser only when it is clicked; what is new is called once, in one tab', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  // Stored in the browser context, so that both tabs are counted and a reload keeps the calls.
  const calls: string[] = [];
  const context = page.context();
  await context.exposeFunction('noteCall', (what: string) => void calls.push(what));
  await context.addInitScript(() => {
    const global = globalThis as unknown as Record<string, unknown> & { noteCall(what: string): void };
    global.Notification = class {
      static get permission() {
        return localStorage.getItem('permission') ?? 'default';
      }
      static async requestPermission() {
        global.noteCall('asked');
        localStorage.setItem('permission', 'granted');
        return 'granted';
      }
      constructor(_: string, { body }: { body: string }) {
        global.noteCall(body);
      }
      close() {}
    };
  });
  await openBoard(page);
  assert.equal(calls.length, 0);
  await page.getByRole('button', { name: 'Avisos' }).click();
  const dialog = page.getByRole('dialog', { name: 'Avisos do que precisa de você' });
  await dialog.getByLabel('Mostrar notificação do navegador').click();
  await page.getByRole('button', { name: 'Avisos ligados', includeHidden: true }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-board-bell');
  await dialog.getByRole('button', { name: 'Pronto' }).click();
  assert.equal(calls.join(), 'asked', 'what was there before is not new');

  const second = await context.newPage();
  await second.goto('/console/entregas');
  await second.getByRole('heading', { name: 'Entregas' }).waitFor();
  const { id } = await deliveryIn(malote, 'awaiting_release');
  const about = `Entrega ${id} aguarda liberação`;
  await waitUntil('the person is called', () => calls.includes(about));
  await page.reload();
  await row(page, id).waitFor();
  const next = await deliveryIn(malote, 'awaiting_release');
  await waitUntil('the next is called', () => calls.includes(`Entrega ${next.id} aguarda liberação`));
  assert.equal(
    calls.filter((text) => text.includes(about)).length,
    1,
    'neither a reload nor a tab repeats it',
  );
});
