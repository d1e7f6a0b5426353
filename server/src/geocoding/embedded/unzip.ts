import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { AddressesError } from './addressesError.ts';

export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated; others are not supported. */
  method: number;
  crc: number;
  packedBytes: number;
  at: number;
}

const END_SIGNATURE = 0x06054b50;
const END64_LOCATOR_SIGNATURE = 0x07064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const DIRECTORY_BYTES_MAX = 16 * 1024 * 1024;
const IN_64 = 0xffffffff;

/** The directory of a zip file, which stands at its end: a file that is cut short has none. */
export async function listZip(file: FileHandle, size: number, path: string): Promise<ZipEntry[]> {
  const tailBytes = Math.min(size, END_BYTES + COMMENT_BYTES_MAX + 20);
  const tail = await read(file, size - tailBytes, tailBytes);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw damaged(path);
  let directoryBytes = tail.readUInt32LE(end + 12);
  let directoryAt = tail.readUInt32LE(end + 16);
  if (directoryAt === IN_64 && end >= 20 && tail.readUInt32LE(end - 20) === END64_LOCATOR_SIGNATURE) {
    const end64 = await read(file, Number(tail.readBigUInt64LE(end - 12)), 56);
    directoryBytes = Number(end64.readBigUInt64LE(40));
    directoryAt = Number(end64.readBigUInt64LE(48));
  }
  if (directoryBytes > DIRECTORY_BYTES_MAX || directoryAt + directoryBytes > size) throw damaged(path);
  const directory = await read(file, directoryAt, directoryBytes);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE; ) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      ...sizesOf(directory, at, extra),
    });
    at += 46 + nameBytes + extraBytes + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Values that do not fit into four bytes stand in the extra field, in a fixed order. */
function sizesOf(directory: Buffer, at: number, extra: Buffer): { packedBytes: number; at: number } {
  let packedBytes = directory.readUInt32LE(at + 20);
  let offset = directory.readUInt32LE(at + 42);
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) !== 1) continue;
    let value = field + 4 + (directory.readUInt32LE(at + 24) === IN_64 ? 8 : 0);
    if (packedBytes === IN_64) {
      packedBytes = Number(extra.readBigUInt64LE(value));
      value += 8;
    }
    if (offset === IN_64) offset = Number(extra.readBigUInt64LE(value));
  }
  return { packedBytes, at: offset };
}

/** The content of an entry, piece by piece; fails at its end when the checksum differs. */
export async function* unzip(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method !== 0 && entry.method !== 8)
    throw new AddressesError(`${path}: ${entry.name} is compressed in a way that is not supported.`);
  const file = await open(path);
  try {
    const local = await read(file, entry.at, 30);
    if (local.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damaged(path);
    const start = entry.at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    const packed = pieces(file, start, entry.packedBytes);
    let crc = 0;
    for await (const piece of entry.method === 0 ? packed : inflate(packed)) {
      crc = crc32(piece, crc);
      yield piece;
    }
    if (crc !== entry.crc) throw damaged(path);
  } catch (error) {
    if (/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw damaged(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function* inflate(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: 256 * 1024 });
  const done = pipeline(Readable.from(packed), inflater).catch((error: unknown) => error);
  try {
    yield* inflater;
  } finally {
    inflater.destroy();
    await done;
  }
}

const PIECE_BYTES = 256 * 1024;

async function* pieces(file: FileHandle, start: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; at += PIECE_BYTES)
    yield await read(file, start + at, Math.min(PIECE_BYTES, bytes - at));
}

async function read(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead !== bytes) throw new AddressesError('The zip file ended early: fetch it again.');
  return buffer;
}

const damaged = (path: string) => new AddressesError(`${path} is cut short or damaged: fetch it again.`);
