import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { estimate } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const path = '/areas-atuacao';

const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...rings: number[][][]) => ({ type: 'Polygon', coordinates: rings });
const feature = (nome: string, geometry: unknown, padrao?: boolean) => ({
  type: 'Feature',
  properties: { nome, ...(padrao !== undefined && { padrao }) },
  geometry,
});
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });

const areas = async (): Promise<Json[]> =>
  (await malote.central.get('/entregas/bandeiras/areas-atuacao')).body.data;
const defaults = async (): Promise<string[]> =>
  (await areas()).filter(({ padrao }) => padrao).map(({ nome }) => nome);
const put = async (id: number, changes: Record<string, unknown>) => {
  const { id: _id, ...fields } = (await operator.get(`${path}/${id}`)).body.data;
  return operator.put(`${path}/${id}`, { ...fields, ...changes });
};

const faults: [name: string, geometry: unknown, pt: RegExp, en: RegExp][] = [
  ['a point', { type: 'Point', coordinates: [1, 2] }, /Polygon ou MultiPolygon/, /Polygon or MultiPolygon/],
  ['an open ring', polygon(box(0, 0, 1, 1).slice(0, -1)), /anel aberto/, /ring is open/],
  [
    'too few positions',
    polygon([
      [0, 0],
      [1, 1],
      [0, 0],
    ]),
    /ao menos 4/,
    /at least 4/,
  ],
  ['swapped coordinates', polygon(box(-30, -100, -29, 0)), /fora dos limites/, /out of range/],
  ['an area over the antimeridian', polygon(box(177, -19, -178, -16)), /meridiano de 180/, /meridian of 180/],
  [
    'a bow tie',
    polygon([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ]),
    /a si mesmo/,
    /crosses or touches itself/,
  ],
  ['a hole outside', polygon(box(0, 0, 1, 1), box(2, 2, 3, 3)), /buraco fora/, /hole lies outside/],
  [
    'a line',
    polygon([
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 0],
    ]),
    /sem área/,
    /no area/,
  ],
];
for (const [name, geometria, pt, en] of faults)
  test(`refuses ${name} with the reason, in both languages`, async () => {
    const body = { nome: 'Errada', geometria };
    const portuguese = await operator.post(path, body);
    assertFailure(portuguese, 422, 0);
    assert.match(portuguese.body.errors[0].message, /^geometria inválida da área 'Errada': /);
    assert.match(portuguese.body.errors[0].message, pt);
    const english = await operator.post(path, body, { 'accept-language': 'en' });
    assert.match(english.body.errors[0].message, /^invalid geometry of the area 'Errada': /);
    assert.match(english.body.errors[0].message, en);
    assertFailure(await put(2, { geometria }), 422, 0);
  });

test('an area without a geometry is a mistake of the body', async () => {
  assert.deepEqual(complainedFields(await operator.post(path, { padrao: 'sim' })), [
    'geometria',
    'nome',
    'padrao',
  ]);
  assert.deepEqual(complainedFields(await operator.post(path, { nome: 'A', geometria: 'Polygon' })), [
    'geometria',
  ]);
});

test('making another area the default moves it, and there is always one', async () => {
  assert.deepEqual(await defaults(), ['Porto Alegre']);
  assert.equal((await put(2, { padrao: true })).status, 200);
  assert.deepEqual(await defaults(), ['Centro Histórico']);
  const given = await operator.post(path, {
    nome: 'Nova',
    padrao: true,
    geometria: polygon(box(0, 0, 1, 1)),
  });
  assert.deepEqual(await defaults(), ['Nova']);

  const up = await put(given.body.data.id, { padrao: false });
  assertFailure(up, 409, 0);
  assert.match(up.body.errors[0].message, /área padrão/);
  assertFailure(await operator.delete(`${path}/${given.body.data.id}`), 409, 0);
  assert.equal((await put(given.body.data.id, { padrao: undefined })).body.data.padrao, true);

  assert.equal((await put(1, { padrao: true })).status, 200);
  assert.equal((await operator.delete(`${path}/${given.body.data.id}`)).status, 200);
  assert.deepEqual(await defaults(), ['Porto Alegre']);
});

test('two who make their area the default at the same time leave one default', async (t) => {
  t.after(() => put(1, { padrao: true }));
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([1, 2, 1, 2].map((id) => put(id, { padrao: true })));
    for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text);
    assert.equal((await defaults()).length, 1);
  }
});

test('an area with a tariff of its own cannot be deleted', async (t) => {
  const tariff = { ...(await operator.get('/tarifas/1')).body.data, area_id: 2 };
  const created = assertOk(await operator.post('/tarifas', tariff));
  t.after(() => operator.delete(`/tarifas/${created.body.data.id}`));
  assertFailure(await operator.delete(`${path}/2`), 409, 0);
});

