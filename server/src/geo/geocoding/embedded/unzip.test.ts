import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AddressesError } from './addressesError.ts';
import { openZip } from './unzip.ts';

const folder = await mkdtemp(join(tmpdir(), 'malote-zip-'));
after(() => rm(folder, { recursive: true, force: true }));

/** A directory of entries that all have the same contents, at the beginning of the file. */
function directoryOf(count: number, packedBytes: number, extra = Buffer.alloc(0)): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packedBytes, 20);
  entry.writeUInt16LE(extra.length, 30);
  const directory = Buffer.concat(Array.from({ length: count }, () => Buffer.concat([entry, extra])));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(1_000, 16);
  return Buffer.concat([Buffer.alloc(1_000), directory, end]);
}

/** The same with 64-bit counts, as a directory of many entries needs. */
function largeDirectoryOf(count: number): Buffer {
  const entry = directoryOf(1, 0).subarray(1_000, 1_046);
  const whole = Buffer.alloc(count * entry.length, entry);
  const end = Buffer.alloc(56 + 20 + 22);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(count), at);
  end.writeBigUInt64LE(BigInt(whole.length), 40);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(whole.length), 64);
  end.writeUInt32LE(1, 72);
  end.writeUInt32LE(0x06054b50, 76);
  end.fill(0xff, 84, 96);
  return Buffer.concat([whole, end]);
}

for (const [what, bytes] of [
  ['more entries than Brazil has municipalities, by far', largeDirectoryOf(100_001)],
  ['hundreds of entries with the same contents', directoryOf(600, 900)],
  ['a length that leads out of its field', directoryOf(1, 0xffffffff, Buffer.from([1, 0, 4, 0, 1, 2, 3, 4]))],
] as const)
  test(`a zip file with ${what} is refused in one line`, async () => {
    const path = join(folder, 'hostile.zip');
    await writeFile(path, bytes);
    await assert.rejects(openZip(path), (error) => {
      assert.ok(error instanceof AddressesError, String(error));
      return /damaged/.test(error.message) && !error.message.includes('\n');
    });
  });
