import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { failing } from '../support/failures.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, deliveryIn } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { fail } = failing(malote);

test('a stop that was not delivered waits under "needs you", with what can be done about it', async () => {
  const [first, second] = [
    await deliveryIn(malote, 'in_progress', 2),
    await deliveryIn(malote, 'in_progress', 2),
  ];
  for (const delivery of [first, second])
    assertOk(await fail(delivery, 0, { motivo: 'recusado', observacao: 'Não pediu' }));
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const section = page.getByRole('region', { name: 'Não entregues' });
  await section.getByText('recusou receber').first().waitFor();
  await screen.assertAccessible();
  await screen.screenshot('day-not-delivered');
  const item = section
    .getByRole('listitem')
    .filter({ has: page.getByText(String(first.id), { exact: true }) });
  await item.getByRole('button', { name: 'Dar por resolvida' }).click();
  await page.getByLabel('O que foi feito').fill('O cliente retirou na loja');
  await page.getByRole('dialog').getByRole('button', { name: 'Dar por resolvida' }).click();
  await item.waitFor({ state: 'detached' });

  await page.goto(`/console/entregas/${second.id}`);
  await page.getByText('“Não pediu”').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('delivery-not-delivered');
  await page.getByRole('button', { name: 'Devolver à corrida' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Devolver à corrida' }).click();
  await page.getByText('A central devolveu a parada à corrida.').waitFor();
});
