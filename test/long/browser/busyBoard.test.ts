import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Client, Json } from '../../support/client.ts';
import { startMalote } from '../../support/malote.ts';
import { order, places, stop } from '../../support/orders.ts';
import {
  assertAddress,
  assertAttribute,
  assertCount,
  assertFits,
  assertNone,
  assertText,
} from '../../support/shown.ts';
import { assertOk, newDriver } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const SMALL = { viewport: { width: 1280, height: 720 } };
const DISTRICTS = ['Azenha', 'Bom Fim', 'Cidade Baixa', 'Floresta', 'Menino Deus', 'Moinhos de Vento'];
const OPEN = 250;

const malote = await startMalote();
const { operator, manager, manager2, clock, db } = malote;
const browser = await openBrowser(malote.url);
await db`update drivers set available = false where central_id = 1`;
await seed();

/** 250 open orders of two shops, ordered in an hour; drivers carry every sixth of them. */
async function seed(): Promise<void> {
  const create = async (who: Client, from: number, count: number): Promise<number[]> => {
    const entregas = Array.from({ length: count }, (_, index) => {
      const number = from + index;
      const to = places[number % places.length]!;
      const near = (degrees: string, by: number) => String(Number(degrees) + ((number * by) % 97) / 9_000);
      const paradas = [
        {
          ...stop(number),
          numero_pedido: `P-${1000 + number}`,
          bairro_parada: DISTRICTS[number % DISTRICTS.length],
          nome_cliente_parada: `Ana ${number}`,
          lat_parada: near(to.lat, 31),
          lng_parada: near(to.lng, 17),
        },
      ];
      return order({ paradas });
    });
    const { body } = assertOk(await who.post('/entregas/lote', { entregas }));
    return body.data.map(({ data }: Json) => Number(data.id_mch));
  };
  for (let batch = 0; batch < 5; batch += 1) {
    const ids = [
      ...(await create(manager, batch * 50, 30)),
      ...(await create(manager2, batch * 50 + 30, OPEN / 5 - 30)),
    ];
    for (const id of ids.filter((each) => each % 6 === 0)) {
      const driver = await newDriver(malote, { lat: -30.03 - (id % 40) / 1000, lng: -51.2 });
      await db`update drivers set name = ${`Condutor ${driver}`}, available = false where central_id = 1 and id = ${driver}`;
      assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
    }
    clock.advance({ minutes: 9 });
  }
}

const open = async (): Promise<Json[]> => assertOk(await operator.get('/entregas/abertas')).body.data;
const grid = (page: Page) => page.getByRole('grid', { name: 'Entregas em curso' });
const row = (page: Page, id: number | string) => grid(page).locator(`tr[data-delivery="${id}"]`);
const bar = (page: Page) => page.locator('.board-bar');
const toast = (page: Page) => page.getByRole('status').locator('p').last();

/** The rows that are whole on the screen, from top to bottom. */
const visible = async (page: Page): Promise<string[]> =>
  JSON.parse(
    await page.evaluate<string>(`(() => {
      const frame = document.querySelector('.board-frame').getBoundingClientRect();
      const head = document.querySelector('.board-grid thead').getBoundingClientRect();
      const rows = [...document.querySelectorAll('.board-row')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= head.bottom - 1 && bottom <= Math.min(frame.bottom, innerHeight) + 1;
      });
      return JSON.stringify(rows.map((row) => row.dataset.delivery));
    })()`),
  );

async function openBoard(page: Page, path = '/console'): Promise<void> {
  await signIn(page);
  await page.goto(path);
  await grid(page).waitFor();
  await page.locator('.board-row').first().waitFor();
}

