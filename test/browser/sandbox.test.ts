import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

test('an operator makes a test key, puts the clock forward, and wipes everything', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/ambiente-de-teste');
  await page.getByRole('heading', { name: 'Ambiente de teste' }).waitFor();
  await page.getByText(': a hora certa.').waitFor();

  await page.getByRole('button', { name: 'Nova chave de teste' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Para quem é').fill('Loja virtual');
  await form.getByRole('button', { name: 'Salvar' }).click();
  const shown = page.getByRole('dialog', { name: 'Nova chave de teste' });
  const key = (await shown.locator('code').textContent())!;
  assert.match(key, /^teste_/);
  await shown.getByRole('button', { name: 'Já guardei' }).click();
  await page.getByRole('cell', { name: 'Loja virtual' }).waitFor();
  const sandbox = client(`${malote.url}/api/v2/integracao`, { key, user: 'gerente', password: 'demo' });
  const { id_mch: id } = assertOk(await sandbox.post('/entregas', order())).body.data;

  await page.getByRole('button', { name: '+ 30 minutos' }).click();
  await page.getByText('12:30').waitFor();
  await page.getByLabel('Outros minutos').fill('15');
  await page.getByRole('button', { name: 'Adiantar' }).click();
  await page.getByText('12:45').waitFor();
  assert.equal(assertOk(await sandbox.get('/sandbox')).body.data.adiantado_minutos, 45);
  await screen.assertAccessible();

  // The console shows the real side only.
  assert.equal((await malote.operator.get(`/entregas/${id}`)).status, 404);

  await page.getByRole('button', { name: 'Novo programa de teste' }).click();
  await form.getByLabel('Que programa é').fill('Caixa da loja');
  await form.getByRole('button', { name: 'Criar token' }).click();
  const given = page.getByRole('dialog', { name: 'Token do programa' });
  const token = (await given.locator('code').textContent())!;
  assert.match(token, /^teste_\d/);
  await given.getByRole('button', { name: 'Já guardei' }).click();
  await page.getByRole('cell', { name: 'Caixa da loja', exact: true }).waitFor();
  const program = client(`${malote.url}/api/v2/integracao`, { token });
  assertOk(await program.get(`/entregas/${id}/status`));

  await page.getByRole('button', { name: 'Apagar tudo' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assertOk(await sandbox.get(`/entregas/${id}/status`));
  await page.getByRole('button', { name: 'Apagar tudo' }).click();
  // Enter presses the main button of a confirmation.
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(': a hora certa.').waitFor();
  assert.equal((await sandbox.get(`/entregas/${id}`)).status, 404);

  await page
    .getByRole('row', { name: /Loja virtual/ })
    .getByRole('button', { name: 'Revogar' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revogar' }).click();
  await page.getByRole('cell', { name: 'Revogada' }).waitFor();
  assert.equal((await sandbox.get('/sandbox')).status, 401);
});