test('a hole is not served, and an area in the hole is', async (t) => {
  const { geometria } = (await operator.get(`${path}/1`)).body.data;
  const [outside] = geometria.coordinates;
  const hole = box(-51.22, -30.055, -51.21, -30.045);
  t.after(() => put(1, { geometria }));
  await put(1, { geometria: polygon(outside, hole) });
  const inHole = estimate({
    lat_partida: -30.05,
    lng_partida: -51.215,
    lat_desejado: -30.06,
    lng_desejado: -51.2,
  });
  const refused = await malote.central.post('/entregas/empresas/1/estimativas', inHole);
  assertFailure(refused, 422, 0);
  assert.match(refused.body.errors[0].message, /-30\.05, -51\.215/);

  const island = await operator.post(path, { nome: 'Ilha', geometria: polygon(hole) });
  t.after(() => operator.delete(`${path}/${island.body.data.id}`));
  const served = await malote.central.post('/entregas/empresas/1/estimativas', inHole);
  assert.equal(served.status, 200, served.text);
});

test('the export is a GeoJSON file that can be imported as it is, and changes nothing', async () => {
  const before = await operator.get(`${path}/exportar`);
  assert.equal(before.status, 200, before.text);
  assert.equal(before.body.success, true);
  assert.equal(before.body.type, 'FeatureCollection');
  assert.deepEqual(
    before.body.features.map(({ type, id, properties }: Json) => ({ type, id, properties })),
    [
      { type: 'Feature', id: '1', properties: { nome: 'Porto Alegre', padrao: true } },
      { type: 'Feature', id: '2', properties: { nome: 'Centro Histórico', padrao: false } },
    ],
  );
  const imported = await operator.post(`${path}/importar`, before.body);
  assert.equal(imported.status, 200, imported.text);
  assert.deepEqual(
    imported.body.data,
    (await areas()).map((area: Json) => ({ ...area, id: String(area.id) })),
  );
  assert.equal((await operator.get(`${path}/exportar`)).text, before.text);
});

test('the export comes in pages', async () => {
  const namesOn = async (page: string): Promise<string[]> => {
    const { features } = (await operator.get(`${path}/exportar?${page}`)).body;
    return features.map(({ properties }: Json) => properties.nome);
  };
  assert.deepEqual(await namesOn('pagina=1&limite=1'), ['Porto Alegre']);
  assert.deepEqual(await namesOn('pagina=2&limite=1'), ['Centro Histórico']);
  assert.deepEqual(await namesOn('pagina=3&limite=1'), []);
  assert.equal((await operator.get(`${path}/exportar?limite=101`)).status, 400);
});

test('an import replaces what it names, adds what is new and leaves the rest', async (t) => {
  t.after(async () => {
    await put(1, { padrao: true });
    for (const { id } of await areas()) if (id > 2) await operator.delete(`${path}/${id}`);
  });
  const file = collection(
    feature('centro histórico', polygon(box(-51.24, -30.04, -51.2, -30.0)), false),
    feature('Zona Sul', { type: 'MultiPolygon', coordinates: [[box(-51.3, -30.3, -51.2, -30.2)]] }, true),
    feature('Zona Norte', polygon(box(-51.2, -30, -51.1, -29.9), box(-51.16, -29.96, -51.14, -29.94))),
  );
  const imported = await operator.post(`${path}/importar`, file);
  assert.equal(imported.status, 200, imported.text);
  assert.deepEqual(
    (await areas()).map(({ nome, padrao }) => `${nome}${padrao ? ' *' : ''}`),
    ['Porto Alegre', 'centro histórico', 'Zona Sul *', 'Zona Norte'],
  );
  const replaced = (await operator.get(`${path}/2`)).body.data;
  assert.deepEqual(replaced.geometria, polygon(box(-51.24, -30.04, -51.2, -30.0)));
});

test('an import with one bad area changes nothing, and names it', async () => {
  const before = await areas();
  const answer = await operator.post(
    `${path}/importar`,
    collection(feature('Boa', polygon(box(0, 0, 1, 1))), feature('Ruim', polygon(box(0, 0, 1, 1).slice(1)))),
  );
  assertFailure(answer, 422, 0);
  assert.match(answer.body.errors[0].message, /'Ruim'/);
  assert.deepEqual(await areas(), before);
});

test('mistakes of an import are named by their place in the file', async () => {
  assert.deepEqual(complainedFields(await operator.post(`${path}/importar`, {})), ['features', 'type']);
  assert.deepEqual(complainedFields(await operator.post(`${path}/importar`, collection())), ['features']);
  const shape = polygon(box(0, 0, 1, 1));
  const answer = await operator.post(
    `${path}/importar`,
    collection(
      feature('A', shape, true),
      feature('a ', shape, true),
      { type: 'Feature', properties: {}, geometry: null },
      { type: 'Feature', properties: null, geometry: shape },
      null,
    ),
  );
  assert.deepEqual(complainedFields(answer), [
    'features[1].properties.nome',
    'features[1].properties.padrao',
    'features[2].geometry',
    'features[2].properties.nome',
    'features[3].properties',
    'features[4]',
  ]);
});

test('the first area of a central becomes its default one, and the last one may go', async () => {
  await malote.db`delete from operating_areas where central_id = 1`;
  const first = await operator.post(path, { nome: 'Só', padrao: false, geometria: polygon(box(0, 0, 1, 1)) });
  assert.equal(first.body.data.padrao, true);
  assert.equal((await operator.delete(`${path}/${first.body.data.id}`)).status, 200);
  assert.deepEqual(await areas(), []);
});
