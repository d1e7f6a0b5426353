import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export const IMAGE_BYTES_MAX = 300 * 1024;
export const IMAGE_SIDE_MAX = 4_096;
/** Real files have a few dozen parts, and each part costs far more than a byte. */
const PARTS_MAX = 1_000;

/** An image with the same pixels, without metadata about the place and the camera. */
export interface CleanImage {
  mediaType: ImageType;
  width: number;
  height: number;
  content: Buffer;
  sha256: Buffer;
}

export type ImageFault = 'not-an-image' | 'other-type' | 'too-large' | 'animated';

interface Stripped {
  content: Buffer;
  width: number;
  height: number;
}

/** Ends the reading of a file that is not what it claims to be. */
class Unreadable extends Error {
  readonly fault: ImageFault;
  constructor(fault: ImageFault = 'not-an-image') {
    super(fault);
    this.fault = fault;
  }
}

/**
 * Parses an image and copies only the parts that draw it. EXIF, XMP, comments, profiles, previews and trailing bytes
 * are removed. The pixels are not decoded, so a file costs one pass over its bytes.
 */
export function cleanImage(bytes: Buffer, declared: string): CleanImage | ImageFault {
  const mediaType = typeOf(bytes);
  if (mediaType === undefined) return 'not-an-image';
  if (mediaType !== declared) return 'other-type';
  try {
    const { content, width, height } = strippers[mediaType](bytes);
    if (width < 1 || height < 1) return 'not-an-image';
    if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX) return 'too-large';
    return { mediaType, width, height, content, sha256: hash('sha256', content, 'buffer') };
  } catch (error) {
    if (error instanceof Unreadable) return error.fault;
    // A read past the end.
    if (error instanceof RangeError) return 'not-an-image';
    throw error;
  }
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function typeOf(bytes: Buffer): ImageType | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  return undefined;
}

const strippers: Record<ImageType, (bytes: Buffer) => Stripped> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
};

// JPEG: markers of two bytes, most with a length; the data of a scan follows its header without one.
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Frame headers, which hold the size; three codes among them mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const EXTENSION = 0xc8;
const APPLICATION = 0xe0;
/** Segments that define the colours. Segments with other lengths contain previews or other data. */
const COLOUR_SEGMENTS: Readonly<Record<number, { name: string; length: number }>> = {
  [APPLICATION]: { name: 'JFIF\0', length: 16 },
  [APPLICATION + 14]: { name: 'Adobe', length: 14 },
};

/** Keeps tables and frames, which draw the image, and colour segments. */
function isKept(bytes: Buffer, at: number, marker: number, length: number): boolean {
  if (marker < APPLICATION) return marker !== EXTENSION;
  const colours = COLOUR_SEGMENTS[marker];
  return (
    colours?.length === length &&
    bytes.toString('latin1', at + 4, at + 4 + colours.name.length) === colours.name
  );
}

const TABLE_OF_64 = 65;
/** Four components have tables of two classes each. A scan may bring its own. */
const HUFFMAN_TABLES_MAX = 8;
const QUANTISATION_TABLES_MAX = 4;

/**
 * Whether a segment is as long as its contents need, so that nothing is hidden behind them. Decoders refuse other
 * lengths too. Codes without an entry occur in no photo.
 */
const hasOwnLength: Readonly<Record<number, (data: Buffer) => boolean>> = {
  196: (data) => countTables(data, (at) => 17 + sumOf(data.subarray(at + 1, at + 17))) <= HUFFMAN_TABLES_MAX,
  204: (data) => data.length % 2 === 0 && data.length <= 16,
  [START_OF_SCAN]: (data) => data.length === 4 + 2 * data.readUInt8(0),
  219: (data) =>
    countTables(data, (at) => ((data[at]! & 0xf0) === 0 ? TABLE_OF_64 : 2 * TABLE_OF_64 - 1)) <=
    QUANTISATION_TABLES_MAX,
  220: (data) => data.length === 2,
  221: (data) => data.length === 2,
};

const sumOf = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum + byte, 0);

/** The number of tables in a segment, infinite if the last one does not end with it. */
function countTables(data: Buffer, lengthAt: (at: number) => number): number {
  let count = 0;
  let at = 0;
  for (; at < data.length; count += 1) at += lengthAt(at);
  return at === data.length ? count : Number.POSITIVE_INFINITY;
}

/** Segments that are in force until the next scan. One of each kind is enough for it, so no other can hold data. */
const REPEATED_MAX = 8;

function assertOwnLength(marker: number, data: Buffer): void {
  const isRight = isFrame(marker) ? data.length === 6 + 3 * data.readUInt8(5) : hasOwnLength[marker]?.(data);
  if (!isRight) throw new Unreadable();
}

function stripJpeg(bytes: Buffer): Stripped {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  /** How often each code occurred since the last scan, and those of colours at all. */
  const seen = new Map<number, number>();
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  for (let at = 2, partCount = 0; ; partCount += 1) {
    if (partCount > PARTS_MAX) throw new Unreadable();
    if (bytes.readUInt8(at) !== 0xff) throw new Unreadable();
    // Any number of fill bytes may precede a marker.
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes.readUInt8(at + 1);
    if (marker === END_OF_IMAGE) {
      if (!size || !hasScan) throw new Unreadable();
      parts.push(bytes.subarray(at, at + 2));
      return { ...size, content: Buffer.concat(parts) };
    }
    if (marker < 0xc0) throw new Unreadable();
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) throw new Unreadable();
    // With several frames, a viewer might use another size than the one checked here.
    if (isFrame(marker) && size) throw new Unreadable();
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    const next = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
    hasScan ||= marker === START_OF_SCAN;
    const isColour = marker >= APPLICATION;
    const count = (seen.get(marker) ?? 0) + 1;
    if (isKept(bytes, at, marker, length) && !(isColour && count > 1)) {
      if (!isColour) assertOwnLength(marker, bytes.subarray(at + 4, end));
      if (count > REPEATED_MAX) throw new Unreadable();
      seen.set(marker, count);
      parts.push(bytes.subarray(at, next));
    }
    if (marker === START_OF_SCAN)
      for (const other of seen.keys()) if (other < APPLICATION) seen.delete(other);
    at = next;
  }
}

