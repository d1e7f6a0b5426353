import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { METRES_PER_DEGREE } from '../../../platform/kernel/position.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { announceAddressesChanged } from '../../../platform/postgres/registerCache.ts';
import type { ImportProgress } from '../../routing/importRoads.ts';
import { AddressesError } from './addressesError.ts';
import type { AddressRow, RowSink, SkipReason } from './addressRow.ts';
import {
  type AddressCounts,
  type AddressSet,
  type AddressSource,
  analyzeAddresses,
  type DistrictRecord,
  deleteOtherSets,
  deleteSet,
  findCurrentSet,
  IMPORT_LOCK,
  insertDistricts,
  insertSet,
  insertStreets,
  insertWords,
  switchToSet,
} from './addressSetStore.ts';
import { municipalityByCode } from './municipalities.ts';
import { readCnefe } from './readCnefe.ts';
import { readOsmAddresses } from './readOsmAddresses.ts';
import { placeTokens, StreetDrafts, type StreetRecord } from './streetDrafts.ts';

export interface ImportAddressesOptions {
  db: Database;
  clock: Clock;
  /**
   * csv or zip files of CNEFE, and OpenStreetMap extracts (.osm.pbf). Together they replace what was imported before.
   */
  files: readonly string[];
  onProgress?: (progress: ImportProgress) => void;
  signal?: AbortSignal;
}

/** The number of addresses held in memory before they are written. */
const HELD_MAX = 300_000;
const STREETS_PER_STATEMENT = 1000;
const WORDS_PER_STATEMENT = 5000;

/**
 * Imports addresses into a new set and makes it current; until then look-ups read the old one, so an import may fail
 * or be stopped at any time. Rejects with an AddressesError that explains the failure to a user.
 */
export async function importAddresses(options: ImportAddressesOptions): Promise<AddressSet> {
  const { db, clock, files, onProgress = () => {}, signal } = options;
  const sources = await Promise.all(files.map(sourceOf));
  const totalBytes = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const named = sources.map(({ name, kind }) => ({ name, kind }));
  return oneAtATime(db, async () => {
    const load = await beginLoad(db, clock, named, signal);
    try {
      let before = 0;
      for (const { path, kind, bytes } of sources) {
        const onBytes = (read: number): void => {
          const percent = Math.floor(((before + Math.min(read, bytes)) / totalBytes) * 90);
          onProgress({ stage: `reading ${basename(path)}`, percent });
        };
        onBytes(0);
        await (kind === 'CNEFE' ? readCnefe : readOsmAddresses)(path, load, onBytes);
        before += bytes;
      }
      onProgress({ stage: 'writing the index of words', percent: 92 });
      const set = await load.finish();
      onProgress({ stage: 'removing the old addresses', percent: 97 });
      await deleteOtherSets(db.unhurried);
      onProgress({ stage: 'in use', percent: 100 });
      return set;
    } catch (error) {
      await deleteSet(db.unhurried, load.setId).catch(() => {});
      throw explained(error);
    }
  });
}

interface Load extends RowSink {
  setId: number;
  /** Writes the remaining addresses and makes the set current. */
  finish(): Promise<AddressSet>;
}

/** Takes rows and writes them into a new set, in steps. */
export async function beginLoad(
  db: Database,
  clock: Clock,
  sources: readonly AddressSource[],
  signal?: AbortSignal,
): Promise<Load> {
  const drafts = new StreetDrafts();
  const words = new Map<string, number>();
  const districts = new Map<string, DistrictDraft>();
  const counts: AddressCounts = { read: 0, addresses: 0, streets: 0, districts: 0, skipped: {} };
  const setId = await insertSet(db, sources, clock.now());
  const use = (tokens: readonly string[]): void => {
    for (const token of tokens) words.set(token, (words.get(token) ?? 0) + 1);
  };

  async function write(): Promise<void> {
    let batch: StreetRecord[] = [];
    const send = async (): Promise<void> => {
      if (signal?.aborted)
        throw new AddressesError('The import was stopped; the addresses in use are unchanged.');
      await insertStreets(db.unhurried, setId, batch);
      counts.streets += batch.length;
      batch = [];
    };
    for (const street of drafts.drain()) {
      use(street.tokens);
      addToDistrict(districts, street);
      batch.push(street);
      if (batch.length === STREETS_PER_STATEMENT) await send();
    }
    if (batch.length) await send();
  }

  return {
    setId,
    add(row: AddressRow) {
      counts.read++;
      if (!municipalityByCode(row.municipality)) {
        countSkipped(counts, 'in an unknown municipality');
        return;
      }
      counts.addresses++;
      drafts.add(row);
    },
    skip(reason) {
      counts.read++;
      countSkipped(counts, reason);
    },
    async rest() {
      if (signal?.aborted || drafts.size >= HELD_MAX) await write();
    },
    async finish() {
      await write();
      if (counts.streets === 0)
        throw new AddressesError(`The files hold no address that can be used: ${describeSkipped(counts)}.`);
      const found = Array.from(districts.values(), toDistrict);
      counts.districts = found.length;
      for (const { tokens } of found) use(tokens);
      for (const part of chunks(found, STREETS_PER_STATEMENT))
        await insertDistricts(db.unhurried, setId, part);
      for (const part of chunks([...words], WORDS_PER_STATEMENT))
        await insertWords(db.unhurried, setId, part);
      await analyzeAddresses(db.unhurried);
      await db.begin(async (tx) => {
        await switchToSet(tx, setId, counts, clock.now());
        announceAddressesChanged(tx);
      });
      return (await findCurrentSet(db))!;
    },
  };
}

