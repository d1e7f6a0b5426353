import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { AddressesError } from '../geocoding/embedded/addressesError.ts';
import { readOsmAddresses } from '../geocoding/embedded/readOsmAddresses.ts';
import { surveyExtract } from './extract.ts';
import { RoadsError } from './valhallaConfig.ts';

/* Small files whose contents unpack to far more. Each entry is a byte or two of zeros, which compress to nothing. */

const folder = await mkdtemp(join(tmpdir(), 'malote-extracts-'));
after(() => rm(folder, { recursive: true, force: true }));

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) | 0x80);
    if (left < 128) return Buffer.from(bytes);
  }
};
const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);

function blob(type: string, content: Buffer): Buffer {
  const body = field(3, deflateSync(content));
  const header = Buffer.concat([field(1, Buffer.from(type)), varint(3 * 8), varint(body.length)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, body]);
}

const ignore = (): undefined => undefined;
/** Takes whatever is read. */
const sink = Object.fromEntries(
  ['add', 'skip', 'rest'].map((name) => [name, ignore]),
) as unknown as Parameters<typeof readOsmAddresses>[1];

const MANY = 2_000_000;
const repeated = (entry: Buffer): Buffer => Buffer.alloc(MANY * entry.length, entry);
const group = (content: Buffer): Buffer => field(2, content);

const blocks: [what: string, block: Buffer][] = [
  ['dense nodes', group(field(2, field(1, Buffer.alloc(MANY))))],
  ['numbers in one list', group(field(2, field(1, Buffer.alloc(10 * MANY))))],
  ['plain nodes', group(repeated(field(1, Buffer.alloc(0))))],
  ['groups', repeated(field(2, Buffer.alloc(0)))],
  ['strings', field(1, repeated(field(1, Buffer.alloc(0))))],
];

for (const [what, block] of blocks)
  test(`an extract with millions of ${what} in one block is refused in one line`, async () => {
    const path = join(folder, `${what.replaceAll(' ', '-')}.osm.pbf`);
    await writeFile(path, Buffer.concat([blob('OSMHeader', Buffer.alloc(0)), blob('OSMData', block)]));
    await assert.rejects(surveyExtract(path), (error) => {
      assert.ok(error instanceof RoadsError, String(error));
      return /^[^\n]+is damaged: a part has too many \w+\.$/.test(error.message);
    });
    await assert.rejects(
      readOsmAddresses(path, sink, () => undefined),
      AddressesError,
    );
  });

const place = group(field(2, Buffer.concat([field(1, varint(2)), field(8, varint(2)), field(9, varint(2))])));
/** A field of a wire type that does not exist. */
const NONSENSE = Buffer.from([0x0f]);

for (const [what, nonsense] of [
  ['a block that is no block', group(NONSENSE)],
  // The survey reads no ways.
  ['a way that is no way', group(field(3, NONSENSE))],
] as const)
  test(`${what} is refused in one line, wherever it is in the file`, async () => {
    const path = join(folder, 'nonsense.osm.pbf');
    const blobs = [blob('OSMHeader', Buffer.alloc(0)), blob('OSMData', place), blob('OSMData', nonsense)];
    await writeFile(path, Buffer.concat(blobs));
    await assert.rejects(
      readOsmAddresses(path, sink, () => undefined),
      (error) => {
        assert.ok(error instanceof AddressesError, String(error));
        return !error.message.includes('\n');
      },
    );
  });

test('a block that inflates to more than blocks may have is refused before it is in memory', async () => {
  const path = join(folder, 'inflating.osm.pbf');
  const bomb = blob('OSMData', group(Buffer.alloc(33 * 1024 * 1024)));
  await writeFile(path, Buffer.concat([blob('OSMHeader', Buffer.alloc(0)), blob('OSMData', place), bomb]));
  await assert.rejects(surveyExtract(path), (error) => {
    assert.ok(error instanceof RoadsError, String(error));
    return /^[^\n]+is damaged: [^\n]*larger than 33554432 bytes[^\n]*$/.test(error.message);
  });
});
