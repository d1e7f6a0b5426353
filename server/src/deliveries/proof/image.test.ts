import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jpeg, png, SECRET_PLACE, webp } from '../../../test/support/images.ts';
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
