import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunk, jpeg, png, riffChunk, SECRET_PLACE, segment, webp } from '../../../../test/support/images.ts';
import { type CleanImage, cleanImage, IMAGE_BYTES_MAX, type ImageFault } from './image.ts';

const clean = (bytes: Buffer, declared: string): CleanImage => {
  const image = cleanImage(bytes, declared);
  assert.ok(typeof image === 'object', String(image));
  return image;
};

const samples = [
  ['image/jpeg', jpeg(), 640, 480],
  ['image/png', png(), 300, 120],
  ['image/webp', webp(), 320, 200],
] as const;

for (const [mediaType, bytes, width, height] of samples) {
  test(`${mediaType}: the size is read, and metadata is removed`, () => {
    const image = clean(bytes, mediaType);
    assert.deepEqual([image.mediaType, image.width, image.height], [mediaType, width, height]);
    assert.ok(bytes.includes(SECRET_PLACE));
    assert.ok(!image.content.includes('GPS') && !image.content.includes('Exif'));
    assert.deepEqual(clean(image.content, mediaType).content, image.content, 'a clean image stays as it is');
  });

  test(`${mediaType}: truncated anywhere, it is refused or the result is a complete image`, () => {
    for (let length = 0; length < bytes.length; length += 1) {
      const image = cleanImage(bytes.subarray(0, length), mediaType);
      if (typeof image === 'object')
        assert.deepEqual([image.width, image.height], [width, height], `${length} bytes`);
    }
  });

  test(`${mediaType}: damaged in any way, it gives an image or a fault, and is fast`, () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, damage) => {
        const damaged = Buffer.from(bytes);
        Buffer.from(damage).copy(damaged, at);
        const image = cleanImage(damaged, mediaType);
        if (typeof image === 'object') assert.ok(image.content.length <= damaged.length);
      }),
      { numRuns: 2_000 },
    );
  });
}

const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0xea, 0x60, 0xea, 0x60, 1, 1, 0x11, 0]);
const twoFrames = Buffer.concat([jpeg().subarray(0, 2), frame, jpeg().subarray(2)]);
const twoHeaders = Buffer.concat([png().subarray(0, 33), png({ width: 60_000 }).subarray(8)]);
const damaged = png();
damaged.writeUInt8(damaged.readUInt8(damaged.length - 20) ^ 1, damaged.length - 20);
const largerThanSaid = webp();
// The canvas of the extended header.
largerThanSaid.writeUIntLE(9, 24, 3);
const saysSizeLast = Buffer.concat([webp(), webp().subarray(12, 30)]);
saysSizeLast.writeUInt32LE(saysSizeLast.length - 8, 4);

test('segments that only have the name of a kept one are removed', () => {
  for (const [marker, length] of [
    [0xe0, 14],
    [0xee, 40],
    [0xc8, 20],
  ] as const) {
    const secret = Buffer.alloc(length, 'Exif GPS ');
    const segment = Buffer.concat([Buffer.from([0xff, marker, 0, length + 2]), secret]);
    const bytes = Buffer.concat([jpeg().subarray(0, 2), segment, jpeg().subarray(2)]);
    assert.deepEqual(clean(bytes, 'image/jpeg').content, clean(jpeg(), 'image/jpeg').content);
  }
});

const faults: [what: string, bytes: Buffer, declared: string, fault: ImageFault][] = [
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'image/png', 'not-an-image'],
  ['an empty file', Buffer.alloc(0), 'image/jpeg', 'not-an-image'],
  ['a JPEG that is called a PNG', jpeg(), 'image/png', 'other-type'],
  [
    'the beginning of a JPEG before a page',
    Buffer.from('\xff\xd8\xff<script>', 'latin1'),
    'image/jpeg',
    'not-an-image',
  ],
  ['a JPEG of 20,000 pixels', jpeg({ width: 20_000 }), 'image/jpeg', 'too-large'],
  ['a PNG of 100,000 pixels', png({ height: 100_000 }), 'image/png', 'too-large'],
  ['a JPEG without height', jpeg({ height: 0 }), 'image/jpeg', 'not-an-image'],
  ['a JPEG with two sizes', twoFrames, 'image/jpeg', 'not-an-image'],
  ['a PNG with two headers', twoHeaders, 'image/png', 'not-an-image'],
  ['a PNG with a damaged part', damaged, 'image/png', 'not-an-image'],
  ['a WebP larger than it says', largerThanSaid, 'image/webp', 'not-an-image'],
  ['a WebP that says its size last', saysSizeLast, 'image/webp', 'not-an-image'],
  ['an animation', webp({ animated: true }), 'image/webp', 'animated'],
];
for (const [what, bytes, declared, fault] of faults)
  test(`${what} is refused: ${fault}`, () => assert.equal(cleanImage(bytes, declared), fault));

/** A refusal is decided within one turn of the event loop, so it must be fast. */
const TURN_US_AIM = 50_000;

