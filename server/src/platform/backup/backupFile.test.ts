import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { BackupDamaged, verifyBackupFile } from './backupFile.ts';

const folder = await mkdtemp(join(tmpdir(), 'malote-backup-'));
after(() => rm(folder, { recursive: true, force: true }));

const frame = (bytes: Buffer, length = bytes.length): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  return Buffer.concat([head, bytes]);
};
const json = (value: unknown): Buffer => frame(Buffer.from(JSON.stringify(value)));
const HEADER = { takenAt: '2026-11-16T15:00:00Z', migrations: [] };

const files: [what: string, frames: Buffer[], said: RegExp][] = [
  ['a frame of 200 MB', [json(HEADER), frame(Buffer.alloc(1_000), 200_000_000)], /impossible length/],
  ['a description that is no object', [json(HEADER), json(null)], /cannot be read/],
  ['a header that is a number', [json(7)], /cannot be read/],
  [
    'a table without columns',
    [json(HEADER), json({ table: 'stops' }), frame(Buffer.alloc(0))],
    /cannot be read/,
  ],
];
for (const [what, frames, said] of files)
  test(`a backup with ${what} is refused in one line`, async () => {
    const path = join(folder, 'hostile.backup');
    await writeFile(path, zstdCompressSync(Buffer.concat([Buffer.from('malote backup 1\n'), ...frames])));
    await assert.rejects(verifyBackupFile(path), (error) => {
      assert.ok(error instanceof BackupDamaged, String(error));
      return said.test(error.message);
    });
  });
