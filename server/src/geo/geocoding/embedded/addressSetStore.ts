import type { Tx } from '../../../platform/postgres/database.ts';
import type { StreetRecord } from './streetDrafts.ts';
import { variantsOf } from './wordKey.ts';

// The writes of imports. Look-ups are in lookupStore.ts.

export interface AddressSource {
  name: string;
  kind: 'CNEFE' | 'OpenStreetMap' | 'demonstration';
}

export interface AddressCounts {
  read: number;
  addresses: number;
  streets: number;
  districts: number;
  /** By reason. */
  skipped: Record<string, number>;
}

export interface AddressSet {
  id: number;
  sources: AddressSource[];
  counts: AddressCounts;
  finishedAt: Temporal.Instant;
}

export async function insertSet(
  tx: Tx,
  sources: readonly AddressSource[],
  now: Temporal.Instant,
): Promise<number> {
  const row = await tx.row<{ id: number }>`
    insert into address_sets (sources, started_at) values (${JSON.stringify(sources)}, ${now}) returning id`;
  return row!.id;
}

export async function insertStreets(tx: Tx, setId: number, streets: readonly StreetRecord[]): Promise<void> {
  // Lists of different lengths cannot be unnested together, so tokens and postcodes travel as text.
  await tx.rows`
    insert into address_streets
      (set_id, municipality, district, name, tokens, postcodes, lat, lng, radius_metres, extent, address_count, numbers)
    select ${setId}, municipality, district, name, string_to_array(tokens, ' '),
      string_to_array(postcodes, ' ')::integer[], lat, lng, radius_metres,
      box(point(west, south), point(east, north)), address_count, numbers
    from unnest(
      ${streets.map(({ municipality }) => municipality)}::integer[],
      ${streets.map(({ district }) => district)}::text[],
      ${streets.map(({ name }) => name)}::text[],
      ${streets.map(({ tokens }) => tokens.join(' '))}::text[],
      ${streets.map(({ postcodes }) => postcodes.join(' '))}::text[],
      ${streets.map(({ position }) => position.lat)}::float8[],
      ${streets.map(({ position }) => position.lng)}::float8[],
      ${streets.map(({ radiusMetres }) => radiusMetres)}::integer[],
      ${streets.map(({ bounds }) => bounds.west)}::float8[],
      ${streets.map(({ bounds }) => bounds.south)}::float8[],
      ${streets.map(({ bounds }) => bounds.east)}::float8[],
      ${streets.map(({ bounds }) => bounds.north)}::float8[],
      ${streets.map(({ addressCount }) => addressCount)}::integer[],
      ${streets.map(({ numbers }) => numbers)}::bytea[]
    ) as street (municipality, district, name, tokens, postcodes, lat, lng, radius_metres, west, south, east, north,
      address_count, numbers)`;
}

export interface DistrictRecord {
  municipality: number;
  name: string;
  tokens: string[];
  lat: number;
  lng: number;
  radiusMetres: number;
  addressCount: number;
}

export async function insertDistricts(
  tx: Tx,
  setId: number,
  districts: readonly DistrictRecord[],
): Promise<void> {
  await tx.rows`
    insert into address_districts (set_id, municipality, name, tokens, lat, lng, radius_metres, address_count)
    select ${setId}, municipality, name, string_to_array(tokens, ' '), lat, lng, radius_metres, address_count
    from unnest(
      ${districts.map(({ municipality }) => municipality)}::integer[],
      ${districts.map(({ name }) => name)}::text[],
      ${districts.map(({ tokens }) => tokens.join(' '))}::text[],
      ${districts.map(({ lat }) => lat)}::float8[],
      ${districts.map(({ lng }) => lng)}::float8[],
      ${districts.map(({ radiusMetres }) => radiusMetres)}::integer[],
      ${districts.map(({ addressCount }) => addressCount)}::integer[]
    ) as district (municipality, name, tokens, lat, lng, radius_metres, address_count)`;
}

export async function insertWords(
  tx: Tx,
  setId: number,
  words: readonly (readonly [word: string, uses: number])[],
): Promise<void> {
  await tx.rows`
    insert into address_words (set_id, word, uses, variants)
    select ${setId}, word, uses, string_to_array(variants, ' ')
    from unnest(
      ${words.map(([word]) => word)}::text[],
      ${words.map(([, uses]) => uses)}::integer[],
      ${words.map(([word]) => variantsOf(word).join(' '))}::text[]
    ) as word (word, uses, variants)`;
}

/** From the commit on, every look-up reads this set. */
export async function switchToSet(
  tx: Tx,
  setId: number,
  counts: AddressCounts,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`update address_sets set is_current = false where is_current`;
  await tx.rows`
    update address_sets set is_current = true, counts = ${counts}, finished_at = ${now} where id = ${setId}`;
}

/** Deletes all sets but the current one: earlier ones, and the remains of stopped imports. */
export async function deleteOtherSets(tx: Tx): Promise<void> {
  await tx.rows`delete from address_sets where not is_current`;
}

export async function deleteSet(tx: Tx, setId: number): Promise<void> {
  await tx.rows`delete from address_sets where id = ${setId} and not is_current`;
}

/** Without fresh statistics the planner reads whole tables after a large import. */
export async function analyzeAddresses(tx: Tx): Promise<void> {
  await tx.rows`analyze address_streets, address_districts, address_words`;
}

interface SetRow {
  id: number;
  sources: AddressSource[];
  counts: AddressCounts;
  finishedAt: Temporal.Instant;
}

export async function findCurrentSet(tx: Tx): Promise<AddressSet | null> {
  const row = await tx.row<SetRow>`
    select id, sources, counts, finished_at from address_sets where is_current`;
  return row ? { id: row.id, sources: row.sources, counts: row.counts, finishedAt: row.finishedAt } : null;
}

/** Null when another import holds it. It ends with the connection, so a killed import does not block others. */
export const IMPORT_LOCK = 7_462_552;
