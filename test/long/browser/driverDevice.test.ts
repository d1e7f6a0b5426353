import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { NO_NETWORK, openBrowser, type Screen } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { DRIVER_PHONE, inBothSchemes, press } from '../../support/driverPhone.ts';
import { startMalote } from '../../support/malote.ts';
import { browserKeys } from '../../support/push.ts';
import { assertNone, assertText } from '../../support/shown.ts';
import { assertOk, openDelivery, type TestDelivery } from '../../support/steps.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

/*
 * Events of the phone itself: rotation, sleep, lost storage, a wrong clock, and a withdrawn permission for the
 * location.
 */

const malote = await startMalote();
const { operator } = malote;
const browser = await openBrowser(malote.url);

async function linkFor(driverId: number): Promise<string> {
  const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
  return `/entregador${new URL(body.data.link).hash}`;
}

async function openPhone(
  driverId: number,
  options: BrowserContextOptions = {},
  script = '',
): Promise<Screen> {
  const screen = await browser.phone({
    expected: [NO_NETWORK, /status of 4\d\d/],
    ...DRIVER_PHONE,
    ...options,
  });
  if (script) await screen.page.context().addInitScript(script);
  await screen.page.goto(await linkFor(driverId));
  return screen;
}

/** A delivery of a driver of the demonstration, started by default. */
async function carried(driverId: number, isStarted = true): Promise<TestDelivery> {
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  if (isStarted) assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  return delivery;
}
const end = async ({ id }: TestDelivery) =>
  assertOk(await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));

/** Asserts that the buttons below leave half of the screen for the text. */
const assertRoomToRead = (page: Page, place: string) =>
  eventually(async () => {
    const top = (await page.locator(place).boundingBox())!.y;
    const thumb = (await page.locator('dialog[open] .sheet-foot, .thumb').last().boundingBox())!.y;
    assert.ok(thumb - top >= 180, `${thumb - top} pixels are left to read`);
  }, 10_000);

/** Asserts that no text overflows its box. */
const assertWithin = (page: Page) =>
  eventually(async () => {
    const outside = await page.evaluate(`[...document.querySelectorAll('main *')]
      .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.outerHTML.slice(0, 100))`);
    assert.deepEqual(outside, []);
  }, 10_000);

const next = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':enabled')).click();

test('an offer stays on the screen however often the back button is pressed', async () => {
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: 1 }));
  await using screen = await openPhone(1);
  const { page } = screen;
  await page.getByRole('heading', { name: 'Nova oferta' }).waitFor();
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
  await page.getByText('Por que recusar?').waitFor();
  await press(page, 'Voltar à oferta');
  await press(page, 'Aceitar');
  await page.getByRole('heading', { name: 'Coleta' }).waitFor();
  await press(page, 'Não posso fazer esta entrega');
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
  await assertNone(page.getByRole('dialog'));
  await press(page, 'Não posso fazer esta entrega');
  await press(page, 'Devolver');
  await page.getByRole('switch').waitFor();
  // The phone may disappear before the central learns of it.
  await end(delivery);
});

