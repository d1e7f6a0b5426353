import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { assertNone } from '../../support/shown.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

test('a program gets a token that is shown once, another one, and is revoked', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/acessos');
  await page.getByText('Nenhum programa').waitFor();
  await page.getByRole('button', { name: 'Novo programa' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Que programa é').fill('Loja virtual');
  await dialog.getByLabel('O que ele vê').selectOption('Padaria Moinhos');
  await assertNone(dialog.getByLabel(/Conduzir entregas/));
  await dialog.getByLabel('Ver o saldo das empresas').check();
  await dialog.getByRole('button', { name: 'Criar token' }).click();
  const shown = page.getByRole('dialog', { name: 'Token do programa' });
  const first = await shown.locator('code').textContent();
  assert.match(first!, /^malote_1_/);
  await shown.getByRole('button', { name: 'Já guardei' }).click();
  await page.getByRole('row', { name: /^Loja virtual Padaria Moinhos .* e mais 1 nunca .*Ativo/ }).waitFor();
  await page.getByRole('button', { name: 'Trocar token Loja virtual' }).click();
  await dialog.getByRole('button', { name: 'Trocar token' }).click();
  const second = await shown.locator('code').textContent();
  assert.notEqual(second, first);
  await shown.getByRole('button', { name: 'Já guardei' }).click();
  await assertNone(page.getByText(second!));
  await page.getByRole('button', { name: 'Revogar' }).last().click();
  await dialog.getByRole('button', { name: 'Revogar' }).click();
  await page.getByRole('row', { name: /^Loja virtual .*Revogado/ }).waitFor();
});
