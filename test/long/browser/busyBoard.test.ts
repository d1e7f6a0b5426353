import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import {
  BUSY_OPEN,
  boardBar as bar,
  boardGrid as grid,
  makeBusy,
  openBoard,
  openDeliveries,
  boardRow as row,
  SMALL,
  visibleRows as visible,
} from '../../support/busyBoard.ts';
import { startMalote } from '../../support/malote.ts';
import { order } from '../../support/orders.ts';
import {
  assertAddress,
  assertAttribute,
  assertCount,
  assertFits,
  assertNone,
  assertText,
} from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { manager } = malote;
const browser = await openBrowser(malote.url);
await makeBusy(malote);
const open = () => openDeliveries(malote);

test('a busy day begins with the board: 24 rows on a small screen, the least slack on top', async () => {
  await using screen = await browser.desk({ ...SMALL, maps: true });
  const { page } = screen;
  await openBoard(page);
  await screen.screenshot('board-busy');
  const shown = await visible(page);
  assert.ok(shown.length >= 24, `${shown.length} rows`);
  const slack = new Map((await open()).map(({ id, folga_segundos }) => [id, folga_segundos]));
  assert.equal(slack.size, BUSY_OPEN);
  const slacks = shown.map((id) => slack.get(id));
  assert.deepEqual(
    slacks,
    slacks.toSorted((a, b) => a - b),
  );
  assert.equal(slacks[0], Math.min(...slack.values()));
  await assertAttribute(grid(page), 'aria-rowcount', String(BUSY_OPEN + 1));
  await screen.assertAccessible();
  await page.getByRole('button', { name: 'Mapa', exact: true }).click();
  await row(page, shown[2]!).click({ position: { x: 300, y: 10 } });
  await page.locator(`.map-point.selected[title^="${shown[2]} "]`).waitFor();
  await screen.screenshot('board-map');
  await screen.assertAccessible();
});

test('dark, the board is as readable', async () => {
  await using screen = await browser.desk({ ...SMALL, colorScheme: 'dark' });
  await openBoard(screen.page);
  await screen.screenshot('board-busy-dark');
  await screen.assertAccessible();
});

test('order, groups and columns are chosen; order and groups are in the address', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const header = (name: string) => grid(page).getByRole('columnheader', { name });
  await assertAttribute(header('Folga'), 'aria-sort', 'ascending');
  await header('Nº').getByRole('button').click();
  await header('Nº').getByRole('button').click();
  await assertAttribute(header('Nº'), 'aria-sort', 'descending');
  await assertAddress(page, /ordem=-numero/);
  const newest = Math.max(...(await open()).map(({ id }) => Number(id)));
  assert.equal((await visible(page))[0], String(newest));
  await page.getByLabel('Grupos').selectOption('bairro');
  const groups = grid(page).locator('.board-group');
  await groups.first().waitFor();
  await assertAddress(page, /grupo=bairro/);
  await screen.screenshot('board-groups');
  await screen.assertAccessible();
  const [first] = await visible(page);
  await groups.first().getByRole('button', { name: 'Marcar todas' }).click();
  const district = (await open()).find(({ id }) => id === first)!.paradas[0].bairro;
  const inDistrict = (await open()).filter(({ paradas }) => paradas[0].bairro === district).length;
  await assertText(bar(page), new RegExp(`${inDistrict} marcadas`));
  await groups.first().getByRole('button', { name: district }).click();
  await assertNone(row(page, first!));
  await page.getByText('Colunas').click();
  await page.locator('.columns-list').getByLabel('Cliente').uncheck();
  await page.keyboard.press('Escape');
  await assertNone(header('Cliente'));
  await page.reload();
  await groups.first().waitFor();
  await assertNone(header('Cliente'));
});

test('an event moves a row, and the others stay where they are on the screen', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page, '/console?ordem=-numero');
  await page.evaluate(`document.querySelector('.board-frame').scrollTop = 1200`);
  await waitUntil('rows further down are drawn', async () => (await visible(page)).length >= 24);
  const before = await visible(page);
  const topOf = async (id: string) => Math.round((await row(page, id).boundingBox())!.y);
  const places = await Promise.all(before.slice(3, 20).map(topOf));
  const started = performance.now();
  // The newest comes first, above all that are on the screen; one on the screen goes.
  const { body } = assertOk(await manager.post('/entregas', order()));
  await assertAttribute(grid(page), 'aria-rowcount', String((await open()).length + 1));
  console.log(`an event is on the screen after ${Math.round(performance.now() - started)} ms`);
  assert.deepEqual(await Promise.all(before.slice(3, 20).map(topOf)), places);
  assertOk(await malote.central.post('/entregas/cancelar', { ids: [Number(before[21])], motivo_id: 2 }));
  await row(page, before[21]!).waitFor({ state: 'detached' });
  assert.deepEqual(await Promise.all(before.slice(3, 20).map(topOf)), places);
  assertOk(await manager.post(`/entregas/${body.data.id_mch}/cancelar`, { motivo_id: 2 }));
});

test('scrolling is measured: the time between frames is printed', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const times = await page.evaluate<number[]>(`new Promise((resolve) => {
    const frame = document.querySelector('.board-frame');
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      frame.scrollTop += 60;
      if (times.length < 80) requestAnimationFrame(step);
      else resolve(times.slice(1).sort((a, b) => a - b));
    };
    requestAnimationFrame(step);
  })`);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1);
  console.log(`frames while scrolling: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(0.999)} ms`);
  assert.equal(times.length, 79);
  await assertCount(grid(page).locator('tr[data-delivery]').first(), 1);
});

test('a wide screen has higher rows; a phone has the list; the columns come back with a key', async () => {
  {
    await using screen = await browser.desk({ viewport: { width: 1440, height: 1080 } });
    const { page } = screen;
    await openBoard(page);
    const box = (await page.locator('.board-row').first().boundingBox())!;
    assert.ok(box.height > 30 && box.height <= 36, `${box.height}`);
    await screen.screenshot('board-wide');
    await page.keyboard.press('b');
    await page.getByRole('table', { name: 'Entregas em curso' }).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Entregas em curso' }).waitFor();
    await page.keyboard.press('b');
    await grid(page).waitFor();
  }
  await using phone = await browser.phone();
  await signIn(phone.page);
  await phone.page.goto('/console');
  await phone.page.getByRole('table', { name: 'Entregas em curso' }).waitFor();
  await assertNone(grid(phone.page));
  await assertFits(phone.page.locator('html'));
  const cards = phone.page.locator('.day-list tbody tr');
  await assertCount(cards, 40);
  await phone.page.getByRole('button', { name: /^Mostrar mais/ }).click();
  await assertCount(cards, 80);
});
