import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { assertCount } from '../../support/shown.ts';
import { assertOk, deliveryIn } from '../../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

test('an operator concludes a locked stop without a code, says why, and the story tells it', async () => {
  await malote.configure({ confirmationCode: true });
  const { id, stopIds } = await deliveryIn(malote, 'in_progress', 2);
  const links = assertOk(await malote.central.get(`/entregas/${id}/links-rastreio`)).body.data;
  const right: number = links[0].codigo_confirmacao;
  for (let attempt = 0; attempt < 5; attempt += 1)
    await malote.operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {
      codigo_confirmacao: right === 9999 ? 1000 : right + 1,
    });

  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('button', { name: 'Concluir parada' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Concluir a parada 1?' });
  await dialog.getByText('O código foi bloqueado depois de cinco tentativas incorretas.').waitFor();
  await dialog.getByLabel('Por que sem código').fill('Cliente confirmou por telefone');
  await screen.assertAccessible();
  await screen.screenshot('console-without-code');
  await dialog.getByRole('button', { name: 'Concluir parada' }).click();
  await page.getByText('sem código: Cliente confirmou por telefone').waitFor();

  // The other stop is not locked, and its recipient does not have the code at hand.
  await dialog.waitFor({ state: 'detached' });
  await assertCount(page.getByRole('button', { name: 'Concluir parada' }), 1);
  await page.getByRole('button', { name: 'Concluir parada' }).first().click();
  const other = page.getByRole('dialog', { name: 'Concluir a parada 2?' });
  await other.getByLabel('Código de confirmação').waitFor();
  await other.getByRole('button', { name: 'Concluir sem código' }).click();
  await other.getByLabel('Por que sem código').fill('Sem celular');
  await other.getByRole('button', { name: 'Concluir parada' }).click();
  await page.getByRole('region', { name: 'Recibo' }).waitFor();
  assert.equal(assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data.status, 'F');
});