test('a phone that is turned keeps the signature on its screen', async (t) => {
  await malote.configureFor(t, { proofSignature: 'required' });
  const delivery = await carried(2);
  await using screen = await openPhone(2);
  const { page } = screen;
  await press(page, 'Já estou lá');
  await next(page, 'Cheguei');
  await next(page, 'Entregar');
  const pad = page.locator('canvas');
  await pad.scrollIntoViewIfNeeded();
  const { x, y } = (await pad.boundingBox())!;
  await page.mouse.move(x + 20, y + 40);
  await page.mouse.down();
  await page.mouse.move(x + 160, y + 90);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Apagar e assinar de novo' }).waitFor();
  const inked = () =>
    page.evaluate(`(() => {
      const canvas = document.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return canvas.width === canvas.clientWidth && data.some((value, index) => index % 4 === 0 && value < 100);
    })()`) as Promise<boolean>;
  for (const [width, height] of [
    [740, 360],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await waitUntil('the signature is seen on a pad of the new size', inked);
    await page.getByRole('button', { name: 'Apagar e assinar de novo' }).waitFor();
  }
  await page.setViewportSize({ width: 740, height: 360 });
  await inBothSchemes(page, '70-turned');
  await assertRoomToRead(page, '.sheet-body');
  await press(page, 'Fechar');
  await assertRoomToRead(page, '.target');
  await inBothSchemes(page, '70-turned-run');
  await end(delivery);
});

test('a person who reads large letters gets them, and nothing sticks out', async () => {
  const delivery = await carried(6);
  await using screen = await openPhone(6, { viewport: { width: 360, height: 740 } });
  const { page } = screen;
  await press(page, 'Já estou lá');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await waitUntil('the letters are twice as large', () =>
    page.evaluate(`parseFloat(getComputedStyle(document.querySelector('.target h2')).fontSize) >= 34`),
  );
  await inBothSchemes(page, '75-large-letters');
  for (const name of ['menu', 'ganhos', 'pendentes']) {
    await page.goto(`/entregador#/${name}`);
    await page.getByRole('link', { name: 'Voltar' }).waitFor();
    await inBothSchemes(page, `75-large-letters-${name}`);
    await assertWithin(page);
  }
  await end(delivery);
});

test('the screen is kept on by one lock, which goes with the run', async () => {
  const delivery = await carried(3);
  await using screen = await openPhone(
    3,
    {},
    `globalThis.locks = 0;
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      locks += 1;
      return { released: false, async release() { this.released = true; locks -= 1; } };
    } } });`,
  );
  const { page } = screen;
  const locks = () => page.evaluate('locks') as Promise<number>;
  // The permission is requested once, whatever the driver does meanwhile.
  await press(page, 'Já estou lá');
  await waitUntil('the screen stays on', async () => (await locks()) > 0);
  await next(page, 'Cheguei');
  await page.getByRole('button', { name: 'Entregar', exact: true }).waitFor();
  await end(delivery);
  await page.getByRole('switch').waitFor();
  await eventually(async () => assert.equal(await locks(), 0));
});

test('a location that is blocked during a run is shown as missing, and followed again once it is allowed', async () => {
  const delivery = await carried(4);
  await using screen = await openPhone(4, { permissions: [] });
  const { page } = screen;
  const blocked = page.getByText('A localização está bloqueada.', { exact: false });
  await blocked.waitFor();
  await inBothSchemes(page, '71-location-blocked');
  const positionsSent = page.waitForRequest(/\/condutores\/posicoes$/);
  await page.context().grantPermissions(['geolocation']);
  await assertNone(blocked);
  await positionsSent;
  await end(delivery);
});

test('a clock that is set wrong while the app is open is corrected, though the central has no news', async () => {
  const delivery = await carried(5, false);
  await using screen = await openPhone(5);
  const { page } = screen;
  await press(page, 'Já estou lá');
  await page.evaluate(`{
    const { now } = Date;
    Date.now = () => now() + 2 * 3600 * 1000;
  }`);
  const unchanged = page.waitForResponse((answer) => answer.status() === 304);
  await page.evaluate(`void dispatchEvent(new Event('online'))`);
  await unchanged;
  const kept = () =>
    page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('malote-entregador');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('notes').objectStore('notes').get('clock');
        reading.onsuccess = () => { opening.result.close(); resolve(Date.now() + reading.result); };
      };
    })`) as Promise<number>;
  await eventually(async () => {
    const apart = Math.abs((await kept()) - malote.clock.now().epochMilliseconds);
    assert.ok(apart < 600_000, `${apart} ms apart`);
  });
  await end(delivery);
});

test('a phone that slept opens its live stream anew, since the old one may be dead', async () => {
  await using screen = await openPhone(2);
  const { page } = screen;
  await page.getByRole('switch').waitFor();
  const connected = page.waitForRequest(/\/trabalho\/eventos$/);
  await page.evaluate(`{
    const { now } = Date;
    Date.now = () => now() + 3600 * 1000;
  }`);
  await connected;
});

test('storage that is cleared under the open app loses nothing done afterwards, nor who is signed in', async () => {
  const delivery = await carried(6, false);
  await using screen = await openPhone(6);
  const { page } = screen;
  await press(page, 'Já estou lá');
  const devtools = await page.context().newCDPSession(page);
  const clear = () =>
    devtools.send('Storage.clearDataForOrigin', {
      origin: new URL(malote.url).origin,
      storageTypes: 'indexeddb,local_storage',
    });
  await clear();
  await next(page, 'Cheguei na coleta');
  await page.getByRole('button', { name: 'Peguei os pedidos' }).waitFor();
  await waitUntil('the central knows', async () => {
    const { data } = assertOk(await operator.get(`/entregas/${delivery.id}`)).body;
    return data.chegou_em !== null;
  });
  await clear();
  await page.reload();
  await page.getByRole('button', { name: 'Peguei os pedidos' }).waitFor();
  await page.goto('/entregador#/menu');
  await press(page, 'Sair deste aparelho');
  await page.getByRole('button', { name: 'Sair', exact: true }).click();
  await page.getByRole('heading', { name: 'Malote Entregador' }).waitFor();
  await end(delivery);
});

test('a link that was used before says so, and a driver who is signed in continues', async () => {
  await using screen = await openPhone(1);
  const { page } = screen;
  await page.getByRole('switch').waitFor();
  const link = await linkFor(1);
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('switch').waitFor();
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('alert').waitFor();
  await inBothSchemes(page, '72-used-link');
  await press(page, /^Continuar como /);
  await page.getByRole('switch').waitFor();
  // Opened from within the app, as from a message on the same phone.
  await page.goto(await linkFor(2));
  const { data } = assertOk(await operator.get('/condutores/2')).body;
  await page.getByRole('heading', { name: data.nome }).waitFor();
});

test('a link that is opened on a bad network can be tried again', async () => {
  await using screen = await browser.phone({
    expected: [NO_NETWORK, /status of 4\d\d/],
    ...DRIVER_PHONE,
  });
  const { page } = screen;
  const isSignIn = (url: URL) => url.pathname === '/entregador/sessao';
  await page.route(isSignIn, (route) => route.abort());
  await page.goto(await linkFor(2));
  await page.getByText('Sem conexão com a central.', { exact: false }).waitFor();
  await inBothSchemes(page, '73-link-without-network');
  await page.reload();
  await page.getByText('Sem conexão com a central.', { exact: false }).waitFor();
  await page.unroute(isSignIn);
  await press(page, 'Tentar de novo');
  await page.getByRole('switch').waitFor();
});

test('a browser that keeps nothing says so, and does not look like an app that does not start', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await page.context().addInitScript(`
    IDBFactory.prototype.open = () => { throw new DOMException('blocked', 'SecurityError'); };
  `);
  await page.goto('/entregador');
  await page.getByRole('heading', { name: 'O aplicativo não abriu' }).waitFor();
  await inBothSchemes(page, '74-no-storage');
});

test('a window that another one replaced asks nobody to sign in', async () => {
  await using screen = await openPhone(2);
  const { page } = screen;
  await page.getByRole('switch').waitFor();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await page.route(/\/trabalho$/, async (route) => {
    asked();
    await held;
    await route.fulfill({ status: 401, headers: { 'x-error-kind': 'bad-credentials' }, json: {} });
  });
  await page.evaluate(`void dispatchEvent(new Event('online'))`);
  await isAsked;
  const second = await page.context().newPage();
  await second.goto('/entregador');
  const heading = page.getByRole('heading', { level: 1 });
  await assertText(heading, 'Aberto em outra janela');
  const answered = page.waitForResponse(/\/trabalho$/);
  answer();
  await answered;
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  await assertText(heading, 'Aberto em outra janela');
});

test('a driver with a delivery in hand leaves duty, and keeps it', async () => {
  const delivery = await carried(3);
  await using screen = await openPhone(3);
  const { page } = screen;
  await page.getByRole('button', { name: 'Já estou lá' }).waitFor();
  const isAvailable = async () => assertOk(await operator.get('/condutores/3')).body.data.disponivel;
  const wasAvailable = await isAvailable();
  await page.goto('/entregador#/menu');
  await page.getByRole('switch').click();
  await waitUntil('the central knows', async () => (await isAvailable()) !== wasAvailable);
  await inBothSchemes(page, '76-duty-in-hand');
  await page.goto('/entregador#/');
  await page.getByRole('button', { name: 'Já estou lá' }).waitFor();
  await end(delivery);
});

test('on a slow network the page says that it is opening, before the app is there', async () => {
  await using screen = await browser.phone({ expected: [/status of 401/] });
  const { page } = screen;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/app\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/entregador', { waitUntil: 'commit' });
  const opening = page.getByText('Abrindo o aplicativo…', { exact: false });
  await opening.waitFor();
  await inBothSchemes(page, '77-opening');
  release();
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  await assertNone(opening);
});

/**
 * A browser that subscribed with a key that the service has replaced since. Everything else behaves as in real
 * browsers.
 */
const SUBSCRIBED_BEFORE = `
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  let previous = { unsubscribe: async () => { previous = null; return true; } };
  PushManager.prototype.getSubscription = async () => previous;
  PushManager.prototype.subscribe = async () => {
    if (previous) throw new DOMException('another key', 'InvalidStateError');
    return { toJSON: () => (KEYS) };
  };`;

test('a phone that subscribed with a key of before subscribes with the new one', async () => {
  const subscription = { endpoint: 'https://push.example.com/renewed', keys: browserKeys() };
  await using screen = await openPhone(
    4,
    {},
    SUBSCRIBED_BEFORE.replace('KEYS', JSON.stringify(subscription)),
  );
  await screen.page.locator('main').waitFor();
  await waitUntil('the service knows it', async () => {
    const rows = await malote.db<{ endpoint: string }>`
      select endpoint from push_subscriptions where central_id = 1 and driver_id = 4`;
    return rows[0]?.endpoint === subscription.endpoint;
  });
});