/** The position of the next marker; stuffed zeros and restart markers belong to the scan. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const marker = bytes[at + 1]!;
    if (marker !== 0 && !(marker >= 0xd0 && marker <= 0xd7)) return at;
  }
  throw new Unreadable();
}

// PNG: chunks of length, name, data and checksum.
/** The chunks that draw the image, each with the lengths that its standard allows; a longer one would hide data. */
const PNG_KEPT: Readonly<Record<string, (length: number, colourType: number) => boolean>> = {
  IHDR: (length) => length === 13,
  PLTE: (length) => length > 0 && length <= 768 && length % 3 === 0,
  tRNS: (length, colourType) => ({ 0: length === 2, 2: length === 6, 3: length <= 256 })[colourType] ?? false,
  sRGB: (length) => length === 1,
  gAMA: (length) => length === 4,
  IDAT: () => true,
  IEND: (length) => length === 0,
};

function stripPng(bytes: Buffer): Stripped {
  const parts: Buffer[] = [bytes.subarray(0, 8)];
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') throw new Unreadable();
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const colourType = bytes.readUInt8(25);
  const seen = new Set<string>();
  let hasData = false;
  for (let at = 8, count = 0; ; count += 1) {
    if (count > PARTS_MAX) throw new Unreadable();
    const name = bytes.toString('latin1', at + 4, at + 8);
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw new Unreadable();
    if (name === 'acTL') throw new Unreadable('animated');
    const hasRightLength = Object.hasOwn(PNG_KEPT, name) ? PNG_KEPT[name] : undefined;
    if (hasRightLength) {
      if (!hasRightLength(length, colourType) || (name !== 'IDAT' && seen.has(name))) throw new Unreadable();
      seen.add(name);
      if ((name === 'IHDR') !== (at === 8)) throw new Unreadable();
      if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw new Unreadable();
      parts.push(bytes.subarray(at, end));
    }
    hasData ||= name === 'IDAT';
    if (name === 'IEND') {
      if (!hasData) throw new Unreadable();
      return { ...size, content: Buffer.concat(parts) };
    }
    at = end;
  }
}

// WebP: a RIFF file of chunks with name and length, padded to even lengths.
const WEBP_KEPT = ['VP8 ', 'VP8L', 'VP8X', 'ALPH'];
/** The flag of VP8X for transparency, which is all that draws an image. */
const WEBP_ALPHA_FLAG = 0x10;
const WEBP_EXTENDED_BYTES = 10;
const WEBP_ANIMATED_FLAG = 0x02;

function stripWebp(bytes: Buffer): Stripped {
  const parts: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  let hasData = false;
  let hasAlpha = false;
  const limit = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12, count = 0; at + 8 <= limit; count += 1) {
    if (count > PARTS_MAX) throw new Unreadable();
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (at + 8 + length > bytes.length) throw new Unreadable();
    if (WEBP_KEPT.includes(name)) {
      // A copy, whose padding is empty.
      const chunk = Buffer.alloc(end - at);
      bytes.copy(chunk, 0, at, at + 8 + length);
      if (name === 'VP8X') {
        if (size || length !== WEBP_EXTENDED_BYTES) throw new Unreadable();
        if (chunk.readUInt8(8) & WEBP_ANIMATED_FLAG) throw new Unreadable('animated');
        // The rest of these four bytes is reserved.
        chunk.writeUInt32LE(chunk.readUInt8(8) & WEBP_ALPHA_FLAG, 8);
        size = { width: chunk.readUIntLE(12, 3) + 1, height: chunk.readUIntLE(15, 3) + 1 };
      }
      const drawn = sizeOfWebp(name, chunk);
      // There must be a single image of the declared size, so that no viewer finds a different one.
      if (drawn && (hasData || (size && (size.width !== drawn.width || size.height !== drawn.height))))
        throw new Unreadable();
      // Transparency is drawn with the image that follows it, once.
      if (name === 'ALPH' && (hasAlpha || hasData || !size)) throw new Unreadable();
      hasAlpha ||= name === 'ALPH';
      size ??= drawn;
      hasData ||= drawn !== undefined;
      parts.push(chunk);
    }
    at = end;
  }
  if (!size || !hasData) throw new Unreadable();
  const body = Buffer.concat(parts);
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  header.writeUInt32LE(body.length + 4, 4);
  return { ...size, content: Buffer.concat([header, body]) };
}

function sizeOfWebp(name: string, chunk: Buffer): { width: number; height: number } | undefined {
  if (name === 'VP8 ')
    return { width: chunk.readUInt16LE(14) & 0x3fff, height: chunk.readUInt16LE(16) & 0x3fff };
  if (name !== 'VP8L') return undefined;
  const bits = chunk.readUInt32LE(9);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
