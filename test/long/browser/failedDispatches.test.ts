import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { failedDispatch, readScheduled } from '../../support/scheduled.ts';
import { assertFits, assertNone } from '../../support/shown.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

test('a dispatch that failed needs somebody, says why, and is gone from there once it is cancelled', async () => {
  const first = await failedDispatch(malote);
  await using screen = await browser.desk({ expected: [/422 \(Unprocessable.*\/disparar/] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const section = page.getByRole('region', { name: 'Saídas que falharam' });
  await section.getByRole('link', { name: new RegExp(`#${first} .*saldo insuficiente`) }).waitFor();
  const second = await failedDispatch(malote);
  await section.getByRole('link', { name: new RegExp(`#${second} `) }).waitFor();
  // Retried from the list, and refused with an explanation as long as the reason persists.
  await section.getByRole('button', { name: `Tentar agora ${second}` }).click();
  await page.locator('.toasts').getByText(/saldo/i).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-failed-dispatches');

  await page.getByRole('button', { name: 'English' }).click();
  const english = page.getByRole('region', { name: 'Failed dispatches' });
  await english.getByRole('link', { name: new RegExp(`#${first} .*insufficient balance`) }).waitFor();
  await page.getByRole('button', { name: 'Português' }).click();

  await section.getByRole('link', { name: '2', exact: true }).click();
  const table = page.getByRole('table', { name: 'Programadas' });
  await table.getByText('saldo insuficiente').first().waitFor();
  await page.goBack();

  await section.getByRole('link', { name: new RegExp(`#${first} `) }).click();
  await page.getByText(/^A saída falhou: saldo insuficiente.*envia de novo com outro horário/).waitFor();
  await screen.assertAccessible();
  await page.getByRole('button', { name: 'Cancelar programada' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar programada' }).click();
  await page.getByText(`#${first} cancelada.`).waitFor();
  assert.equal((await readScheduled(malote.manager2, first)).situacao, 'C');
  await page.getByRole('link', { name: 'O dia' }).click();
  await section.getByRole('link', { name: '1', exact: true }).waitFor();
  await assertNone(section.getByRole('link', { name: new RegExp(`#${first} `) }));
});

test('its company’s manager sees it on a phone, and no other company’s', async () => {
  const id = await failedDispatch(malote);
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page, 'gerente2');
  await page.goto('/console');
  await page.getByRole('link', { name: new RegExp(`#${id} .*saldo insuficiente`) }).waitFor();
  await assertFits(page.locator('html'));
  await screen.assertAccessible();
  await screen.screenshot('console-failed-dispatches-phone');
  await signIn(page, 'gerente');
  await page.goto('/console');
  await page.getByText('Nada precisa de você agora').waitFor();
});
