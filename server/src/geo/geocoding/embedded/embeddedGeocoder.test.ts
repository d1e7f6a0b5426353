import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CNEFE_HEADER, type CnefeRow, cnefeLine } from '../../../../../test/support/cnefe.ts';
import { testDatabase } from '../../../../../test/support/database.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import { openDatabase } from '../../../platform/postgres/database.ts';
import type { AddressParts, FoundAddress } from '../geocoder.ts';
import { embeddedGeocoder } from './embeddedGeocoder.ts';
import { importAddresses } from './importAddresses.ts';
import { NumberTable, packNumbers } from './numberTable.ts';

const CENTRE: Position = { lat: -30.03, lng: -51.23 };
const METRES_PER_DEGREE = 111_195;

interface MadeStreet {
  municipality?: number;
  district?: string;
  type?: string;
  title?: string;
  name: string;
  postcode?: number;
  /** Where number 0 would stand; the street leads north, and its numbers are metres. */
  start: Position;
  numbers: number[];
  quality?: number;
}

const rowsOf = (street: MadeStreet): CnefeRow[] =>
  street.numbers.map((number) => ({
    municipality: street.municipality ?? 4314902,
    postcode: street.postcode ?? 0,
    district: street.district ?? 'CENTRO',
    type: street.type ?? 'RUA',
    title: street.title ?? '',
    name: street.name,
    number,
    lat: Number((street.start.lat + number / METRES_PER_DEGREE).toFixed(6)),
    // Even numbers stand 20 m to the east of odd ones.
    lng: Number((street.start.lng + (number % 2 === 0 ? 0.0002 : 0)).toFixed(6)),
    quality: street.quality ?? 1,
  }));

const evenAndOdd = (from: number, to: number, step: number): number[] => {
  const numbers: number[] = [];
  for (let number = from; number <= to; number += step) numbers.push(number, number + 1);
  return numbers;
};

const start = (east: number, north: number): Position => ({
  lat: CENTRE.lat + north / METRES_PER_DEGREE,
  lng: CENTRE.lng + east / METRES_PER_DEGREE,
});

const CANOAS = 4304606;
const streets: MadeStreet[] = [
  { name: 'DOS ANDRADAS', start: start(0, 0), numbers: evenAndOdd(100, 1500, 40), postcode: 90020007 },
  { name: 'ANDRADE NEVES', title: 'GENERAL', start: start(300, 0), numbers: evenAndOdd(10, 300, 30) },
  { name: 'IPIRANGA', type: 'AVENIDA', start: start(900, 0), numbers: [101, 1200], postcode: 90160090 },
  { name: 'IPIRANGA', start: start(5000, 0), numbers: [100, 1200], district: 'AZENHA' },
  { name: 'A', start: start(0, 8000), numbers: [10, 20], district: 'RESTINGA' },
  { name: 'A', start: start(0, -8000), numbers: [10, 20], district: 'SARANDI' },
  { name: '15 DE NOVEMBRO', start: start(600, 0), numbers: [50] },
  { name: 'LUIZ AFONSO', start: start(1200, 0), numbers: [3], quality: 4 },
  { name: 'DOS ANDRADAS', municipality: CANOAS, start: start(0, 15_000), numbers: [10, 1001] },
];

const folder = await mkdtemp(join(tmpdir(), 'malote-addresses-'));
const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});
const file = join(folder, 'made.csv');
await writeFile(file, [CNEFE_HEADER, ...streets.flatMap(rowsOf).map((row) => cnefeLine(row))].join('\n'));
const geocoder = embeddedGeocoder(db);

test('without an import nothing is found', async () => {
  assert.equal(await geocoder.geocode({ line: 'Rua dos Andradas, 1001', city: 'Porto Alegre' }), null);
  assert.deepEqual(await geocoder.search('andradas', undefined, 5), []);
  assert.equal(await geocoder.reverse(CENTRE), null);
  await importAddresses({ db, clock: systemClock, files: [file] });
});