test('a busy day begins with the board: 24 rows on a small screen, the least slack on top', async () => {
  await using screen = await browser.desk({ ...SMALL, maps: true });
  const { page } = screen;
  await openBoard(page);
  await screen.screenshot('board-busy');
  const shown = await visible(page);
  assert.ok(shown.length >= 24, `${shown.length} rows`);
  const slack = new Map((await open()).map(({ id, folga_segundos }) => [id, folga_segundos]));
  assert.equal(slack.size, OPEN);
  const slacks = shown.map((id) => slack.get(id));
  assert.deepEqual(
    slacks,
    slacks.toSorted((a, b) => a - b),
  );
  assert.equal(slacks[0], Math.min(...slack.values()));
  await assertAttribute(grid(page), 'aria-rowcount', String(OPEN + 1));
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

/** Marks so many rows from the first one on, by a click and a shift-click; returns their ids. */
async function mark(page: Page, count: number): Promise<string[]> {
  const first = (await visible(page))[0]!;
  await row(page, first).locator('.board-check').click();
  for (let at = 1; at < count; at += 1) await page.keyboard.press('j');
  const last = await grid(page).locator('tr[aria-current="true"]').getAttribute('data-delivery');
  await row(page, last!).click({ modifiers: ['Shift'], position: { x: 300, y: 10 } });
  await assertText(bar(page), new RegExp(`${count} marcadas`));
  const all = await open();
  const slack = new Map(all.map(({ id, folga_segundos }) => [id, folga_segundos]));
  return all
    .map(({ id }) => String(id))
    .toSorted((a, b) => slack.get(a) - slack.get(b) || Number(a) - Number(b))
    .slice(0, count);
}

/** The requests of the page that change something. */
function watchWrites(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/api/')) writes.push(pathname);
  });
  return writes;
}
const statusesOf = async (ids: readonly string[]): Promise<Record<string, number>> => {
  const { body } = assertOk(await malote.central.post('/entregas/status', { ids: ids.map(Number) }));
  const counts: Record<string, number> = {};
  for (const { data } of body.data) counts[data.status] = (counts[data.status] ?? 0) + 1;
  return counts;
};

test('forty are held back with one preview, one request and one line of result, and it can be undone', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const ids = await mark(page, 40);
  const writes = watchWrites(page);
  const before = await statusesOf(ids);
  await bar(page).getByRole('button', { name: 'Segurar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Segurar 40 entregas?' });
  await dialog.getByText('40 entregas, 40 paradas').waitFor();
  await dialog.getByText(`${before.A} já estão com entregadores, que ficam livres`).waitFor();
  await dialog.getByLabel('Motivo').fill('A cozinha parou');
  await screen.screenshot('board-hold');
  await screen.assertAccessible();
  await dialog.getByRole('button', { name: 'Segurar' }).click();
  await toast(page).getByText('40 seguradas.').waitFor();
  assert.deepEqual(writes, ['/api/v2/operacao/entregas/segurar']);
  assert.deepEqual(await statusesOf(ids), { P: 40 });
  await assertNone(grid(page).locator('tr[aria-selected="true"]'));
  await toast(page).getByRole('button', { name: 'Desfazer' }).click();
  await toast(page).getByText('40 liberadas.').waitFor();
  assert.deepEqual(await statusesOf(ids), { D: 40 });
});

test('forty are offered to one driver; what changed meanwhile is named and stays marked', async () => {
  const driver = await newDriver(malote, { lat: -30.0305, lng: -51.2303 });
  await db`update drivers set name = 'Bianca Reis' where central_id = 1 and id = ${driver}`;
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const ids = await mark(page, 40);
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Oferecer 40 entregas a…' });
  await dialog.getByText('Bianca Reis').waitFor();
  const cancelled = (await open())
    .filter(({ id, status }) => ids.includes(id) && status === 'D')
    .slice(0, 3)
    .map(({ id }) => Number(id));
  assertOk(await malote.central.post('/entregas/cancelar', { ids: cancelled, motivo_id: 2 }));
  const taken = (await statusesOf(ids)).D!;
  await dialog.getByLabel('Procurar entregador').fill('bianca');
  await page.keyboard.press('ArrowDown');
  await dialog.getByText('Só Bianca Reis pode aceitar cada uma').waitFor();
  await screen.screenshot('board-offer');
  await page.keyboard.press('Enter');
  await toast(page)
    .getByText(new RegExp(`^${taken} de 40 oferecidas, ${40 - taken} não puderam: .*\\(3\\)`))
    .waitFor();
  assert.equal((await statusesOf(ids)).G, taken);
  await screen.screenshot('board-offered');
  await toast(page).getByRole('button', { name: 'Desfazer' }).click();
  await toast(page).getByText(`${taken} ofertas retiradas.`).waitFor();
  assert.equal((await statusesOf(ids)).D, taken);
});

