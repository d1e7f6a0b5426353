import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { at, start } from '../../support/grouping.ts';
import { startMalote } from '../../support/malote.ts';
import { pickup } from '../../support/orders.ts';
import { readScheduled, schedule } from '../../support/scheduled.ts';
import { assertCount, assertDisabled, assertFits, assertNone } from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { manager, manager2 } = malote;
const REFUSED = /Failed to load resource.*4\d\d/;

const driverAt = { lat: -30.036, lng: -51.222 };
const elsewhere = { partida: { ...pickup, lat: '-30.0400' } };

const stopCount = async (id: number): Promise<number> =>
  assertOk(await malote.central.get(`/entregas/${id}`)).body.data.paradas.length;

async function openDialog(page: Page, id: number, english = false) {
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('button', { name: english ? 'Group others into it' : 'Agrupar outras nesta' }).click();
  return page.getByRole('dialog', {
    name: english ? `Group others into delivery ${id}` : `Agrupar outras na entrega ${id}`,
  });
}

test('an operator sees who may be taken into a delivery on its way and what that brings, and does it', async () => {
  const grouper = await start(malote, at(0, 1), { driverAt });
  const going = await start(malote, at(2));
  const waiting = await schedule(manager, at(3));
  const others = [await start(malote, elsewhere), await start(malote, {}, { by: manager2 })];
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  const dialog = await openDialog(page, grouper);
  const running = dialog.getByRole('group', { name: 'Em andamento' });
  await running.getByRole('checkbox').first().waitFor();
  await assertCount(running.getByRole('checkbox'), 1, 'of the same company and pickup only');
  for (const id of others) await assertNone(running.getByRole('checkbox', { name: new RegExp(`^${id} `) }));
  const act = dialog.getByRole('button', { name: /^Agrupar/ });
  await assertDisabled(act);

  await running.getByRole('checkbox', { name: new RegExp(`^${going} `) }).check();
  await dialog
    .getByRole('group', { name: 'Programadas' })
    .getByRole('checkbox', { name: new RegExp(`^${waiting} `) })
    .check();
  const figures = dialog.getByRole('table', { name: 'Antes e depois do agrupamento' });
  await figures.getByRole('row', { name: /^Viagens 3 1/ }).waitFor();
  await dialog.locator('.map-point').first().waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-group-running', dialog);
  assert.equal(await stopCount(grouper), 2, 'nothing is done before the button');

  await dialog.getByRole('button', { name: 'Agrupar 2 nesta entrega' }).click();
  await page.getByText(`Agrupadas: a entrega ${grouper} leva agora todas as paradas.`).waitFor();
  assert.equal(await stopCount(grouper), 4);
  assert.equal((await readScheduled(manager, waiting)).situacao, 'agrupado');
  await page.getByText(`Recebeu as paradas de ${going}, ${waiting}`).waitFor();
});

test('a forbidden grouping is refused in the contract’s words, in English on a phone', async () => {
  const grouper = await start(malote, at(0, 1, 2, 3, 4, 5));
  const tooMany = await start(malote, at(0, 1, 2, 3, 4));
  await using screen = await browser.phone({ locale: 'en-GB', expected: [REFUSED] });
  const { page } = screen;
  await signIn(page, 'gerente');
  const dialog = await openDialog(page, grouper, true);
  await dialog.getByRole('checkbox', { name: new RegExp(`^${tooMany} `) }).check();
  await dialog.getByText('They may not be grouped').waitFor();
  await dialog.getByText(/at most 10 stops and this one would have 11/).waitFor();
  await assertDisabled(dialog.getByRole('button', { name: /^Group/ }));
  await assertFits(dialog);
  await screen.assertAccessible();
  await screen.screenshot('console-group-running-refused-phone');
});

test('on a phone the plan stands below the choice, and the dialogue stays when the delivery ends meanwhile', async () => {
  const [grouper, other] = [await start(malote, at(0), { driverAt }), await start(malote, at(4))];
  await using screen = await browser.phone({ maps: true, expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  const dialog = await openDialog(page, grouper);
  await dialog.getByRole('checkbox', { name: new RegExp(`^${other} `) }).check();
  await dialog.getByText('Podem ser agrupadas', { exact: true }).waitFor();
  await dialog.locator('.map-point').first().waitFor();
  await assertFits(dialog);
  await screen.assertAccessible();
  await screen.screenshot('console-group-running-phone', dialog);
  assertOk(await malote.central.post(`/entregas/${grouper}/cancelar`, { motivo_id: 2 }));
  await page.getByText('Cancelada', { exact: true }).first().waitFor();
  await dialog.getByRole('button', { name: 'Agrupar 1 nesta entrega' }).click();
  await dialog.getByText(`a entrega ${grouper} não está em andamento`).first().waitFor();
  assert.equal(await stopCount(other), 1);
});

test('with no other of its company and pickup the dialogue says what would appear', async () => {
  const alone = await start(malote, elsewhere, { by: manager2 });
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente2');
  const dialog = await openDialog(page, alone);
  await dialog.getByText('Nenhuma outra para agrupar').waitFor();
  await screen.assertAccessible();
});
