import { crc32, deflateSync } from 'node:zlib';

export const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

export interface TestImage {
  width?: number;
  height?: number;
  /** Makes two images of the same size differ. */
  seed?: string;
}

/** Metadata that cameras write into their files and that no stored proof may keep. */
export const SECRET_PLACE = 'GPS -30.0305,-51.2303 made by Phone 9';

/** The parts of a JPEG in their order, with metadata where cameras put it; its pixels are noise. */
export function jpeg({ width = 640, height = 480, seed = '' }: TestImage = {}): Buffer {
  const size = Buffer.alloc(6);
  size.writeUInt8(8, 0);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  size.writeUInt8(1, 5);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, Buffer.from(`Exif\0\0${SECRET_PLACE}`)),
    segment(0xe2, Buffer.from(`ICC_PROFILE\0${SECRET_PLACE}`)),
    segment(0xfe, Buffer.from(SECRET_PLACE)),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc0, Buffer.concat([size, Buffer.from([1, 0x11, 0])])),
    // One table with one code.
    segment(0xc4, Buffer.from([0, 1, ...Array<number>(15).fill(0), 7])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    // The scan contains a stuffed zero and a restart marker.
    Buffer.concat([Buffer.from(`scan ${seed}`), Buffer.from([0xff, 0, 1, 2, 0xff, 0xd0, 3])]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(`after the end: ${SECRET_PLACE}`),
  ]);
}

export const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), framed.length - 4);
  return framed;
};

/** A grey PNG that every program can show, with metadata. */
export function png({ width = 300, height = 120, seed = '' }: TestImage = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const shade = seed.length * 20;
  const rows = Buffer.alloc(Math.min(height, 4_096) * (Math.min(width, 4_096) + 1), shade);
  for (let row = 0; row < rows.length; row += width + 1) rows[row] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${SECRET_PLACE}`)),
    chunk('eXIf', Buffer.from(SECRET_PLACE)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export const riffChunk = (name: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

/** A lossless WebP in the extended form, with metadata; its pixels are noise. */
export function webp({ width = 320, height = 200, animated = false } = {}): Buffer {
  const extended = Buffer.alloc(10);
  extended.writeUInt8(0x2c | (animated ? 0x02 : 0), 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const pixels = Buffer.alloc(21);
  pixels.writeUInt8(0x2f, 0);
  pixels.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', extended),
    riffChunk('ICCP', Buffer.from(SECRET_PLACE)),
    riffChunk('VP8L', pixels),
    riffChunk('EXIF', Buffer.from(SECRET_PLACE)),
    riffChunk('XMP ', Buffer.from(SECRET_PLACE)),
  ]);
  const head = Buffer.alloc(8);
  head.write('RIFF');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
