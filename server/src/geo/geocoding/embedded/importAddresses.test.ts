import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeCity, writePbf } from '../../../../../test/support/city.ts';
import { CNEFE_HEADER, type CnefeRow, cnefeLine } from '../../../../../test/support/cnefe.ts';
import { testDatabase } from '../../../../../test/support/database.ts';
import { writeZip } from '../../../../../test/support/zipWriter.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { openDatabase } from '../../../platform/postgres/database.ts';
import { AddressesError } from './addressesError.ts';
import { findCurrentSet } from './addressSetStore.ts';
import { embeddedGeocoder } from './embeddedGeocoder.ts';
import { importAddresses } from './importAddresses.ts';

const folder = await mkdtemp(join(tmpdir(), 'malote-addresses-'));
const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});
const geocoder = embeddedGeocoder(db);

const row = (change: Partial<CnefeRow>): CnefeRow => ({
  municipality: 4314902,
  postcode: 90020007,
  district: 'CENTRO HISTÓRICO',
  type: 'RUA',
  title: '',
  name: 'DOS ANDRADAS',
  number: 1001,
  lat: -30.0305,
  lng: -51.2303,
  quality: 1,
  ...change,
});

const csv = (rows: readonly CnefeRow[]): string =>
  `${[CNEFE_HEADER, ...rows.map((each, index) => cnefeLine(each, index))].join('\r\n')}\r\n`;

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const load = (...files: string[]) => importAddresses({ db, clock: systemClock, files });
const door = (line: string) => geocoder.geocode({ line, city: 'Porto Alegre', state: 'RS' });

test('a csv file is imported, and what was skipped is counted by its reason', async () => {
  const stages: string[] = [];
  const path = await file(
    'rs.csv',
    `${csv([
      row({}),
      row({ number: 0 }),
      row({ name: '' }),
      row({ lat: 48.8, lng: 2.3 }),
      row({ lat: Number.NaN }),
      row({ municipality: 9999999 }),
    ])}1;2;3\n`,
  );
  const set = await importAddresses({
    db,
    clock: systemClock,
    files: [path],
    onProgress: ({ stage, percent }) => stages.push(`${percent} ${stage}`),
  });
  assert.deepEqual(set.counts, {
    read: 7,
    addresses: 2,
    streets: 1,
    districts: 1,
    skipped: {
      'without a street': 1,
      'outside Brazil': 1,
      'without coordinates': 1,
      'in an unknown municipality': 1,
      incomplete: 1,
    },
  });
  assert.deepEqual(set.sources, [{ name: 'rs.csv', kind: 'CNEFE' }]);
  assert.equal(stages[0], '0 reading rs.csv');
  assert.equal(stages.at(-1), '100 in use');
  assert.equal((await door('andradas 1001'))?.precision, 'number');
});

test('a zip file is read like the csv files in it', async () => {
  const path = await file(
    'rs.zip',
    writeZip({
      'a.csv': csv([row({ name: 'DA PRAIA', number: 5 })]),
      'leia-me.txt': 'x',
      'b.csv': csv([row({ name: 'DO ARVOREDO', number: 6 })]),
    }),
  );
  const set = await load(path);
  assert.deepEqual([set.counts.addresses, set.counts.streets], [2, 2]);
  assert.equal((await door('Rua da Praia, 5'))?.precision, 'number');
  assert.equal((await door('Rua do Arvoredo, 6'))?.precision, 'number');
  // The previous import is replaced.
  assert.equal((await door('Rua dos Andradas, 1001'))?.precision, 'municipality');
});

test('several files become one set, whatever their kinds', async () => {
  const extract = await file('city.osm.pbf', writeCity({}));
  const set = await load(await file('rs.csv', csv([row({})])), extract);
  assert.deepEqual(
    set.sources.map(({ kind }) => kind),
    ['CNEFE', 'OpenStreetMap'],
  );
  assert.ok(set.counts.streets > 1);
  assert.equal((await door('andradas 1001'))?.precision, 'number');
});