const inCity = (line: string, more: Partial<AddressParts> = {}): Promise<FoundAddress | null> =>
  geocoder.geocode({ line, city: 'Porto Alegre', state: 'RS', ...more });

const away = (found: FoundAddress | null, east: number, north: number): number =>
  haversineMetres(found!.position, start(east, north));

test('an exact number is answered with its place, source and error', async () => {
  assert.deepEqual(await inCity('Rua dos Andradas, 1020'), {
    street: 'Rua dos Andradas',
    number: 1020,
    district: 'Centro',
    city: 'Porto Alegre',
    state: 'RS',
    postcode: '90020007',
    position: { lat: -30.020827, lng: -51.2298 },
    precision: 'number',
    errorMetres: 10,
    source: 'addresses',
  });
  assert.equal((await inCity('Rua Luiz Afonso, 3'))?.errorMetres, 80, 'level 4 of CNEFE is a block');
});

for (const line of [
  'R. DOS ANDRADAS, 1020',
  'andradas 1020',
  'rua dos andradsa 1020',
  'rua dos amdradas, nº 1020 apto 302',
  'Ruas dos Andradas 1020',
])
  test(`"${line}" is the same door`, async () => {
    const found = await inCity(line);
    assert.equal(found?.precision, 'number');
    assert.ok(away(found, 19, 1020) < 5, JSON.stringify(found));
  });

for (const [line, street] of [
  ['Gen. Andrade Neves, 40', 'Rua General Andrade Neves'],
  ['andrade neves 40', 'Rua General Andrade Neves'],
  ['Rua Quinze de Novembro, 50', 'Rua 15 de Novembro'],
  ['R. XV de Novembro 50', 'Rua 15 de Novembro'],
  ['Luís Affonso, 3', 'Rua Luiz Afonso'],
] as const)
  test(`"${line}" is found as ${street}`, async () => {
    const found = await inCity(line);
    assert.deepEqual([found?.street, found?.precision], [street, 'number']);
  });

test('a missing number is estimated between its neighbours on the same side', async () => {
  const even = await inCity('Rua dos Andradas, 1030');
  assert.equal(even?.precision, 'approximate');
  assert.ok(away(even, 19, 1030) < 8, 'even numbers are on the eastern side');
  assert.ok(even!.errorMetres >= away(even, 19, 1030));
  const odd = await inCity('Rua dos Andradas, 1031');
  assert.ok(away(odd, 0, 1031) < 8, 'odd numbers are on the western side');
});

test('a number beyond the last one is near it, and far beyond is only the street', async () => {
  const beyond = await inCity('Rua dos Andradas, 1560');
  assert.deepEqual([beyond?.precision, beyond!.errorMetres > 60], ['approximate', true]);
  const far = await inCity('Rua dos Andradas, 99999');
  assert.equal(far?.precision, 'street');
  assert.ok(far!.errorMetres > 300, 'the whole street may be meant');
  assert.equal((await inCity('Rua dos Andradas, s/n'))?.precision, 'street');
});

test('the kind of street and the district tell streets of one name apart', async () => {
  assert.equal((await inCity('Av. Ipiranga, 1200'))?.street, 'Avenida Ipiranga');
  assert.equal((await inCity('Rua Ipiranga, 1200'))?.street, 'Rua Ipiranga');
  assert.equal((await inCity('Ipiranga, 1200', { district: 'Azenha' }))?.street, 'Rua Ipiranga');
  assert.equal((await inCity('Ipiranga, 1200', { postcode: '90160-090' }))?.street, 'Avenida Ipiranga');
  assert.equal((await inCity('Rua A, 10', { district: 'sarandi' }))?.district, 'Sarandi');
});

test('a street that exists twice is answered less precisely', async () => {
  const found = await inCity('Rua A, 10');
  assert.equal(found?.precision, 'municipality');
  assert.ok(found!.errorMetres > 10_000);
});

