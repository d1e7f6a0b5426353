import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import {
  boardBar as bar,
  countByStatus,
  boardGrid as grid,
  makeBusy,
  markRows,
  openBoard,
  openDeliveries,
  boardRow as row,
  SMALL,
  lastToast as toast,
  visibleRows as visible,
  watchWrites,
} from '../../support/busyBoard.ts';
import { startMalote } from '../../support/malote.ts';
import { assertAttribute, assertCount, assertNone, assertText } from '../../support/shown.ts';
import { assertOk, newDriver } from '../../support/steps.ts';
import { eventually } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { db } = malote;
const browser = await openBrowser(malote.url);
await makeBusy(malote);
const open = () => openDeliveries(malote);
const mark = (page: Page, count: number) => markRows(malote, page, count);
const statusesOf = (ids: readonly string[]) => countByStatus(malote, ids);

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

test('what was promised is moved for many, and moved back', async () => {
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const ids = await mark(page, 3);
  const promises = async () =>
    (await open())
      .filter(({ id }) => ids.includes(id))
      .map(({ prometida_para }) => Date.parse(prometida_para) / 60_000);
  const before = await promises();
  await screen.screenshot('board-marked');
  await bar(page).getByRole('button', { name: 'Adiar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mudar a promessa de 3 entregas?' });
  await dialog.getByLabel('Minutos a mais').fill('25');
  await dialog.getByRole('button', { name: 'Mudar a promessa' }).click();
  await toast(page).getByText('3 com nova promessa.').waitFor();
  assert.deepEqual(
    await promises(),
    before.map((at) => at + 25),
  );
  await toast(page).getByRole('button', { name: 'Desfazer' }).click();
  await eventually(async () => assert.deepEqual(await promises(), before));
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

test('forty are distributed by a plan: one look, one click, one line, and undone', async () => {
  for (let index = 0; index < 8; index += 1) {
    const driver = await newDriver(malote, { lat: -30.02 - index / 200, lng: -51.22 });
    await db`insert into driver_categories (central_id, driver_id, category_id) values (1, ${driver}, 1)`;
    await db`update drivers set name = ${`Plano ${index}`} where central_id = 1 and id = ${driver}`;
  }
  await using screen = await browser.desk({ ...SMALL });
  const { page } = screen;
  await openBoard(page);
  const ids = await mark(page, 40);
  const before = await statusesOf(ids);
  const writes = watchWrites(page);
  const started = performance.now();
  await bar(page).getByRole('button', { name: 'Distribuir' }).click();
  const dialog = page.getByRole('dialog', { name: 'Distribuir 40 entregas' });
  const apply = dialog.getByRole('button', { name: /^Aplicar \d+ rotas? \(\d+ entregas?\)$/ });
  await apply.waitFor();
  await screen.screenshot('board-plan');
  await screen.assertAccessible();
  const [, routes, count] = /(\d+) rotas? \((\d+)/.exec((await apply.textContent())!)!;
  const planned = performance.now();
  await apply.click();
  await toast(page)
    .getByText(new RegExp(`^${count}( de 40)? distribuídas?`))
    .waitFor();
  console.log(
    `${count} of 40 in ${routes} routes: planned and shown after ${Math.round(planned - started)} ms, with a screenshot and axe`,
  );
  assert.match(writes.join(' '), /^\S+operacao\/planos \S+operacao\/planos\/\d+\/aplicar$/);
  const after = await statusesOf(ids);
  assert.equal((after.G ?? 0) - (before.G ?? 0), Number(count));
  await toast(page).getByRole('button', { name: 'Desfazer' }).click();
  await toast(page).getByText(`${count} desfeitas.`).waitFor();
  assert.deepEqual(await statusesOf(ids), before);
});