test('streets, house numbers and districts of an OpenStreetMap extract are found', async () => {
  const at = (id: number, lat: number, lng: number, tags?: Record<string, string>) => ({
    id,
    lat,
    lng,
    ...(tags && { tags }),
  });
  const extract = await file(
    'small.osm.pbf',
    writePbf({
      nodes: [
        at(1, -30.03, -51.23),
        at(2, -30.031, -51.23),
        at(3, -30.032, -51.23),
        at(4, -30.0305, -51.2301, {
          'addr:housenumber': '120',
          'addr:street': 'Rua Duque de Caxias',
          'addr:postcode': '90010-280',
        }),
        at(5, -30.0306, -51.2302),
        at(6, -30.0307, -51.2301, { place: 'suburb', name: 'Cidade Baixa' }),
      ],
      ways: [
        { id: 1, nodes: [1, 2, 3], tags: { highway: 'residential', name: 'Rua Duque de Caxias' } },
        {
          id: 2,
          nodes: [5],
          tags: { building: 'yes', 'addr:housenumber': '121', 'addr:street': 'Rua Duque de Caxias' },
        },
        { id: 3, nodes: [1, 3], tags: { highway: 'residential' } },
      ],
    }),
  );
  const set = await load(extract);
  assert.equal(set.counts.streets, 1);
  const found = await door('r. duque de caxias 120');
  assert.equal(found?.precision, 'number');
  assert.deepEqual(found?.position, { lat: -30.0305, lng: -51.2301 });
  assert.equal(found?.postcode, '90010280');
  assert.equal(found?.district, 'Cidade Baixa');
  assert.equal((await door('duque de caxias 121'))?.precision, 'number');
  assert.equal((await door('duque de caxias'))?.precision, 'street');
});

const refused: [name: string, content: string | Buffer, said: RegExp][] = [
  ['header.csv', 'a;b;c\n1;2;3\n', /is not a file of CNEFE 2022/],
  ['empty.csv', '', /is empty/],
  ['latin.csv', Buffer.from(csv([row({ name: 'JOÃO' })]), 'latin1'), /is not text in UTF-8/],
  ['line.csv', 'x'.repeat(200_000), /is not a file of CNEFE 2022/],
  ['nothing.csv', csv([row({ lat: 10, lng: 10 })]), /hold no address that can be used: 1 outside Brazil/],
  [
    'cut.zip',
    writeZip({ 'a.csv': csv(Array.from({ length: 500 }, (_, n) => row({ number: n }))) }).subarray(0, 900),
    /cut short or damaged/,
  ],
  ['without.zip', writeZip({ 'a.txt': 'x' }), /holds no csv file/],
  ['odd.txt', 'x', /must end in \.csv, \.zip/],
  ['odd.osm.pbf', 'not a map', /not an OpenStreetMap extract/],
];

for (const [name, content, said] of refused)
  test(`${name} is refused with a reason, and the addresses in use stay`, async () => {
    await load(await file('good.csv', csv([row({})])));
    const before = await findCurrentSet(db);
    const path = await file(name, content);
    await assert.rejects(load(path), (error) => error instanceof AddressesError && said.test(error.message));
    assert.deepEqual(await findCurrentSet(db), before);
    assert.equal((await door('andradas 1001'))?.precision, 'number');
    const [left] = await db<{ count: number }>`select count(*) as count from address_sets`;
    assert.equal(left!.count, 1);
  });

test('a damaged zip file is refused where its checksum differs', async () => {
  const zip = writeZip({ 'a.csv': csv([row({})]) });
  // Of the directory's entry, behind the local header, the name and the content.
  const entry = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  zip.writeUInt32LE(1, entry + 16);
  await assert.rejects(load(await file('crc.zip', zip)), /cut short or damaged/);
});

test('a missing file is named', async () => {
  await assert.rejects(load(join(folder, 'none.csv')), /There is no file .+none\.csv/);
  await assert.rejects(load(folder), /is not a file/);
});

test('a stopped import changes nothing', async () => {
  await load(await file('good.csv', csv([row({})])));
  const stop = new AbortController();
  stop.abort();
  const path = await file('other.csv', csv([row({ name: 'OUTRA' })]));
  await assert.rejects(
    importAddresses({ db, clock: systemClock, files: [path], signal: stop.signal }),
    /was stopped/,
  );
  assert.equal((await door('andradas 1001'))?.precision, 'number');
});

test('two imports at the same time: one of them is refused', async () => {
  const path = await file('many.csv', csv(Array.from({ length: 3000 }, (_, n) => row({ name: `DE ${n}` }))));
  const both = await Promise.allSettled([load(path), load(path)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const failed = both.find((each) => each.status === 'rejected');
  assert.match(String(failed?.reason), /Another import of addresses is running/);
});

test('look-ups during an import use the old set or the new one', async () => {
  await load(await file('good.csv', csv([row({})])));
  const path = await file(
    'again.csv',
    csv([row({}), ...Array.from({ length: 2000 }, (_, n) => row({ name: `DE ${n}` }))]),
  );
  let isOver = false;
  const loading = load(path).finally(() => {
    isOver = true;
  });
  while (!isOver) assert.equal((await door('andradas 1001'))?.precision, 'number');
  await loading;
});
