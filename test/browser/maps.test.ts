import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MapSettings } from '../../server/src/pages/map/mapSettings.ts';
import { openBrowser } from '../support/browser.ts';
import { corner } from '../support/city.ts';
import { buildCityRoads } from '../support/cityRoads.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const city = await buildCityRoads();
after(() => city.remove());
const malote = await startMalote({ roadsFolder: city.folder });
const browser = await openBrowser(malote.url);

test('a map draws the streets of the imported roads, names them and says where they are from', async () => {
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

  for (const colorScheme of ['light', 'dark'] as const) {
    await using screen = await browser.phone({ colorScheme });
    const { page } = screen;
    const tiles: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/mapa/ruas/')) tiles.push(response.body().then((bytes) => bytes.length));
    });
    await page.goto(body.data[0].link_rastreio);
    await page.getByText('© OpenStreetMap contributors').waitFor();
    await waitUntil('streets have come', async () => (await Promise.all(tiles)).some((bytes) => bytes > 0));
    await screen.assertAccessible();
    await page.waitForTimeout(1_000);
    await screen.screenshot(`map-streets-${colorScheme}`);
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