const slow: [what: string, start: Buffer, filling: number[], declared: string][] = [
  ['filling before a marker', jpeg().subarray(0, 2), [0xff], 'image/jpeg'],
  ['empty segments', jpeg().subarray(0, 2), [0xff, 0xe1, 0, 2], 'image/jpeg'],
  ['a scan of stuffed zeros', jpeg().subarray(0, -60), [0xff, 0], 'image/jpeg'],
  ['empty chunks', png().subarray(0, 33), [0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0, 0, 0, 0], 'image/png'],
];
for (const [what, start, filling, declared] of slow)
  test(`a file that consists only of ${what} is refused`, (t) => {
    const bytes = Buffer.concat([start, Buffer.alloc(IMAGE_BYTES_MAX - start.length, Buffer.from(filling))]);
    const before = process.cpuUsage();
    assert.equal(cleanImage(bytes, declared), 'not-an-image');
    const { user, system } = process.cpuUsage(before);
    t.diagnostic(`${user + system} µs of processor time (aim ${TURN_US_AIM} µs)`);
  });

const hidden = Buffer.from(SECRET_PLACE);
const at = (bytes: Buffer, name: string | Buffer): number => bytes.indexOf(name);
const inserted = (bytes: Buffer, position: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, position), ...parts, bytes.subarray(position)]);
const startOf = (marker: number): number => at(jpeg(), Buffer.from([0xff, marker]));
/** The image with a segment whose contents are followed by others. */
const longer = (marker: number): Buffer => {
  const bytes = jpeg();
  const start = startOf(marker);
  const length = bytes.readUInt16BE(start + 2);
  const data = bytes.subarray(start + 4, start + 2 + length);
  return Buffer.concat([
    bytes.subarray(0, start),
    segment(marker, Buffer.concat([data, hidden])),
    bytes.subarray(start + 2 + length),
  ]);
};
const longerWebp = (() => {
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', Buffer.concat([webp().subarray(20, 30), hidden])),
    webp().subarray(at(webp(), 'VP8L')),
  ]);
  return riffChunk('RIFF', body);
})();

const hiding: [what: string, bytes: Buffer, type: string][] = [
  ...[0xc0, 0xc4, 0xda, 0xdb].map((marker): [string, Buffer, string] => [
    `a JPEG segment ${marker.toString(16)}`,
    longer(marker),
    'image/jpeg',
  ]),
  ['a restart interval', inserted(jpeg(), startOf(0xdb), segment(0xdd, hidden)), 'image/jpeg'],
  ['a number of lines', inserted(jpeg(), startOf(0xdb), segment(0xdc, hidden)), 'image/jpeg'],
  [
    'many restart intervals',
    inserted(jpeg(), startOf(0xdb), ...Array.from({ length: 20 }, () => segment(0xdd, Buffer.from('GP')))),
    'image/jpeg',
  ],
  [
    'a PNG header',
    inserted(
      png().subarray(0, 8),
      8,
      chunk('IHDR', Buffer.concat([png().subarray(16, 29), hidden])),
      png().subarray(33),
    ),
    'image/png',
  ],
  ...['sRGB', 'gAMA', 'PLTE', 'tRNS'].map((name): [string, Buffer, string] => [
    `the PNG chunk ${name}`,
    inserted(png(), 33, chunk(name, hidden)),
    'image/png',
  ]),
  [
    'a repeated PNG chunk',
    inserted(png(), 33, ...Array.from({ length: 9 }, () => chunk('gAMA', Buffer.from('GPS!')))),
    'image/png',
  ],
  ['the end of a PNG', Buffer.concat([png().subarray(0, -12), chunk('IEND', hidden)]), 'image/png'],
  ['the extended header of a WebP', longerWebp, 'image/webp'],
  [
    'transparency after a WebP',
    riffChunk('RIFF', Buffer.concat([webp().subarray(8), riffChunk('ALPH', hidden)])),
    'image/webp',
  ],
];
for (const [what, bytes, type] of hiding)
  test(`a file that hides data in ${what} is refused`, () =>
    assert.equal(cleanImage(bytes, type), 'not-an-image'));

test('reserved bits and padding of a WebP are emptied', () => {
  const bytes = webp();
  bytes.writeUIntLE(0xabcdef, 21, 3);
  const padding = at(bytes, 'VP8L') + 8 + 21;
  bytes.writeUInt8(0x41, padding);
  assert.deepEqual(clean(bytes, 'image/webp').content, clean(webp(), 'image/webp').content);
});

test('a second colour segment of a JPEG is removed', () => {
  const second = segment(0xe0, Buffer.from('JFIF\0GPSGPSGPS', 'latin1'));
  const bytes = inserted(jpeg(), startOf(0xdb), second, second);
  assert.deepEqual(clean(bytes, 'image/jpeg').content, clean(jpeg(), 'image/jpeg').content);
});
