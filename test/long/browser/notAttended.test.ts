import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { deliveryIn } from '../../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

test('a delivery without a driver is dismissed with a reason and leaves the board; its history shows it', async () => {
  const { id } = await deliveryIn(malote, 'not_attended');
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const waiting = page.getByRole('region', { name: 'Não atendidas' });
  await waiting.getByRole('button', { name: `Dispensar ${id}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Motivo').fill('O cliente mandou buscar');
  await screen.assertAccessible();
  await screen.screenshot('console-dismiss');
  await dialog.getByRole('button', { name: 'Dispensar' }).click();
  await page.getByText(`Entrega ${id} dispensada.`).waitFor();
  await waiting.waitFor({ state: 'detached' });
  await page.goto(`/console/entregas/${id}`);
  await page.getByText(/^Dispensada pela central: O cliente mandou buscar, central/).waitFor();
  await page.getByText('Dispensada: O cliente mandou buscar').waitFor();
  await screen.assertAccessible();
});