test('the keyboard marks, marks a shop, cancels with one reason, and lets go', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const writes = watchWrites(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+J');
  await assertCount(grid(page).locator('tr[aria-selected="true"]'), 3);
  await page.keyboard.press('Escape');
  await assertNone(grid(page).locator('tr[aria-selected="true"]'));
  const selected = grid(page).locator('tr[aria-current="true"]');
  const id = (await selected.getAttribute('data-delivery'))!;
  await assertAttribute(grid(page), 'aria-activedescendant', (await selected.getAttribute('id'))!);
  const all = await open();
  const { nome_cliente: shop } = all.find((each) => each.id === id)!;
  await page.keyboard.press('e');
  const ofShop = all.filter(({ nome_cliente }) => nome_cliente === shop).length;
  await assertText(bar(page), new RegExp(`${ofShop} marcadas`));
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await bar(page).getByRole('button', { name: 'Cancelar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancelar 2 entregas?' });
  await dialog.getByLabel('Motivo').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Cancelar as entregas' }).click();
  await toast(page).getByText('2 canceladas.').waitFor();
  assert.deepEqual(writes, ['/api/v2/integracao/entregas/cancelar']);
  await page.keyboard.press('p');
  await page.locator('.day-attention .attention-entry:focus').waitFor();
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

test('marked rows are dragged onto a driver together', async () => {
  const driver = await newDriver(malote, { lat: -30.031, lng: -51.23 });
  await db`update drivers set name = 'Caio Prado' where central_id = 1 and id = ${driver}`;
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const [first, second] = await visible(page);
  await row(page, first!).locator('.board-check').click();
  await row(page, second!).locator('.board-check').click();
  const start = (await row(page, first!).boundingBox())!;
  await page.mouse.move(start.x + 300, start.y + 10);
  await page.mouse.down();
  await page.mouse.move(start.x + 340, start.y + 14, { steps: 3 });
  await page.locator('.dragged').getByText('2 entregas').waitFor();
  const target = page.locator('.day-drivers li').filter({ hasText: 'Caio Prado' });
  await target.waitFor();
  const end = (await target.boundingBox())!;
  await page.mouse.move(end.x + 40, end.y + 10, { steps: 4 });
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'Oferecer 2 entregas a…' });
  await dialog.getByText('Só Caio Prado pode aceitar cada uma').waitFor();
  await page.keyboard.press('Escape');
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
  await phone.screenshot('board-phone');
});

test('marked ones are printed with their places, and nothing else', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  await page.evaluate('window.print = () => { window.printed = (window.printed ?? 0) + 1; }');
  const ids = await visible(page);
  await row(page, ids[0]!).locator('.board-check').click();
  await row(page, ids[3]!).click({ modifiers: ['Shift'], position: { x: 300, y: 10 } });
  await bar(page).getByRole('button', { name: 'Imprimir' }).click();
  const sheet = page.locator('.print-sheet');
  await sheet.waitFor({ state: 'attached' });
  assert.equal(await page.evaluate('window.printed'), 1);
  await page.emulateMedia({ media: 'print' });
  await assertCount(sheet.locator('tbody tr'), 4);
  await assertText(sheet.locator('tbody tr').first(), new RegExp(`${ids[0]}.*Rua dos Andradas.*P-1`));
  await grid(page).waitFor({ state: 'hidden' });
  await screen.screenshot('board-print');
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await assertNone(sheet);
  await grid(page).waitFor();
});

test('what goes well together is a card beside the board: a click marks it and asks for the driver', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  await page.getByRole('button', { name: 'Entregadores', exact: true }).click();
  const card = page.getByRole('region', { name: 'Boas de levar juntas' }).getByRole('button').first();
  await card.waitFor();
  await screen.screenshot('board-bundles');
  await screen.assertAccessible();
  const count = Number(/^(\d+) da .* para o .*−[\d,]+ km$/.exec((await card.textContent())!)![1]);
  await card.click();
  await page.getByRole('dialog', { name: `Oferecer ${count} entregas a…` }).waitFor();
  await page.keyboard.press('Escape');
  await assertText(bar(page), new RegExp(`${count} marcadas`));
});
