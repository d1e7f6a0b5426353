import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_NETWORK, openBrowser, type Screen } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { cutNetwork, DRIVER_PHONE, keptOnPhone, press, screenshot } from '../../support/driverPhone.ts';
import { startMalote } from '../../support/malote.ts';
import { assertNone, assertValue } from '../../support/shown.ts';
import { assertOk, openDelivery, type TestDelivery } from '../../support/steps.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

/* The app on a phone and the service are updated at different times. The data on the phone survives both. */

const malote = await startMalote();
const { operator } = malote;
const VERSION = /assets\/(\w+)\//.exec(await (await fetch(`${malote.url}/entregador`)).text())![1]!;
/** The version that phones receive: the same app with another version name counts as new. */
let offered = VERSION;
/** By idempotency key: a step whose answer was lost is sent again, and the service recognises it. */
const steps = new Map<unknown, string>();

/** The number of the app's files that are refused when the phone caches them. */
let filesToRefuse = 0;

const server = createServer((asked, answer) => {
  // Only the service worker's requests skip the cache; the page itself reads its files through the browser's cache.
  if (filesToRefuse > 0 && asked.headers['cache-control'] === 'no-cache' && asked.url!.includes('/assets/')) {
    filesToRefuse -= 1;
    return void answer.writeHead(503).end();
  }
  const path = asked.url!.replace(`/assets/${offered}/`, `/assets/${VERSION}/`);
  if (asked.method === 'POST' && path.includes('/entregas/'))
    steps.set(asked.headers['idempotency-key'], path.split('/').at(-1)!);
  const namesVersion = /^\/entregador(\/sw\.js)?$/.test(path);
  const headers = namesVersion ? {} : asked.headers;
  const passed = request(malote.url + path, { method: asked.method, headers }, (received) =>
    namesVersion ? void passRenamed(received, answer) : passOn(received, answer),
  );
  passed.on('error', () => answer.destroy());
  answer.on('close', () => passed.destroy());
  asked.pipe(passed);
});
const passOn = (received: IncomingMessage, answer: ServerResponse): void => {
  answer.writeHead(received.statusCode!, received.headers);
  received.pipe(answer);
};
async function passRenamed(received: IncomingMessage, answer: ServerResponse): Promise<void> {
  const text = Buffer.concat(await received.toArray()).toString();
  for (const name of ['content-type', 'cache-control', 'service-worker-allowed']) {
    const value = received.headers[name];
    if (value) answer.setHeader(name, value);
  }
  answer.end(text.replaceAll(VERSION, offered));
}
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const browser = await openBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

/** A driver's phone with an accepted delivery. */
async function openPhone(driverId: number): Promise<Screen & { delivery: TestDelivery }> {
  const delivery = await openDelivery(malote, {}, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
  const screen = await browser.phone({
    expected: [NO_NETWORK, /status of 4\d\d/, /TypeError/],
    ...DRIVER_PHONE,
  });
  await screen.page.goto(`/entregador${new URL(body.data.link).hash}`);
  await screen.page.getByRole('button', { name: 'Já estou lá' }).waitFor();
  return { ...screen, delivery };
}
const next = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':enabled')).click();
const shownVersion = (page: Page) =>
  page.evaluate(`document.querySelector('script').src.split('/').at(-2)`) as Promise<string>;
