import { type FileHandle, open } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import type { Position } from '../kernel/position.ts';
import { bytesOf, deltasIn, numberOf, signed } from './protobuf.ts';
import { RoadsError } from './valhallaPackage.ts';

export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** What a look through an OpenStreetMap extract (.osm.pbf) tells, without reading all of it. */
export interface ExtractSurvey {
  bytes: number;
  modifiedAt: Temporal.Instant;
  bounds: Bounds;
  /** Some places that are in the extract. */
  samples: Position[];
}

interface Blob {
  type: string;
  at: number;
  bytes: number;
}

// Limits of the format itself.
const BLOB_HEADER_BYTES_MAX = 64 * 1024;
const BLOB_BYTES_MAX = 32 * 1024 * 1024;
const SAMPLED_BLOBS = 8;
const SAMPLES_PER_BLOB = 50;

/** Refuses with a RoadsError what is no whole extract, before an hour is spent on it. */
export async function surveyExtract(path: string): Promise<ExtractSurvey> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new RoadsError(`There is no file ${path}.`);
    throw new RoadsError(`${path} cannot be read: ${error.message}.`);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new RoadsError(`${path} is not a file.`);
    const blobs = await listBlobs(file, stat.size, path);
    const data = blobs.filter(({ type }) => type === 'OSMData');
    const declared = declaredBounds(await content(file, blobs[0]!));
    const places = await samplePlaces(file, data, declared === null);
    if (places.samples.length === 0)
      throw new RoadsError(`${path} is an extract without a single place in it.`);
    return {
      bytes: stat.size,
      modifiedAt: stat.mtime.toTemporalInstant(),
      bounds: declared ?? places.bounds,
      samples: places.samples,
    };
  } catch (error) {
    if (error instanceof RoadsError) throw error;
    throw new RoadsError(`${path} is damaged: ${(error as Error).message}.`);
  } finally {
    await file.close();
  }
}

/** The blocks of data of an extract that was surveyed before, in the file's order. */
export async function* blocksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const blobs = await listBlobs(file, (await file.stat()).size, path);
    for (const blob of blobs) if (blob.type === 'OSMData') yield await content(file, blob);
  } finally {
    await file.close();
  }
}

/** Goes from header to header, so that even a country is looked through in a moment. */
async function listBlobs(file: FileHandle, size: number, path: string): Promise<Blob[]> {
  const blobs: Blob[] = [];
  let at = 0;
  while (at < size) {
    const headerBytes = at + 4 <= size ? (await read(file, at, 4)).readUInt32BE() : 0;
    const isFirst = blobs.length === 0;
    if (headerBytes === 0 || headerBytes > BLOB_HEADER_BYTES_MAX || at + 4 + headerBytes > size)
      throw isFirst ? notAnExtract(path) : cutShort(path);
    const header = await read(file, at + 4, headerBytes);
    const { type, bytes } = blobHeader(header, path);
    if (isFirst && type !== 'OSMHeader') throw notAnExtract(path);
    at += 4 + headerBytes;
    if (bytes > BLOB_BYTES_MAX || at + bytes > size) throw cutShort(path);
    blobs.push({ type, at, bytes });
    at += bytes;
  }
  if (blobs.length === 0) throw new RoadsError(`${path} is empty.`);
  return blobs;
}

function blobHeader(header: Buffer, path: string): { type: string; bytes: number } {
  try {
    return { type: bytesOf(header, 1)[0]?.toString() ?? '', bytes: numberOf(header, 3) ?? 0 };
  } catch {
    throw notAnExtract(path);
  }
}

const notAnExtract = (path: string) =>
  new RoadsError(`${path} is not an OpenStreetMap extract in PBF form (a file that ends in .osm.pbf).`);
const cutShort = (path: string) => new RoadsError(`${path} is cut short or damaged: fetch it again.`);

function declaredBounds(header: Buffer): Bounds | null {
  const [box] = bytesOf(header, 1);
  if (!box) return null;
  const degrees = (field: number) => signed(numberOf(box, field) ?? 0) / 1e9;
  return { west: degrees(1), east: degrees(2), north: degrees(3), south: degrees(4) };
}

/** From blobs all over the file; from all of them when only that tells the bounds. */
async function samplePlaces(
  file: FileHandle,
  data: Blob[],
  needsBounds: boolean,
): Promise<{ samples: Position[]; bounds: Bounds }> {
  const step = Math.max(1, Math.floor(data.length / SAMPLED_BLOBS));
  const bounds = { south: 90, west: 180, north: -90, east: -180 };
  const samples: Position[] = [];
  for (const [index, blob] of data.entries()) {
    // Nodes come first, as a rule: until one is found, no blob is passed over.
    if (!needsBounds && samples.length > 0 && index % step !== 0) continue;
    const places = placesIn(await content(file, blob));
    const every = Math.max(1, Math.floor(places.length / SAMPLES_PER_BLOB));
    samples.push(...places.filter((_, place) => place % every === 0).slice(0, SAMPLES_PER_BLOB));
    for (const { lat, lng } of needsBounds ? places : []) {
      bounds.south = Math.min(bounds.south, lat);
      bounds.north = Math.max(bounds.north, lat);
      bounds.west = Math.min(bounds.west, lng);
      bounds.east = Math.max(bounds.east, lng);
    }
  }
  return { samples, bounds };
}

function placesIn(block: Buffer): Position[] {
  const granularity = numberOf(block, 17) ?? 100;
  const latOffset = numberOf(block, 19) ?? 0;
  const lngOffset = numberOf(block, 20) ?? 0;
  const place = (lat: number, lng: number): Position => ({
    lat: (latOffset + granularity * lat) / 1e9,
    lng: (lngOffset + granularity * lng) / 1e9,
  });
  return bytesOf(block, 2).flatMap((group) => [
    ...bytesOf(group, 1).map((node) => place(signed(numberOf(node, 8) ?? 0), signed(numberOf(node, 9) ?? 0))),
    ...bytesOf(group, 2).flatMap((dense) => {
      const lats = deltasIn(Buffer.concat(bytesOf(dense, 8)));
      const lngs = deltasIn(Buffer.concat(bytesOf(dense, 9)));
      return lats.map((lat, index) => place(lat, lngs[index] ?? 0));
    }),
  ]);
}

async function content(file: FileHandle, { at, bytes }: Blob): Promise<Buffer> {
  const blob = await read(file, at, bytes);
  const [raw] = bytesOf(blob, 1);
  const [deflated] = bytesOf(blob, 3);
  if (raw) return raw;
  if (!deflated) throw new RangeError('a part is compressed in another way than zlib');
  return inflateSync(deflated, { maxOutputLength: BLOB_BYTES_MAX });
}

async function read(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead !== bytes) throw new RangeError('it ended early');
  return buffer;
}
