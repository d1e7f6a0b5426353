import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { mapIsReady, NO_NETWORK, openBrowser, standsStill } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { assertAttribute, assertCount, assertFits, assertHidden, assertText } from '../support/shown.ts';
import { assertOk, newDriver, openDelivery, type TestDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, manager, clock } = malote;
const browser = await openBrowser(malote.url);
await malote.configure({ confirmationCode: true, supportText: 'WhatsApp (51) 3000-0000' });

interface Tracked extends TestDelivery {
  driverId: number;
  links: string[];
  codes: number[];
}

const track = async (stops = 1): Promise<Tracked> => {
  const delivery = await openDelivery(malote, {}, stops);
  const { body } = assertOk(await manager.get(`/entregas/${delivery.id}/links-rastreio`));
  const rows: { link_rastreio: string; codigo_confirmacao: number }[] = body.data;
  const driverId = await newDriver(malote, { lat: -30.026, lng: -51.2102 });
  await malote.db`
    update drivers set name = 'João Souza', color = 'vermelha', plate = 'IXA1B23' where central_id = 1 and id = ${driverId}`;
  return {
    ...delivery,
    driverId,
    links: rows.map(({ link_rastreio }) => link_rastreio),
    codes: rows.map(({ codigo_confirmacao }) => codigo_confirmacao),
  };
};
const step = async ({ id }: TestDelivery, name: string, body: unknown = {}) =>
  assertOk(await operator.post(`/entregas/${id}/${name}`, body));
const reportPosition = async ({ driverId }: Tracked, lat: number, lng: number) => {
  clock.advance({ seconds: 5 });
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, { lat, lng }));
};
const says = (page: Page, id: string, words: RegExp) => page.locator(`#${id}`, { hasText: words }).waitFor();
const mapIsDrawn = (page: Page) => page.locator('#map canvas').waitFor();
/** The scale changes with the distance between the courier and the destination. */
const scaleOf = (page: Page) => page.locator('.maplibregl-ctrl-scale').textContent();

