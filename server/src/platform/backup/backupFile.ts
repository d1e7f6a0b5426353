import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';

/*
 * A backup is one file, compressed with zstd: a line that names the format, then frames. A frame is a length and that
 * many bytes. The first frame describes the backup. Each table is a frame with its columns, frames with rows as
 * PostgreSQL's COPY writes them, and an empty frame. The last frame counts the rows and holds a digest of all frames
 * before it, so that a truncated or damaged file is detected.
 */

const MAGIC = Buffer.from('malote backup 1\n');
const LENGTH_BYTES = 4;
/** Far larger than the chunks of COPY, which are one row or less. A frame is held in memory as a whole. */
const FRAME_BYTES_MAX = 32 * 1024 * 1024;

export interface BackupHeader {
  /** ISO 8601, UTC. */
  takenAt: string;
  /** The migrations that had been applied, in their order. */
  migrations: readonly string[];
}

export interface TableHeader {
  table: string;
  columns: readonly string[];
}

export interface BackupEnd {
  rows: number;
  sha256: string;
}

/** The file is not a backup, or is incomplete or damaged. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

export interface BackupWriter {
  table(header: TableHeader, chunks: AsyncIterable<Buffer>): Promise<void>;
}

/** The file gets its name only when all of it is on the disk. */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  fill: (writer: BackupWriter) => Promise<{ rows: number }>,
): Promise<void> {
  const draft = `${path}.part`;
  const compressed = createZstdCompress();
  const written = pipeline(compressed, createWriteStream(draft, { flush: true, mode: 0o600 }));
  const digest = createHash('sha256');
  const put = async (bytes: Buffer): Promise<void> => {
    digest.update(bytes);
    if (!compressed.write(bytes)) await Promise.race([once(compressed, 'drain'), written]);
  };
  const frame = async (bytes: Buffer): Promise<void> => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(bytes.length);
    await put(length);
    if (bytes.length > 0) await put(bytes);
  };
  const json = (value: object): Promise<void> => frame(Buffer.from(JSON.stringify(value)));
  const fillAll = async (): Promise<void> => {
    await put(MAGIC);
    await json(header);
    const { rows } = await fill({
      async table(tableHeader, chunks) {
        await json(tableHeader);
        for await (const chunk of chunks) await frame(chunk);
        await frame(Buffer.alloc(0));
      },
    });
    await json({ rows, sha256: digest.copy().digest('hex') } satisfies BackupEnd);
    compressed.end();
  };
  try {
    await Promise.all([
      written,
      fillAll().catch((error: Error) => {
        compressed.destroy(error);
        throw error;
      }),
    ]);
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Flushes the folder: otherwise a crash of the machine may undo the renaming. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export interface BackupReader {
  header: BackupHeader;
  /** Each table once; its rows must be read before the next table. Fails at the end if the file is not complete. */
  tables: AsyncGenerator<{ header: TableHeader; chunks: AsyncGenerator<Buffer> }, BackupEnd>;
}

export async function readBackupFile<Result>(
  path: string,
  read: (reader: BackupReader) => Promise<Result>,
): Promise<Result> {
  const source = createReadStream(path);
  const unpacked = createZstdDecompress();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    return await read(await readFrames(unpacked));
  } catch (error) {
    if (isCompressionFault(error)) throw new BackupDamaged('it cannot be decompressed');
    throw error;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

const isCompressionFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ZSTD_|Z_|ERR_ZSTD)/.test(String(error.code));

async function readFrames(unpacked: AsyncIterable<Buffer>): Promise<BackupReader> {
  const digest = createHash('sha256');
  const take = byteReader(unpacked);
  const frame = async (): Promise<{ bytes: Buffer; before: string }> => {
    const before = digest.copy().digest('hex');
    const length = await take(LENGTH_BYTES);
    const count = length.readUInt32BE();
    if (count > FRAME_BYTES_MAX) throw new BackupDamaged('it names an impossible length');
    const bytes = await take(count);
    digest.update(length).update(bytes);
    return { bytes, before };
  };
  const magic = await take(MAGIC.length);
  if (!magic.equals(MAGIC)) throw new BackupDamaged('it is not a backup of Malote');
  digest.update(magic);

  async function* rows(): AsyncGenerator<Buffer> {
    for (let { bytes } = await frame(); bytes.length > 0; { bytes } = await frame()) yield bytes;
  }
  async function* tables(): BackupReader['tables'] {
    for (;;) {
      const { bytes, before } = await frame();
      const described = parse<TableHeader | BackupEnd>(
        bytes,
        (value) => 'sha256' in value || (typeof value.table === 'string' && isTexts(value.columns)),
      );
      if ('table' in described) {
        yield { header: described, chunks: rows() };
      } else {
        if (described.sha256 !== before) throw new BackupDamaged('its contents have changed');
        return described;
      }
    }
  }
  const header = parse<BackupHeader>(
    (await frame()).bytes,
    (value) => typeof value.takenAt === 'string' && isTexts(value.migrations),
  );
  return { header, tables: tables() };
}

function parse<Value>(bytes: Buffer, isRight: (value: Record<string, unknown>) => boolean): Value {
  try {
    const value = JSON.parse(bytes.toString()) as Record<string, unknown>;
    if (isRight(value)) return value as Value;
  } catch {
    // Refused below.
  }
  throw new BackupDamaged('a description in it cannot be read');
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Reads a whole file, so that damage is found before anything is changed. */
export const verifyBackupFile = (path: string): Promise<void> =>
  readBackupFile(path, async ({ tables }) => {
    for await (const { chunks } of tables) for await (const _chunk of chunks);
  });

/** Returns a function that reads exactly the given number of bytes from a stream of chunks. */
function byteReader(source: AsyncIterable<Buffer>): (count: number) => Promise<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let heldBytes = 0;
  return async (count) => {
    while (heldBytes < count) {
      const next = await chunks.next();
      if (next.done) throw new BackupDamaged('it ends too early');
      held.push(next.value);
      heldBytes += next.value.length;
    }
    const all = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [all.subarray(count)];
    heldBytes -= count;
    return all.subarray(0, count);
  };
}