test('the city decides, or what is near when no city is given', async () => {
  assert.equal((await geocoder.geocode({ line: 'Rua dos Andradas, 1001, Canoas/RS' }))?.city, 'Canoas');
  const near = await geocoder.geocode({ line: 'andradas 10', near: start(0, 15_000) });
  assert.equal(near?.city, 'Canoas');
});

test('a postcode alone is enough for its street, a district and a city for less', async () => {
  const postcode = await inCity('qwertyuiop', { postcode: '90020007' });
  assert.deepEqual([postcode?.precision, postcode?.street], ['postcode', 'Rua dos Andradas']);
  const badly = await inCity('Rua dos Andrads Velhos, 1020', { postcode: '90020007' });
  assert.equal(badly?.precision, 'number');
  const district = await inCity('qwertyuiop', { district: 'Restinga' });
  assert.deepEqual([district?.precision, district?.district], ['district', 'Restinga']);
  assert.equal((await inCity('qwertyuiop'))?.precision, 'municipality');
  assert.equal((await geocoder.geocode({ line: 'Rua A', city: 'Manaus' }))?.city, 'Manaus');
  assert.equal(await geocoder.geocode({ line: 'qwertyuiop' }), null);
});

test('incomplete texts give suggestions, nearest first', async () => {
  const names = async (text: string, near?: Position) =>
    (await geocoder.search(text, near, 5)).map(({ street, city }) => `${street}, ${city}`);
  assert.deepEqual(await names('andradas', CENTRE), [
    'Rua dos Andradas, Porto Alegre',
    'Rua dos Andradas, Canoas',
  ]);
  assert.deepEqual(await names('andradas', start(0, 15_000)), [
    'Rua dos Andradas, Canoas',
    'Rua dos Andradas, Porto Alegre',
  ]);
  assert.ok((await names('rua dos andr', CENTRE)).includes('Rua dos Andradas, Porto Alegre'));
  assert.deepEqual(await names('andradas canoas', CENTRE), ['Rua dos Andradas, Canoas']);
  assert.deepEqual(await names('av ipir', CENTRE), [
    'Avenida Ipiranga, Porto Alegre',
    'Rua Ipiranga, Porto Alegre',
  ]);
  assert.deepEqual(await names('an'), []);
  assert.deepEqual(await names('90020-007'), ['Rua dos Andradas, Porto Alegre']);
  assert.deepEqual(await names(''), []);
});

test('a suggestion with a number has the position of the door', async () => {
  const [first] = await geocoder.search('andradas 1020 centro', CENTRE, 5);
  assert.deepEqual([first?.number, first?.precision], [1020, 'number']);
  assert.ok(away(first!, 19, 1020) < 5);
});

test('a district is suggested by its name', async () => {
  const found = await geocoder.search('resting', CENTRE, 5);
  assert.ok(found.some(({ precision, district }) => precision === 'district' && district === 'Restinga'));
});

test('a position is answered with the nearest address', async () => {
  const found = await geocoder.reverse(start(17, 1022));
  assert.deepEqual([found?.street, found?.number, found?.precision], ['Rua dos Andradas', 1020, 'number']);
  const between = await geocoder.reverse(start(-60, 1022));
  assert.equal(between?.precision, 'approximate');
  assert.equal(await geocoder.reverse({ lat: 0, lng: -30 }), null);
});

test('numbers are packed once each, the best coordinate wins', () => {
  const place = { lat: 1, lng: 1, postcode: 0 };
  const table = new NumberTable(
    packNumbers([
      { ...place, number: 7, quality: 6, lat: 5_000_000 },
      { ...place, number: 7, quality: 1, lat: 2_000_000 },
      { ...place, number: 3, quality: 1 },
    ]),
  );
  assert.deepEqual([table.length, table.numberAt(0), table.numberAt(1)], [2, 3, 7]);
  assert.equal(table.positionAt(1).lat, 2);
  assert.equal(new NumberTable(Buffer.alloc(0)).find(5), null);
});