const countSkipped = ({ skipped }: AddressCounts, reason: SkipReason): void => {
  skipped[reason] = (skipped[reason] ?? 0) + 1;
};

export const describeSkipped = ({ skipped }: Pick<AddressCounts, 'skipped'>): string =>
  Object.entries(skipped)
    .map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`)
    .join(', ') || 'none';

interface DistrictDraft {
  municipality: number;
  name: string;
  count: number;
  lat: number;
  lng: number;
  south: number;
  north: number;
  west: number;
  east: number;
}

function addToDistrict(districts: Map<string, DistrictDraft>, street: StreetRecord): void {
  const { municipality, district: name, addressCount, position } = street;
  if (name === '') return;
  const key = `${municipality}|${name}`;
  const draft = districts.get(key);
  const { lat, lng } = position;
  if (!draft) {
    const sides = { south: lat, north: lat, west: lng, east: lng };
    districts.set(key, { municipality, name, count: addressCount, lat, lng, ...sides });
    return;
  }
  const share = addressCount / (draft.count + addressCount);
  draft.count += addressCount;
  draft.lat += (lat - draft.lat) * share;
  draft.lng += (lng - draft.lng) * share;
  draft.south = Math.min(draft.south, lat);
  draft.north = Math.max(draft.north, lat);
  draft.west = Math.min(draft.west, lng);
  draft.east = Math.max(draft.east, lng);
}

const toDistrict = (draft: DistrictDraft): DistrictRecord => ({
  municipality: draft.municipality,
  name: draft.name,
  tokens: placeTokens(draft.name, draft.municipality),
  lat: draft.lat,
  lng: draft.lng,
  radiusMetres: Math.max(
    300,
    Math.round((Math.hypot(draft.north - draft.south, draft.east - draft.west) / 2) * METRES_PER_DEGREE),
  ),
  addressCount: draft.count,
});

function chunks<Each>(list: readonly Each[], size: number): Each[][] {
  const parts: Each[][] = [];
  for (let start = 0; start < list.length; start += size) parts.push(list.slice(start, start + size));
  return parts;
}

/** Refuses files that cannot be imported, before anything else is done. */
export async function assertImportable(files: readonly string[]): Promise<void> {
  await Promise.all(files.map(sourceOf));
}

async function sourceOf(path: string): Promise<AddressSource & { path: string; bytes: number }> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new AddressesError(`There is no file ${path}.`);
    throw new AddressesError(`${path} cannot be read: ${error.message}.`);
  });
  if (!found.isFile()) throw new AddressesError(`${path} is not a file.`);
  const kind = /\.pbf$/i.test(path) ? 'OpenStreetMap' : /\.(csv|zip)$/i.test(path) ? 'CNEFE' : undefined;
  if (!kind) throw new AddressesError(`${path} must end in .csv, .zip (CNEFE) or .osm.pbf (OpenStreetMap).`);
  return { path, name: basename(path), kind, bytes: Math.max(1, found.size) };
}

/** The lock ends with its connection, so a killed import does not block others. */
async function oneAtATime<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${IMPORT_LOCK}) as taken`,
    );
    if (!rows[0]?.taken) throw new AddressesError('Another import of addresses is running.');
    return await work();
  } finally {
    await client.query(`select pg_advisory_unlock(${IMPORT_LOCK})`).catch(() => {});
    client.release();
  }
}

function explained(error: unknown): unknown {
  const code = (error as { code?: string }).code;
  if (code === '53100' || code === 'ENOSPC')
    return new AddressesError('The disk is full; the addresses in use are unchanged.');
  if (code === '42501') return new AddressesError('The database user may not write the tables of addresses.');
  return error;
}
