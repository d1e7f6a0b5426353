import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, NO_NETWORK, openBrowser, type Screen, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Json } from '../../support/client.ts';
import { cameraPhoto, cutNetwork, DRIVER_PHONE, press, screenshot } from '../../support/driverPhone.ts';
import { startMalote } from '../../support/malote.ts';
import { stop } from '../../support/orders.ts';
import { assertDisabled, assertNone, assertValue } from '../../support/shown.ts';
import { assertOk, openDelivery, type TestDelivery } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { operator } = malote;
const browser = await openBrowser(malote.url);
const PHOTO_BYTES_MAX = 200 * 1024;

const openPhone = (): Promise<Screen> =>
  browser.phone({
    expected: [NO_NETWORK, /trabalho\/eventos/, /status of 4\d\d/],
    ...DRIVER_PHONE,
  });

/** The driver is at the only stop, where 45.90 are to be collected. */
async function atTheDoor(page: Page, driverId: number, forma_pagamento = 'D'): Promise<TestDelivery> {
  const paradas = [{ ...stop(0), valor_cobrar: '45.90' }];
  const delivery = await openDelivery(malote, { forma_pagamento, paradas });
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
  await page.goto(`/entregador${new URL(body.data.link).hash}`);
  await press(page, 'Aceitar');
  for (const name of ['Já estou lá', 'Cheguei na coleta', 'Peguei os pedidos', 'Já estou lá', 'Cheguei'])
    await press(page, name);
  return delivery;
}

async function takePhoto(page: Page): Promise<void> {
  const buffer = await cameraPhoto(page);
  await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByAltText('A foto que será enviada').waitFor();
}

async function sign(page: Page): Promise<void> {
  const pad = page.locator('.signature');
  await pad.scrollIntoViewIfNeeded();
  const { x, y } = (await pad.boundingBox())!;
  await page.mouse.move(x + 40, y + 80);
  await page.mouse.down();
  for (let step = 0; step < 40; step += 1)
    await page.mouse.move(x + 40 + step * 6, y + 80 + Math.sin(step / 2) * 40);
  await page.mouse.up();
}

const isDrawn = (selector: string): string =>
  `(() => { const image = document.querySelector('${selector}'); return image?.complete && image.naturalWidth > 0; })()`;

const statusOf = async ({ id }: TestDelivery): Promise<string> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.status;
const stopOf = async ({ id }: TestDelivery): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.paradas[0];

test('photo, signature, name and amount are given without network, and seen by all who may', async (t) => {
  await malote.configureFor(t, {
    proofPhoto: 'required',
    proofSignature: 'required',
    proofName: 'required',
    proofAmount: true,
    proofOnTracking: true,
  });
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 1);
  await waitUntil('the arrival is known', async () => (await statusOf(delivery)) === 'E');
  await page.getByText('Entregar', { exact: true }).waitFor();
  await cutNetwork(page);
  await press(page, 'Entregar');
  await press(page, 'Confirmar entrega');
  await page.getByText('Falta: o nome de quem recebeu, a foto, a assinatura.').waitFor();
  await page.getByRole('textbox', { name: 'Quem recebeu' }).fill('Ana Lima');
  await page.getByLabel('Valor recebido').fill('45,90');
  await press(page, 'Pix');
  await takePhoto(page);
  await sign(page);
  await screenshot(page, 'proof-1-given');
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await page.goto('/entregador#/pendentes');
  for (const waiting of ['Foto', 'Assinatura', 'Entreguei']) await page.getByText(waiting).waitFor();
  await screenshot(page, 'proof-2-waiting');
  assert.equal((await stopOf(delivery)).concluida_em, null);

  await page.reload();
  await page.getByText('Esperando para enviar').waitFor();
  await page.context().setOffline(false);
  await waitUntil('it is finished', async () => (await statusOf(delivery)) === 'F');
  await page.getByText('Tudo enviado à central.').waitFor();
  const shown = await stopOf(delivery);
  assert.deepEqual(
    [shown.recebido_por, shown.valor_recebido, shown.forma_recebimento],
    ['Ana Lima', '45.90', 'X'],
  );
  const [photo, signature] = shown.comprovantes;
  assert.deepEqual([photo.formato, signature.formato], ['image/jpeg', 'image/png']);
  const content = Buffer.from(await (await fetch(photo.url)).arrayBuffer());
  assert.ok(content.length <= PHOTO_BYTES_MAX, `${content.length} bytes`);
  assert.ok(!content.includes('Exif'));

  await using desk = await browser.desk();
  await signIn(desk.page);
  await desk.page.goto(`/console/entregas/${delivery.id}`);
  await desk.page.getByText('Recebido por').first().waitFor();
  const thumbnail = desk.page.getByRole('button', { name: 'Ampliar: Foto da entrega' });
  await thumbnail.scrollIntoViewIfNeeded();
  await waitUntil('the photo is shown', () => desk.page.evaluate(isDrawn('.proof-images img')));
  await desk.assertAccessible();
  await desk.screenshot('proof-console');
  await thumbnail.click();
  await desk.page.getByRole('dialog', { name: 'Foto da entrega' }).waitFor();
  await desk.assertAccessible();
  await desk.screenshot('proof-console-enlarged');

  const links = assertOk(await malote.manager.get(`/entregas/${delivery.id}/links-rastreio`)).body.data;
  await page.goto(links[0].link_rastreio);
  const tracked = page.getByAltText('Foto da entrega');
  await tracked.scrollIntoViewIfNeeded();
  await waitUntil('the recipient sees the photo', () => page.evaluate(isDrawn('main img')));
  await assertAccessible(page);
  await screen.screenshot('proof-3-tracking');
});

