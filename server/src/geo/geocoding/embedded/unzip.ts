import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { AddressesError } from './addressesError.ts';

/** Far more than Brazil has municipalities. */
const ENTRIES_MAX = 100_000;

export interface OpenZip {
  entries: readonly Entry[];
  /** The content of an entry, piece by piece; fails at its end when the checksum differs. */
  unzip(entry: Entry): AsyncGenerator<Buffer>;
  close(): void;
}

/** Reads the directory of a zip file, which stands at its end: a file that is cut short has none. */
export async function openZip(path: string): Promise<OpenZip> {
  const damaged = new AddressesError(`${path} is cut short or damaged: fetch it again.`);
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    // A file that does not exist, or may not be read, is named by the system.
    throw isOfSystem(error) ? error : damaged;
  });
  const close = () => zip.close();
  try {
    const entries = zip.entryCount > ENTRIES_MAX ? [] : await Array.fromAsync(zip.eachEntry());
    // Entries that share their contents would unpack to many times what the file holds.
    const packedBytes = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
    if (entries.length !== zip.entryCount || packedBytes > zip.fileSize) throw damaged;
    return { entries, close, unzip: (entry) => contentOf(zip, entry, path, damaged) };
  } catch {
    close();
    throw damaged;
  }
}

async function* contentOf(
  zip: ZipFile,
  entry: Entry,
  path: string,
  damaged: AddressesError,
): AsyncGenerator<Buffer> {
  if (!entry.canDecodeFileData())
    throw new AddressesError(`${path}: ${entry.fileName} is compressed in a way that is not supported.`);
  let sum = 0;
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      sum = crc32(piece as Buffer, sum);
      yield piece as Buffer;
    }
  } catch {
    throw damaged;
  }
  if (sum !== entry.crc32) throw damaged;
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
