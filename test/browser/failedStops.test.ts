import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { failing } from '../support/failures.ts';
import { jpeg, png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { assertCount, assertNone } from '../support/shown.ts';
import { assertOk, deliveryIn, type TestDelivery } from '../support/steps.ts';
import { eventually } from '../support/waitUntil.ts';

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
  // The number leads to a list of these deliveries with its own address, and back.
  const release = page.getByRole('region', { name: 'Aguardam liberação' });
  await release.waitFor();
  await page.getByRole('navigation', { name: 'Entregas por status' }).getByText('Não entregues 2').click();
  await release.waitFor({ state: 'detached' });
  await page.reload();
  await section.getByText('recusou receber').nth(1).waitFor();
  await assertNone(release);
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

async function sendPhoto({ id, stopIds }: TestDelivery, image: Buffer, type = 'image/jpeg'): Promise<void> {
  assertOk(
    await malote.operator.send(`/entregas/${id}/paradas/${stopIds[0]}/comprovantes/foto`, {
      method: 'PUT',
      body: new Uint8Array(image),
      headers: { 'content-type': type },
    }),
  );
}

test('the receipt lists failed attempts by stop, with reason, time and photo', async () => {
  await malote.configure({ failureRefused: 'leave', confirmationCode: false, proofPhoto: 'optional' });
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  await sendPhoto(delivery, jpeg());
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  assertOk(await conclude(delivery, 1));
  await using screen = await browser.desk({ viewport: { width: 1280, height: 900 } });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${delivery.id}`);
  const attempts = page.getByRole('region', { name: 'Recibo' }).getByRole('listitem');
  await attempts.getByText(/^Parada 1: recusou receber · \d\d:\d\d foto$/i).waitFor();
  await assertCount(attempts, 1);
  const link = await attempts.getByRole('link', { name: 'foto' }).getAttribute('href');
  assert.equal((await page.request.get(link!)).headers()['content-type'], 'image/jpeg');
  await page.getByRole('button', { name: 'Ampliar: Foto da tentativa 1' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('delivery-receipt-attempts');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('delivery-receipt-attempts-390');
});

test('each failed attempt has its photo beside it, and the handing over has its own', async () => {
  await malote.configure({ failureAbsent: 'retry', failureAttemptsMax: 3, confirmationCode: false });
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const shot = (seed: string) => sendPhoto(delivery, png({ width: 320, height: 240, seed }), 'image/png');
  await shot('dark');
  assertOk(await fail(delivery, 0));
  await shot('lighter now');
  assertOk(await fail(delivery, 0));
  assertOk(await conclude(delivery, 1));
  await shot('');
  assertOk(await conclude(delivery, 0));
  await using screen = await browser.desk({ viewport: { width: 1280, height: 900 } });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${delivery.id}`);
  const photos = new Set<string>();
  for (const number of [1, 2]) {
    const attempt = page.getByRole('listitem').filter({ hasText: new RegExp(`^ ?Tentativa ${number}:`) });
    const button = attempt.getByRole('button', { name: `Ampliar: Foto da tentativa ${number}` });
    photos.add((await button.locator('img').getAttribute('src'))!);
  }
  const handedOver = page.getByRole('button', { name: 'Ampliar: Foto da entrega' });
  photos.add((await handedOver.locator('img').getAttribute('src'))!);
  assert.equal(photos.size, 3);
  for (const path of photos) assert.equal((await page.request.get(path)).status(), 200);
  const receipt = page.getByRole('region', { name: 'Recibo' });
  await assertCount(receipt.getByRole('link', { name: 'foto' }), 2);
  await screen.assertAccessible();
  await screen.screenshot('delivery-attempt-photos');
  await page.getByRole('button', { name: 'Ampliar: Foto da tentativa 2' }).click();
  const large = page.getByRole('dialog', { name: 'Foto da tentativa 2' }).getByRole('img');
  await eventually(async () => {
    const box = await large.boundingBox();
    assert.ok(box && box.width > 200, `the photo is ${box?.width} pixels wide`);
  });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('delivery-attempt-photos-390');
});