test('proof that the central began to require meanwhile is added afterwards, and nothing is lost', async (t) => {
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 2);
  await waitUntil('the arrival is known', async () => (await statusOf(delivery)) === 'E');
  await cutNetwork(page);
  await press(page, 'Entregar');
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await malote.configureFor(t, { proofPhoto: 'required' });
  await page.context().setOffline(false);
  await page.goto('/entregador#/pendentes');
  await page.getByText('falta a foto da entrega').waitFor();
  await screenshot(page, 'proof-4-missing');
  await takePhoto(page);
  await press(page, 'Tentar de novo');
  await page.getByText('Tudo enviado à central.').waitFor();
  assert.equal((await stopOf(delivery)).comprovantes.length, 1);
  assert.equal(await statusOf(delivery), 'F');
});

test('an amount collected on an invoiced delivery requires its form, and the driver hands in cash', async () => {
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 3, 'F');
  await assertNone(page.getByText('Faturado'));
  await press(page, 'Entregar');
  await press(page, 'Confirmar entrega');
  await page.getByText('Falta: a forma de pagamento.').waitFor();
  await press(page, 'Dinheiro');
  await press(page, 'Confirmar entrega');
  await waitUntil('it is finished', async () => (await statusOf(delivery)) === 'F');
  const { dinheiro_a_entregar } = assertOk(await operator.get('/condutores/3/ganhos')).body.data;
  assert.equal(dinheiro_a_entregar, '45.90');
});

test('an amount that is asked for afterwards is given with the form in which it was paid', async (t) => {
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 4);
  await waitUntil('the arrival is known', async () => (await statusOf(delivery)) === 'E');
  await cutNetwork(page);
  await press(page, 'Entregar');
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await malote.configureFor(t, { proofAmount: true });
  await page.context().setOffline(false);
  await page.goto('/entregador#/pendentes');
  await page.getByText('falta o valor recebido').waitFor();
  await page.getByLabel('Valor recebido').fill('40,00');
  await page.locator('button:disabled', { hasText: 'Tentar de novo' }).waitFor();
  await press(page, 'Pix');
  await screenshot(page, 'proof-5-amount');
  await press(page, 'Tentar de novo');
  await page.getByText('Tudo enviado à central.').waitFor();
  const { valor_recebido, forma_recebimento } = await stopOf(delivery);
  assert.deepEqual([valor_recebido, forma_recebimento], ['40.00', 'X']);
  const { dinheiro_a_entregar } = assertOk(await operator.get('/condutores/4/ganhos')).body.data;
  assert.equal(dinheiro_a_entregar, '0.00');
});

test('an amount above what the stop collects, entered without network, is corrected by the driver', async () => {
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 3, 'F');
  await waitUntil('the arrival is known', async () => (await statusOf(delivery)) === 'E');
  await cutNetwork(page);
  await press(page, 'Entregar');
  await page.getByLabel('Valor recebido').fill('4590');
  await press(page, 'Dinheiro');
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await page.context().setOffline(false);
  await page.goto('/entregador#/pendentes');
  await page.getByText('é maior que o valor a receber nesta parada').waitFor();
  await assertValue(page.getByLabel('Valor recebido'), '4590,00');
  await assertDisabled(page.getByRole('button', { name: 'Tentar de novo' }));
  await page.getByLabel('Valor recebido').fill('45,90');
  await screenshot(page, 'proof-7-above-due');
  await press(page, 'Tentar de novo');
  await page.getByText('Tudo enviado à central.').waitFor();
  assert.equal((await stopOf(delivery)).valor_recebido, '45.90');
  assert.equal(await statusOf(delivery), 'F');
});

