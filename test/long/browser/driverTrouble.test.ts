import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { NO_NETWORK, openBrowser, type Screen } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { cutNetwork, DRIVER_PHONE, inBothSchemes, press } from '../../support/driverPhone.ts';
import { startMalote } from '../../support/malote.ts';
import { stop } from '../../support/orders.ts';
import { assertNone } from '../../support/shown.ts';
import { assertOk, openDelivery } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/* Failures of the phone itself. */

const malote = await startMalote();
const { operator } = malote;
const browser = await openBrowser(malote.url);

/** `lacks` is a script that removes features from this phone's browser. */
async function openPhone(driverId: number, expected: RegExp[] = [], lacks = ''): Promise<Screen> {
  const screen = await browser.phone({ expected: [NO_NETWORK, ...expected], ...DRIVER_PHONE });
  await screen.page.context().addInitScript(`
    globalThis.shakes = 0;
    navigator.vibrate = () => { shakes += 1; return true; };
    ${lacks}
  `);
  const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
  await screen.page.goto(`/entregador${new URL(body.data.link).hash}`);
  return screen;
}

const fill = (page: Page) =>
  page.evaluate(`
    globalThis.add = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); };
  `);
const makeRoom = (page: Page) => page.evaluate('void (IDBObjectStore.prototype.add = add)');

test('a full phone says that an action was not kept, and takes it once there is room', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 }));
  await using screen = await openPhone(1);
  const { page } = screen;
  await press(page, 'Já estou lá');
  await fill(page);
  await press(page, 'Cheguei na coleta');
  const unkept = page.getByText('O aparelho não conseguiu guardar esta ação.', { exact: false });
  await unkept.waitFor();
  await inBothSchemes(page, '60-not-kept');
  await press(page, 'Não posso fazer esta entrega');
  await press(page, 'Devolver');
  await page.getByRole('dialog').getByText('O aparelho não conseguiu guardar').waitFor();
  await inBothSchemes(page, '61-sheet-not-kept');
  await press(page, 'Ficar com ela');
  await makeRoom(page);
  await press(page, 'Cheguei na coleta');
  await page.getByRole('button', { name: 'Peguei os pedidos' }).waitFor();
  await assertNone(unkept);
  await waitUntil('the central knows', async () => {
    const { data } = assertOk(await operator.get(`/entregas/${id}`)).body;
    return data.chegou_em !== null;
  });
});

test('without https the app takes its steps', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 4 }));
  await using screen = await openPhone(
    4,
    [],
    `Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
     Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });
     for (const name of ['serviceWorker', 'locks', 'storage', 'wakeLock'])
       Object.defineProperty(Navigator.prototype, name, { value: undefined });`,
  );
  const { page } = screen;
  await press(page, 'Já estou lá');
  await press(page, 'Cheguei na coleta');
  await page.getByRole('button', { name: 'Peguei os pedidos' }).waitFor();
  await waitUntil('the central knows', async () => {
    const { data } = assertOk(await operator.get(`/entregas/${id}`)).body;
    return data.chegou_em !== null;
  });
});

test('an offer that ended while there was no network rings no more', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 2 }));
  await using screen = await openPhone(2);
  const { page } = screen;
  await page.getByRole('heading', { name: 'Nova oferta' }).waitFor();
  const shakes = () => page.evaluate('shakes') as Promise<number>;
  await waitUntil('it rings', async () => (await shakes()) > 1);
  await cutNetwork(page);
  // Like an offer of the driver search: valid for some seconds.
  await page.evaluate(`(async () => {
    const db = await new Promise((resolve) => {
      const opening = indexedDB.open('malote-entregador');
      opening.onsuccess = () => resolve(opening.result);
    });
    const notes = db.transaction('notes', 'readwrite').objectStore('notes');
    const work = await new Promise((resolve) => {
      const reading = notes.get('work');
      reading.onsuccess = () => resolve(reading.result);
    });
    work.ofertas[0].expira_em = new Date(Date.parse(work.agora) + 3000).toISOString();
    await new Promise((resolve) => { notes.put(work, 'work').onsuccess = resolve; });
    db.close();
  })()`);
  await page.reload();
  await page.getByRole('switch').waitFor();
  await waitUntil('the offer is over', async () => (await page.getByRole('dialog').count()) === 0);
  const before = await shakes();
  await page.waitForTimeout(5_000);
  assert.equal(await shakes(), before);
});

/** Everything in the phone's database, as a person who has the phone would read it. */
const kept = (page: Page) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('malote-entregador');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const tx = opening.result.transaction(['notes', 'outbox']);
      const all = ['notes', 'outbox'].map((name) => tx.objectStore(name).getAll());
      tx.oncomplete = () => {
        opening.result.close();
        resolve(JSON.stringify(all.map(({ result }) => result)));
      };
    };
  })`) as Promise<string>;

test('a phone that the central signs out forgets its recipients, and shows none without network', async () => {
  const paradas = [{ ...stop(0), nome_cliente_parada: 'Filomena Quaresma' }];
  const { id } = await openDelivery(malote, { paradas });
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 2 }));
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 2 }));
  await using screen = await openPhone(2, [/status of 401/]);
  const { page } = screen;
  await page.getByText('Filomena Quaresma').first().waitFor();
  await waitUntil('it is kept', async () => (await kept(page)).includes('Filomena'));

  const devices = assertOk(await operator.get('/condutores/2/aparelhos')).body.data;
  for (const device of devices) assertOk(await operator.delete(`/condutores/2/aparelhos/${device.id}`));
  await page.getByText('Abra neste aparelho o link', { exact: false }).waitFor();
  await waitUntil('it is forgotten', async () => !(await kept(page)).includes('Filomena'));

  await cutNetwork(page);
  await page.reload();
  await page.getByText('Abra neste aparelho o link', { exact: false }).waitFor();
  await assertNone(page.getByText('Filomena Quaresma'));
  await page.context().setOffline(false);

  const { body } = assertOk(await operator.post('/condutores/2/convites', {}));
  await page.goto(`/entregador?de-novo${new URL(body.data.link).hash}`);
  await page.getByText('Filomena Quaresma').first().waitFor();
});

test('data kept on a phone is not shown after three days without the central', async () => {
  const paradas = [{ ...stop(0), nome_cliente_parada: 'Gumercindo Prates' }];
  const { id } = await openDelivery(malote, { paradas });
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 3 }));
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 3 }));
  await using screen = await openPhone(3);
  const { page } = screen;
  const recipient = page.getByText('Gumercindo Prates').first();
  await recipient.waitFor();
  await waitUntil('it is kept', async () => (await kept(page)).includes('Gumercindo'));
  await cutNetwork(page);
  await page.reload();
  await recipient.waitFor();
  await page.context().addInitScript(`{
    const now = Date.now;
    Date.now = () => now() + 73 * 3600000;
  }`);
  await page.reload();
  await page.getByRole('banner').or(page.locator('main')).first().waitFor();
  await assertNone(page.getByText('Gumercindo Prates'));
});
