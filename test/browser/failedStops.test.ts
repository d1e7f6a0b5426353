import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { failing } from '../support/failures.ts';
import { jpeg } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, deliveryIn } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { fail, conclude } = failing(malote);

test('a stop that was not delivered waits under "needs you", with what can be done about it', async () => {
  const [first, second] = [
    await deliveryIn(malote, 'in_progress', 2),
    await deliveryIn(malote, 'in_progress', 2),
  ];
  await deliveryIn(malote, 'awaiting_release');
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
  // The number leads to them alone, at an address of its own, and back.
  const release = page.getByRole('region', { name: 'Aguardam liberação' });
  await release.waitFor();
  await page.getByRole('navigation', { name: 'Entregas por status' }).getByText('Não entregues 2').click();
  await release.waitFor({ state: 'detached' });
  await page.reload();
  await section.getByText('recusou receber').nth(1).waitFor();
  assert.equal(await release.count(), 0);
  await section.getByRole('link', { name: 'Mostrar tudo o que precisa de você' }).click();
  await release.waitFor();
  await section.getByRole('link', { name: '2', exact: true }).click();
  await release.waitFor({ state: 'detached' });
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

test('the receipt lists failed attempts by stop, with reason, time and photo', async () => {
  await malote.configure({ failureRefused: 'leave', confirmationCode: false, proofPhoto: 'optional' });
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const photo = `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/comprovantes/foto`;
  assertOk(
    await malote.operator.send(photo, {
      method: 'PUT',
      body: new Uint8Array(jpeg()),
      headers: { 'content-type': 'image/jpeg' },
    }),
  );
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  assertOk(await conclude(delivery, 1));
  await using screen = await browser.desk({ viewport: { width: 1280, height: 900 } });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${delivery.id}`);
  const attempts = page.getByRole('region', { name: 'Recibo' }).getByRole('listitem');
  await attempts.getByText(/^Parada 1: recusou receber · \d\d:\d\d foto$/i).waitFor();
  assert.equal(await attempts.count(), 1);
  const link = await attempts.getByRole('link', { name: 'foto' }).getAttribute('href');
  assert.equal((await page.request.get(link!)).headers()['content-type'], 'image/jpeg');
  await page.getByRole('button', { name: 'Ampliar: Foto da tentativa' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('delivery-receipt-attempts');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('delivery-receipt-attempts-390');
});
