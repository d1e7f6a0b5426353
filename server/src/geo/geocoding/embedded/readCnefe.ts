import { open } from 'node:fs/promises';
import { AddressesError } from './addressesError.ts';
import type { AddressRow, RowSink } from './addressRow.ts';
import { type OpenZip, openZip } from './unzip.ts';

/** The columns of CNEFE 2022 that are read, by IBGE's names. */
const COLUMNS = [
  'COD_MUNICIPIO',
  'CEP',
  'DSC_LOCALIDADE',
  'NOM_TIPO_SEGLOGR',
  'NOM_TITULO_SEGLOGR',
  'NOM_SEGLOGR',
  'NUM_ENDERECO',
  'LATITUDE',
  'LONGITUDE',
  'NV_GEO_COORD',
] as const;
type Column = (typeof COLUMNS)[number];

/** Brazil with its islands, in degrees. */
const BRAZIL = { south: -34, north: 5.5, west: -74.1, east: -28.8 };
const LINE_BYTES_MAX = 64 * 1024;

/** Reads addresses of CNEFE, a csv file or a zip of them, row by row, with little memory whatever their size. */
export async function readCnefe(
  path: string,
  sink: RowSink,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (!/\.zip$/i.test(path)) {
    await readCsv(path, piecesOf(path, onBytes), sink);
    return;
  }
  const zip = await openZip(path);
  try {
    const entries = zip.entries.filter(({ fileName }) => /\.csv$/i.test(fileName));
    if (entries.length === 0) throw new AddressesError(`${path} holds no csv file.`);
    let before = 0;
    for (const entry of entries) {
      await readCsv(`${path} (${entry.fileName})`, counted(zip, entry, before, onBytes), sink);
      before += entry.compressedSize;
    }
  } finally {
    zip.close();
  }
}

/** Progress is reported in bytes of the zip file, in proportion to what is unpacked: CNEFE shrinks to about a tenth. */
async function* counted(
  zip: OpenZip,
  entry: OpenZip['entries'][number],
  before: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let unpacked = 0;
  for await (const piece of zip.unzip(entry)) {
    yield piece;
    unpacked += piece.length;
    onBytes(before + Math.min(entry.compressedSize, unpacked / 10));
  }
}

async function* piecesOf(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = await open(path);
  let read = 0;
  // The stream closes the file.
  for await (const piece of file.createReadStream({ highWaterMark: 256 * 1024 })) {
    yield piece as Buffer;
    read += (piece as Buffer).length;
    onBytes(read);
  }
}

async function readCsv(label: string, pieces: AsyncGenerator<Buffer>, sink: RowSink): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece?: Buffer): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new AddressesError(
        `${label} is not text in UTF-8: take the file as IBGE offers it, not saved again by another program.`,
      );
    }
  };
  let left = '';
  let read: ((line: string) => void) | undefined;
  const take = (line: string): void => {
    if (read) read(line.endsWith('\r') ? line.slice(0, -1) : line);
    else read = rowReader(label, line, sink);
  };
  for await (const piece of pieces) {
    const text = left + decode(piece);
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      take(text.slice(from, end));
      from = end + 1;
    }
    left = text.slice(from);
    if (left.length > LINE_BYTES_MAX) throw notCnefe(label);
    await sink.rest();
  }
  left += decode();
  if (left !== '') take(left);
  if (!read) throw new AddressesError(`${label} is empty.`);
}

const notCnefe = (label: string) =>
  new AddressesError(
    `${label} is not a file of CNEFE 2022: its first line must name the columns ${COLUMNS.join(', ')}, separated by semicolons.`,
  );

function rowReader(label: string, header: string, sink: RowSink): (line: string) => void {
  const names = split(header.replace(/^\ufeff/, '').trim());
  const places = new Map<Column, number>();
  for (const column of COLUMNS) {
    const index = names.findIndex((name) => name.toUpperCase() === column);
    if (index === -1) throw notCnefe(label);
    places.set(column, index);
  }
  const at = (column: Column): number => places.get(column)!;
  const [municipality, postcode, district, type, title, name, number, lat, lng, quality] = COLUMNS.map(
    at,
  ) as [number, ...number[]] as number[];
  return (line) => {
    if (line === '') return;
    const values = split(line);
    if (values.length < names.length) {
      sink.skip('incomplete');
      return;
    }
    const row: AddressRow = {
      municipality: Number(values[municipality!]),
      postcode: Number(values[postcode!]) || 0,
      district: values[district!]!,
      street: joined(values[type!]!, values[title!]!, values[name!]!),
      number: wholeNumber(values[number!]!),
      lat: values[lat!] === '' ? Number.NaN : Number(values[lat!]),
      lng: values[lng!] === '' ? Number.NaN : Number(values[lng!]),
      quality: qualityOf(values[quality!]!),
    };
    if (row.street === '') sink.skip('without a street');
    else if (!Number.isFinite(row.lat) || !Number.isFinite(row.lng)) sink.skip('without coordinates');
    else if (!isInBrazil(row)) sink.skip('outside Brazil');
    else sink.add(row);
  };
}

const isInBrazil = ({ lat, lng }: AddressRow): boolean =>
  lat > BRAZIL.south && lat < BRAZIL.north && lng > BRAZIL.west && lng < BRAZIL.east;

const joined = (type: string, title: string, name: string): string =>
  name === '' ? '' : [type, title, name].filter((part) => part !== '').join(' ');

const wholeNumber = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : 0);

const qualityOf = (text: string): number => (/^[1-6]$/.test(text) ? Number(text) : 6);

function split(line: string): string[] {
  return line.includes('"') ? splitQuoted(line) : line.split(';').map((value) => value.trim());
}

function splitQuoted(line: string): string[] {
  const values = line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g);
  return Array.from(values, ([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
}
