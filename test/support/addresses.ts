import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importAddresses } from '../../server/src/geo/geocoding/embedded/importAddresses.ts';
import { systemClock } from '../../server/src/platform/kernel/clock.ts';
import { CNEFE_HEADER, type CnefeRow, cnefeLine } from './cnefe.ts';
import type { TestMalote } from './malote.ts';

/** A house number on a street of the demonstration's city. */
const row = (
  district: string,
  type: string,
  name: string,
  number: number,
  lat: number,
  lng: number,
): CnefeRow => ({
  municipality: 4314902,
  postcode: 90020007,
  district,
  type,
  title: '',
  name,
  number,
  lat,
  lng,
  quality: 1,
});

const ROWS = [
  row('CENTRO HISTÓRICO', 'RUA', 'DOS ANDRADAS', 1001, -30.0305, -51.2303),
  row('CENTRO HISTÓRICO', 'RUA', 'DOS ANDRADAS', 1201, -30.0302, -51.228),
  row('AZENHA', 'AVENIDA', 'IPIRANGA', 1200, -30.0489, -51.2158),
  row('AZENHA', 'AVENIDA', 'IPIRANGA', 1400, -30.0492, -51.214),
  row('AZENHA', 'RUA', 'SEM NÚMERO', 0, -30.047, -51.215),
];

/** Imports addresses for the central. Only a command imports addresses, so no request can do this. */
export async function loadAddresses({
  db,
  geocoders,
}: Pick<TestMalote['app']['deps'], 'db' | 'geocoders'>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-addresses-'));
  try {
    const file = join(folder, 'rs.csv');
    await writeFile(file, [CNEFE_HEADER, ...ROWS.map((each) => cnefeLine(each))].join('\n'));
    await importAddresses({ db, clock: systemClock, files: [file] });
    await geocoders.refresh();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
