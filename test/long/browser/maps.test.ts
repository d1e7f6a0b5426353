import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { MapSettings } from '../../../server/src/pages/map/installMap.ts';
import { openBrowser, standsStill } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { buildCityRoads, corner } from '../../support/city.ts';
import { startMalote, type TestMalote } from '../../support/malote.ts';
import { assertOk, newDriver, openDelivery } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const city = await buildCityRoads();
after(() => city.remove());
const malote = await startMalote({ roadsFolder: city.folder });
const browser = await openBrowser(malote.url);

/** Creates a delivery in progress; returns the address of its tracking page. */
async function carriedDelivery(malote: TestMalote): Promise<string> {
  const { lat, lng } = corner(4, 8);
  const delivery = await openDelivery(malote, {
    paradas: [
      {
        endereco_parada: 'Rua 9, 40',
        bairro_parada: 'Centro',
        lat_parada: String(lat),
        lng_parada: String(lng),
      },
    ],
  });
  const driverId = await newDriver(malote, corner(7, 3));
  assertOk(await malote.operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  const { body } = await malote.manager.get(`/entregas/${delivery.id}/links-rastreio`);
  return body.data[0].link_rastreio;
}

test('a map draws the streets of the imported roads, names them and says where they are from', async () => {
  const link = await carriedDelivery(malote);
  for (const colorScheme of ['light', 'dark'] as const) {
    await using screen = await browser.phone({ maps: true, colorScheme });
    const { page } = screen;
    const tiles: Promise<number>[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/mapa/ruas/')) return;
      // The page may close before a tile arrives.
      const body = response.body().catch(() => Buffer.alloc(0));
      tiles.push(body.then((bytes) => bytes.length));
    });
    await page.goto(link);
    await page.getByText('© OpenStreetMap contributors').waitFor();
    await waitUntil('streets have come', async () => (await Promise.all(tiles)).some((bytes) => bytes > 0));
    await screen.assertAccessible();
    await standsStill(page.locator('#map'));
    await screen.screenshot(`map-streets-${colorScheme}`);
    // The colour scheme changes while the page is open.
    await page.emulateMedia({ colorScheme: colorScheme === 'light' ? 'dark' : 'light' });
    await standsStill(page.locator('#map'));
  }
});

const settings = async (): Promise<MapSettings> =>
  (await (await fetch(`${malote.url}/mapa/config.json`)).json()) as MapSettings;

test('everything a map is made of may be kept for good, or asked for again at little cost', async () => {
  const config = await settings();
  assert.equal(config.style, null);
  const library = await fetch(`${malote.url}/mapa/maplibre-gl.mjs?v=${config.version}`);
  assert.match(library.headers.get('cache-control') ?? '', /immutable/);
  assert.equal(library.headers.get('content-encoding'), 'gzip');
  const ours = await fetch(`${malote.url}/mapa/rastreio.js`);
  const again = await fetch(`${malote.url}/mapa/rastreio.js`, {
    headers: { 'if-none-match': ours.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
});

test('after another import, pages draw the new streets', async () => {
  const streetsNow = async () => (await settings()).streets!.tiles;
  const before = await streetsNow();
  const roads = await city.rebuild([2]);
  await waitUntil('the new streets are told', async () => (await streetsNow()).includes(roads.version));
  const old = await fetch(malote.url + before.replace('{z}/{x}/{y}', '14/0/0'));
  assert.equal(old.status, 204);
});

test('a style from elsewhere is drawn, and may be asked for; nothing else from elsewhere may', async (t) => {
  const style = {
    version: 8,
    sources: {},
    layers: [{ id: 'sea', type: 'background', paint: { 'background-color': '#a8c8dc' } }],
  };
  const elsewhere = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify(style));
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  t.after(() => elsewhere.close());
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const styled = await startMalote({ mapStyle: `${address}/style.json` });
  const link = await carriedDelivery(styled);

  const policy = (await fetch(link)).headers.get('content-security-policy') ?? '';
  assert.match(policy, new RegExp(`connect-src 'self' ${address};`));
  await using screen = await (await openBrowser(styled.url)).phone({
    maps: true,
    expected: [/to elsewhere: .*style\.json/],
  });
  const asked = screen.page.waitForResponse(`${address}/style.json`);
  await screen.page.goto(link);
  assert.equal((await asked).status(), 200);
  await screen.page.locator('.sign.driver').waitFor();
  await screen.screenshot('map-style-from-elsewhere');
});
