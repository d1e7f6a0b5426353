import { type FileHandle, open } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import type { Position } from '../../platform/kernel/position.ts';
import { nodesIn } from './osmBlock.ts';
import { RoadsError } from './valhallaConfig.ts';

export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** A summary of an OpenStreetMap extract (.osm.pbf), made without reading all of it. */
export interface ExtractSurvey {
  bytes: number;
  modifiedAt: Temporal.Instant;
  bounds: Bounds;
  /** Some places in the extract. */
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
const UNITS_PER_DEGREE = 1e7;
const SAMPLED_BLOBS = 8;
const SAMPLES_PER_BLOB = 50;

/** Refuses an incomplete or invalid extract with a RoadsError, before hours are spent on it. */
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

/** The data blocks of a checked extract, in the order of the file. */
export async function* blocksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const blobs = await listBlobs(file, (await file.stat()).size, path);
    for (const blob of blobs)
      if (blob.type === 'OSMData')
        yield await content(file, blob).catch(() => Promise.reject(cutShort(path)));
  } finally {
    await file.close();
  }
}

/** Skips from header to header, so that even a country takes a moment. */
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
    return new PbfReader(header).readFields(readBlobHeader, { type: '', bytes: 0 });
  } catch {
    throw notAnExtract(path);
  }
}

function readBlobHeader(field: number, header: { type: string; bytes: number }, pbf: PbfReader): void {
  if (field === 1) header.type = pbf.readString();
  else if (field === 3) header.bytes = pbf.readVarint();
}

const notAnExtract = (path: string) =>
  new RoadsError(`${path} is not an OpenStreetMap extract in PBF form (a file that ends in .osm.pbf).`);
const cutShort = (path: string) => new RoadsError(`${path} is cut short or damaged: fetch it again.`);

function declaredBounds(header: Buffer): Bounds | null {
  const { box } = new PbfReader(header).readFields(readHeaderBlock, { box: null });
  return box;
}

function readHeaderBlock(field: number, header: { box: Bounds | null }, pbf: PbfReader): void {
  if (field === 1) header.box = pbf.readMessage(readBox, { west: 0, east: 0, north: 0, south: 0 });
}

function readBox(field: number, box: Bounds, pbf: PbfReader): void {
  const side = (['west', 'east', 'north', 'south'] as const)[field - 1];
  if (side) box[side] = pbf.readSVarint() / 1e9;
}

/** From blobs spread over the file; from all of them when the bounds are not known otherwise. */
async function samplePlaces(
  file: FileHandle,
  data: Blob[],
  needsBounds: boolean,
): Promise<{ samples: Position[]; bounds: Bounds }> {
  const step = Math.max(1, Math.floor(data.length / SAMPLED_BLOBS));
  const bounds = { south: 90, west: 180, north: -90, east: -180 };
  const samples: Position[] = [];
  for (const [index, blob] of data.entries()) {
    // Nodes usually come first: until a node is found, no blob is skipped.
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

const placesIn = (block: Buffer): Position[] =>
  Array.from(nodesIn(block), ({ lat, lng }) => ({
    lat: lat / UNITS_PER_DEGREE,
    lng: lng / UNITS_PER_DEGREE,
  }));

async function content(file: FileHandle, { at, bytes }: Blob): Promise<Buffer> {
  const blob = await read(file, at, bytes);
  const { raw, deflated } = new PbfReader(blob).readFields<BlobContent>(readBlob, {});
  if (raw && raw.length > BLOB_BYTES_MAX) throw new RangeError('a part is too large');
  if (raw) return Buffer.from(raw);
  if (!deflated) throw new RangeError('a part is compressed in another way than zlib');
  return inflateSync(deflated, { maxOutputLength: BLOB_BYTES_MAX });
}

interface BlobContent {
  raw?: Uint8Array;
  deflated?: Uint8Array;
}

function readBlob(field: number, blob: BlobContent, pbf: PbfReader): void {
  if (field === 1) blob.raw = pbf.readBytes();
  else if (field === 3) blob.deflated = pbf.readBytes();
}

async function read(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead !== bytes) throw new RangeError('it ended early');
  return buffer;
}