test('a photo that the phone still prepares is waited for, and not left out of the conclusion', async (t) => {
  await malote.configureFor(t, { proofPhoto: 'optional' });
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 6);
  await press(page, 'Entregar');
  await page.evaluate(`{
    const isReleased = new Promise((resolve) => { globalThis.release = resolve; });
    const read = createImageBitmap;
    globalThis.createImageBitmap = (...given) => isReleased.then(() => read(...given));
  }`);
  const buffer = await cameraPhoto(page);
  await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByText('Preparando a foto…').waitFor();
  await assertDisabled(page.getByRole('button', { name: 'Confirmar entrega' }));
  await page.evaluate('release()');
  await page.getByAltText('A foto que será enviada').waitFor();
  // The camera was opened again and left without a photo.
  await page.locator('input[type=file]').setInputFiles([]);
  await press(page, 'Confirmar entrega');
  await waitUntil('it is finished', async () => (await statusOf(delivery)) === 'F');
  assert.equal((await stopOf(delivery)).comprovantes.length, 1);
});

/** The camera covers the app, which must keep what was filled in. */
async function goOutOfSight(page: Page, holds: string): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));`);
  await waitUntil('the draft is kept', async () =>
    Boolean(
      await page.evaluate(`new Promise((resolve) => {
        const opening = indexedDB.open('malote-entregador');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('notes').objectStore('notes').get('draft');
          reading.onsuccess = () => { opening.result.close(); resolve(reading.result?.filled.${holds}); };
        };
      })`),
    ),
  );
}

test('a sheet is as it was after the phone ended the app behind its camera, and empty once closed', async (t) => {
  await malote.configureFor(t, { proofPhoto: 'optional', proofName: 'optional', proofAmount: true });
  await using screen = await openPhone();
  const { page } = screen;
  const delivery = await atTheDoor(page, 4);
  const name = page.getByRole('textbox', { name: 'Quem recebeu' });

  await press(page, 'Não consegui entregar');
  await press(page, 'Recusou receber');
  await page.getByLabel('O que aconteceu').fill('Pediu outra coisa');
  await goOutOfSight(page, 'note');
  await page.reload();
  await page.getByRole('button', { name: 'Recusou receber', pressed: true }).waitFor();
  await assertValue(page.getByLabel('O que aconteceu'), 'Pediu outra coisa');
  await press(page, 'Fechar');

  await press(page, 'Entregar');
  await assertValue(name, '');
  await name.fill('Ana Lima');
  await page.getByLabel('Valor recebido').fill('45,00');
  await press(page, 'Pix');
  await takePhoto(page);
  await goOutOfSight(page, 'photo');
  await page.reload();
  await page.getByAltText('A foto que será enviada').waitFor();
  await assertValue(name, 'Ana Lima');
  await assertValue(page.getByLabel('Valor recebido'), '45,00');
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await waitUntil('it is finished', async () => (await statusOf(delivery)) === 'F');
  const { recebido_por, valor_recebido, comprovantes } = await stopOf(delivery);
  assert.deepEqual([recebido_por, valor_recebido, comprovantes.length], ['Ana Lima', '45.00', 1]);
  await page.reload();
  await page.getByRole('switch').waitFor();
  await assertNone(page.getByRole('dialog'));
});

test('an operator concludes a stop of an invoiced delivery with what was paid and how, and the receipt has it', async () => {
  const delivery = await openDelivery(malote, {
    forma_pagamento: 'F',
    paradas: [{ ...stop(0), valor_cobrar: '45.90' }],
  });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 5 }));
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  await using desk = await browser.desk();
  const { page } = desk;
  await signIn(page);
  await page.goto(`/console/entregas/${delivery.id}`);
  await page.getByRole('button', { name: 'Concluir parada' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Valor recebido').fill('45,90');
  await dialog.getByLabel('Como foi pago').selectOption({ label: 'Dinheiro' });
  await desk.assertAccessible();
  await desk.screenshot('proof-6-operator');
  await dialog.getByRole('button', { name: 'Concluir parada' }).click();
  const receipt = page.getByRole('region', { name: 'Recibo' });
  await receipt.getByText('45,90').waitFor();
  assert.equal((await stopOf(delivery)).forma_recebimento, 'D');
});

test('an operator who records more than a stop collects is asked why, and the history tells it', async () => {
  const delivery = await openDelivery(malote, {
    forma_pagamento: 'F',
    paradas: [{ ...stop(0), valor_cobrar: '45.90' }],
  });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 5 }));
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  await using desk = await browser.desk({ expected: [/status of 422/] });
  const { page } = desk;
  await signIn(page);
  await page.goto(`/console/entregas/${delivery.id}`);
  await page.getByRole('button', { name: 'Concluir parada' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Valor recebido').fill('50,00');
  await dialog.getByLabel('Como foi pago').selectOption({ label: 'Dinheiro' });
  await dialog.getByRole('button', { name: 'Concluir parada' }).click();
  await dialog.getByText('é maior que o valor a receber nesta parada').waitFor();
  await dialog.getByLabel('Por que foi recebido mais').fill('Pagou o frete junto');
  await desk.assertAccessible();
  await desk.screenshot('proof-8-above-due');
  await dialog.getByRole('button', { name: 'Concluir parada' }).click();
  await page.getByText('recebido a mais: Pagou o frete junto').waitFor();
  assert.equal((await stopOf(delivery)).valor_recebido, '50.00');
});