test('a recipient watches the whole delivery on a phone without touching the page', async () => {
  const delivery = await track();
  await using screen = await browser.phone({ maps: true });
  const { page } = screen;
  await page.goto(delivery.links[0]!);
  await says(page, 'sentence', /Estamos procurando um entregador/);
  await assertHidden(page.locator('#map'));
  await screen.assertAccessible();
  await screen.screenshot('tracking-1-searching');

  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await says(page, 'sentence', /João vai buscar o seu pedido\.\sChega entre/);
  await mapIsDrawn(page);
  await assertText(page.locator('#driver-plate'), 'IXA1B23');
  await assertText(page.locator('#code-digits'), String(delivery.codes[0]));
  await screen.assertAccessible();
  await screen.screenshot('tracking-2-accepted');

  await step(delivery, 'chegar');
  await says(page, 'sentence', /João está retirando o seu pedido/);
  await step(delivery, 'iniciar');
  await says(page, 'sentence', /João está a caminho\.\sChega entre/);
  await says(page, 'detail', /A sua é a próxima entrega/);
  const before = await scaleOf(page);
  await reportPosition(delivery, -30.0451, -51.2149);
  await waitUntil('the map has followed the courier', async () => (await scaleOf(page)) !== before);
  await screen.screenshot('tracking-3-on-the-way', page.locator('#map'));

  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`, { codigo_confirmacao: delivery.codes[0] });
  await says(page, 'sentence', /Pedido entregue. Obrigado!/);
  await says(page, 'detail', /Entregue às 12:00/);
  await assertHidden(page.locator('#map'));
  await assertHidden(page.locator('#code'));
  await screen.assertAccessible();
  await screen.screenshot('tracking-4-delivered');
});

test('at night, in English, with stops before your own and a courier who was not heard of for a while', async () => {
  const delivery = await track(3);
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await step(delivery, 'iniciar');
  clock.advance({ minutes: 7 });
  await using screen = await browser.phone({ maps: true, colorScheme: 'dark', locale: 'en-GB' });
  const { page } = screen;
  await page.goto(delivery.links[2]!);
  await says(page, 'sentence', /João is on the way\.\sArrives between/);
  await says(page, 'detail', /2 deliveries before yours/);
  await says(page, 'position', /Last known position, 7 min ago/);
  await mapIsDrawn(page);
  await page.locator('.sign.driver.old').waitFor();
  await assertAttribute(page.locator('.sign.driver'), 'aria-label', 'Last known position of the courier');
  await screen.assertAccessible();
  await screen.screenshot('tracking-dark-english-old');
  await reportPosition(delivery, -30.03, -51.22);
  await page.locator('.sign.driver:not(.old)').waitFor();
});

test('without script the page says the same, and looks again by itself', async () => {
  const delivery = await track();
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await using screen = await browser.phone({ javaScriptEnabled: false });
  const { page } = screen;
  await page.goto(delivery.links[0]!);
  await says(page, 'sentence', /João vai buscar o seu pedido/);
  await assertText(page.locator('#code-digits'), String(delivery.codes[0]));
  await assertHidden(page.locator('#map'));
  await assertCount(page.locator('noscript meta[http-equiv=refresh]'), 1);
  await screen.screenshot('tracking-without-script');
});

test('a word that is longer than a small phone is wide is written on several lines', async () => {
  const word = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3);
  const { id } = await openDelivery(malote, { paradas: [{ ...stop(0), endereco_parada: `Rua ${word}, 1` }] });
  const { body } = assertOk(await manager.get(`/entregas/${id}/links-rastreio`));
  await using screen = await browser.phone({ viewport: { width: 320, height: 640 } });
  const { page } = screen;
  await page.goto(body.data[0].link_rastreio);
  await page.getByText(word, { exact: false }).waitFor();
  await assertFits(page.locator('html'));
});

test('a browser that cannot draw maps shows all the words', async () => {
  const delivery = await track();
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await using screen = await browser.phone({ maps: true });
  const { page } = screen;
  await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
  await page.goto(delivery.links[0]!);
  await says(page, 'sentence', /João vai buscar/);
  await page.locator('#map').waitFor({ state: 'detached' });
  await step(delivery, 'iniciar');
  await says(page, 'sentence', /João está a caminho/);
});

test('a lost connection is shown, with the time of the last known state', async () => {
  const delivery = await track();
  await using screen = await browser.phone({ expected: [NO_NETWORK] });
  const { page } = screen;
  await page.clock.install();
  await page.goto(delivery.links[0]!);
  await says(page, 'updated', /Atualizado às/);
  await page.context().setOffline(true);
  await page.clock.runFor(90_000);
  await says(page, 'updated', /Sem conexão. O que você vê é das \d\d:\d\d/);
  await screen.assertAccessible();
});

test('a request that the network swallows is not waited for without end', async () => {
  const delivery = await track();
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await using screen = await browser.phone();
  const { page } = screen;
  await page.addInitScript(`{
    const { timeout } = AbortSignal;
    AbortSignal.timeout = () => timeout.call(AbortSignal, 3000);
  }`);
  let swallowed = 0;
  await page.route(/\/estado$/, (route) => {
    swallowed += 1;
    return swallowed === 1 ? undefined : route.continue();
  });
  await page.goto(delivery.links[0]!);
  await says(page, 'sentence', /João vai buscar/);
  await page.evaluate(`void document.dispatchEvent(new Event('visibilitychange'))`);
  await waitUntil('a request is under way', () => swallowed > 0);
  await step(delivery, 'iniciar');
  await says(page, 'sentence', /João está a caminho/);
});

test('cancelled, expired and unknown links say what to do', async () => {
  const delivery = await track();
  await using screen = await browser.phone({ expected: [/status of 4(10|04)/] });
  const { page } = screen;
  await page.goto(delivery.links[0]!);
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  await says(page, 'sentence', /Esta entrega foi cancelada/);
  await says(page, 'detail', /fale com a loja/);
  await screen.assertAccessible();
  await screen.screenshot('tracking-cancelled');
  clock.advance({ hours: 49 });
  assert.equal((await page.reload())?.status(), 410);
  await page.getByRole('heading', { name: 'Este link expirou' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('tracking-expired');
  assert.equal((await page.goto('/rastreio/um-endereco-incompleto'))?.status(), 404);
  await screen.screenshot('tracking-unknown');
});

test('all text is readable with any colour of a central', async () => {
  const delivery = await track();
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  for (const [name, brandColor, colorScheme] of [
    ['yellow', '#ffe600', 'light'],
    ['navy', '#000a3d', 'dark'],
  ] as const) {
    await malote.configure({ brandColor });
    await using screen = await browser.phone({ maps: true, colorScheme });
    await screen.page.goto(delivery.links[0]!);
    await mapIsDrawn(screen.page);
    await screen.assertAccessible();
    await screen.screenshot(`tracking-brand-${name}`);
  }
});

test('the map can be zoomed by keyboard, and then stays where the person put it', async () => {
  const delivery = await track();
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await using screen = await browser.phone({ maps: true, reducedMotion: 'reduce' });
  const { page } = screen;
  await page.goto(delivery.links[0]!);
  await mapIsReady(page.locator('#map'));
  await page.locator('#map canvas').focus();
  const before = await scaleOf(page);
  await page.keyboard.press('+');
  await waitUntil('it is nearer', async () => (await scaleOf(page)) !== before);
  await standsStill(page.locator('#map'));
  const chosen = await scaleOf(page);
  const courier = page.locator('#map .sign.driver');
  const stood = await courier.getAttribute('style');
  await reportPosition(delivery, -30.0488, -51.2157);
  await waitUntil('the courier has moved', async () => (await courier.getAttribute('style')) !== stood);
  assert.equal(await scaleOf(page), chosen);
});

test('prints how soon the first content is visible', async (context) => {
  const delivery = await track();
  await using screen = await browser.phone();
  await screen.page.goto(delivery.links[0]!);
  await screen.page.reload();
  let paint: number | undefined;
  await waitUntil('something is painted', async () => {
    paint = await screen.page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    return paint !== undefined;
  });
  context.diagnostic(`first contentful paint after ${Math.round(paint!)} ms`);
});

test('a failed attempt, its return and help that can be tapped', async () => {
  const delivery = await track(2);
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await step(delivery, 'iniciar');
  await using screen = await browser.phone({ maps: true });
  const { page } = screen;
  await page.goto(delivery.links[0]!);
  await says(page, 'sentence', /João está a caminho/);
  await step(delivery, `paradas/${delivery.stopIds[0]}/falhar`, { motivo: 'ausente' });
  await says(page, 'attempts', /Tentamos entregar às \d\d:\d\d e não encontramos ninguém/);
  await screen.assertAccessible();
  await screen.screenshot('tracking-7-tried');
  await step(delivery, `paradas/${delivery.stopIds[0]}/falhar`, { motivo: 'ausente' });
  await says(page, 'sentence', /Não conseguimos entregar o seu pedido/);
  await says(page, 'attempts', /O pedido está voltando/);
  await assertHidden(page.locator('#map'));
  const call = page.getByRole('link', { name: 'Ligar' });
  await assertAttribute(call, 'href', 'tel:+555130000000');
  assert.ok((await call.boundingBox())!.height >= 48);
  await screen.assertAccessible();
  await screen.screenshot('tracking-8-returning');
  await step(delivery, `paradas/${delivery.stopIds[0]}/retomar`);
  await says(page, 'sentence', /João está a caminho/);
});

test('a recipient sees the photo of the handing over when it arrives, without touching the page', async (t) => {
  await malote.configureFor(t, { proofOnTracking: true });
  const delivery = await track();
  await step(delivery, 'aceitar', { condutor_id: delivery.driverId });
  await step(delivery, 'iniciar');
  await using screen = await browser.phone();
  const { page } = screen;
  await page.goto(delivery.links[0]!);
  await says(page, 'sentence', /João está a caminho/);
  const stopPath = `paradas/${delivery.stopIds[0]}`;
  await step(delivery, `${stopPath}/concluir`, { codigo_confirmacao: delivery.codes[0] });
  await says(page, 'sentence', /Pedido entregue. Obrigado!/);
  await assertHidden(page.locator('#photo'));
  assertOk(
    await operator.send(`/entregas/${delivery.id}/${stopPath}/comprovantes/foto`, {
      method: 'PUT',
      body: new Uint8Array(png()),
      headers: { 'content-type': 'image/png' },
    }),
  );
  await page.getByRole('heading', { name: 'Foto da entrega' }).waitFor();
  const isDrawn = `document.querySelector('img[alt="Foto da entrega"]')?.naturalWidth > 0`;
  await waitUntil('the photo is drawn', () => page.evaluate<boolean>(isDrawn));
  await assertCount(page.locator('#photo img'), 1);
  await screen.assertAccessible();
});