/** The service is updated, and the phone notices it. */
async function update(page: Page, version: string): Promise<void> {
  offered = version;
  await page.evaluate(
    'navigator.serviceWorker.getRegistration().then((all) => all.update()).then(() => true)',
  );
  await page.getByRole('button', { name: /Há uma versão nova/ }).waitFor();
}
/** Runs a script with access to `notes` and `outbox`. Returns what the script passes to `resolve`. */
const inDatabase = (page: Page, script: string) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('malote-entregador');
    opening.onsuccess = () => {
      const tx = opening.result.transaction(['notes', 'outbox'], 'readwrite');
      const [notes, outbox] = [tx.objectStore('notes'), tx.objectStore('outbox')];
      tx.oncomplete = () => opening.result.close();
      tx.onabort = () => reject(tx.error);
      ${script}
    };
  })`);
/** Waits until the app has stored its notes, because unsaved notes are lost with the page. */
const isKept = (page: Page, name: string, holds: string) =>
  waitUntil(`the phone keeps its ${name}`, async () =>
    Boolean(
      await inDatabase(
        page,
        `const reading = notes.get('${name}');
        reading.onsuccess = () => { const kept = reading.result; resolve(Boolean(${holds})); };`,
      ),
    ),
  );
/** Changes the stored work while the app is closed, to the form of another version. */
async function rewrite(page: Page, script: string): Promise<void> {
  await isKept(page, 'work', 'kept?.corridas[0]?.paradas && kept.corridas[0].coleta');
  await page.goto('/healthz');
  await inDatabase(
    page,
    `tx.addEventListener('complete', () => resolve(true));
    const reading = notes.get('work');
    reading.onsuccess = () => {
      const work = reading.result;
      const [run] = work.corridas;
      ${script}
      notes.put(work, 'work');
    };`,
  );
  await page.goto('/entregador');
}

test('a new version that comes while actions wait loses none, repeats none and keeps what is typed', async () => {
  await using screen = await openPhone(1);
  const { page, delivery } = screen;
  await keptOnPhone(page);
  await press(page, 'Já estou lá');
  await isKept(page, 'journeys', 'kept?.length > 0');
  await page.reload();
  await page.getByRole('button', { name: 'Cheguei na coleta' }).waitFor();
  await update(page, 'aaaaaaaaaaaa');
  await screenshot(page, '80-new-version');

  await cutNetwork(page);
  await next(page, 'Cheguei na coleta');
  await next(page, 'Peguei os pedidos');
  await page.getByText('2 a enviar').waitFor();
  // A busy worker is replaced late, when the driver is doing something else.
  await page.evaluate(`globalThis.released = new Promise((resolve) => { globalThis.release = resolve; });
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (...given) {
      void released.then(() => postMessage.apply(this, given));
    };`);
  await press(page, /Há uma versão nova/);
  await page.goto('/entregador#/menu');
  await press(page, 'Pedir ajuda à central');
  const help = page.getByRole('textbox', { name: 'Ou escreva' });
  await help.fill('Pneu furado');
  const changed = page.evaluate(`new Promise((resolve) =>
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(true)))`);
  await page.evaluate('release()');
  await changed;
  await assertValue(help, 'Pneu furado');
  await press(page, 'Enviar à central');
  await page.getByText('3 a enviar').waitFor();
  assert.equal(await shownVersion(page), VERSION);

  await press(page, /Há uma versão nova/);
  await waitUntil(
    'the new version is shown',
    async () => (await shownVersion(page).catch(() => '')) === offered,
  );
  await page.getByText('3 a enviar').waitFor();
  await page.goto('/entregador#/pendentes');
  await page.getByText('Rua dos Andradas, 1001').first().waitFor();
  await screenshot(page, '81-waiting-places');
  await page.context().setOffline(false);
  await page.getByText('Tudo enviado à central.').waitFor();
  const { data } = assertOk(await operator.get(`/entregas/${delivery.id}`)).body;
  assert.equal(data.status, 'E');
  assert.deepEqual([...steps.values()], ['chegar', 'iniciar']);
});

test('data kept by another version of the app is read, or requested from the central again', async () => {
  await using screen = await openPhone(2);
  const { page } = screen;
  const there = page.getByRole('button', { name: 'Já estou lá' });
  // An action that only a later version knows, and an earlier version's work without proof rules.
  await rewrite(
    page,
    `delete run.comprovante;
    outbox.add({ key: 'later', driverId: work.condutor.id, happenedAt: work.agora,
      action: { kind: 'later', deliveryId: run.id_mch }, state: 'refused', refusal: null });`,
  );
  await there.waitFor();
  await page.getByText('A central recusou uma ação.').waitFor();
  // Work that cannot be read, and work that can be read but not shown.
  await rewrite(page, 'delete run.paradas;');
  await there.waitFor();
  await rewrite(page, 'delete run.coleta;');
  await page.getByRole('heading', { name: 'O aplicativo parou' }).waitFor();
  await screenshot(page, '82-stopped');
  await press(page, 'Abrir de novo');
  await there.waitFor();
  await page.getByText('1 a enviar').waitFor();
});

test('a change by the central is shown until it is read, also when the phone ends the app meanwhile', async () => {
  await using screen = await openPhone(3);
  const { page, delivery } = screen;
  assertOk(await malote.manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  const news = page.getByText(`A entrega ${delivery.id} saiu da sua lista`, { exact: false });
  await news.waitFor();
  await isKept(page, 'work', 'kept.corridas.length === 0');
  await page.reload();
  await news.waitFor();
  await press(page, 'Entendi');
  await assertNone(news);
  await isKept(page, 'news', 'kept.length === 0');
  await page.reload();
  await page.getByRole('switch').waitFor();
  await eventually(() => assertNone(news));
});

test('an app that could not be stored on the phone at first is stored later, without being opened again', async () => {
  filesToRefuse = 1;
  await using screen = await browser.phone({ expected: [/status of [45]\d\d/], ...DRIVER_PHONE });
  const { page } = screen;
  await page.clock.install();
  const isStored = () =>
    page.evaluate(
      `navigator.serviceWorker.getRegistration('/entregador').then((found) => Boolean(found?.active))`,
    );
  await page.goto('/entregador');
  await waitUntil('a file is refused', async () => filesToRefuse === 0);
  await waitUntil('the app is stored', async () => {
    await page.clock.fastForward(30_000);
    return (await isStored()) === true;
  });
});
