import type { Position } from '../../../platform/kernel/position.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { joined, type Sql, sql } from '../../../platform/postgres/sql.ts';

// Look-ups in the current set, which is reference data without a central.

export interface Street {
  id: number;
  municipality: number;
  district: string;
  name: string;
  tokens: string[];
  /** Eight digits each, without the zeros that some begin with. */
  postcodes: number[];
  position: Position;
  radiusMetres: number;
  addressCount: number;
}

export interface KnownWord {
  word: string;
  uses: number;
}

interface StreetRow {
  id: number;
  municipality: number;
  district: string;
  name: string;
  tokens: string[];
  postcodes: number[];
  lat: number;
  lng: number;
  radiusMetres: number;
  addressCount: number;
}

const STREETS = sql`select id, municipality, district, name, tokens, postcodes, lat, lng, radius_metres, address_count
  from address_streets`;

const toStreet = (row: StreetRow): Street => ({
  id: row.id,
  municipality: row.municipality,
  district: row.district,
  name: row.name,
  tokens: row.tokens,
  postcodes: row.postcodes,
  position: { lat: row.lat, lng: row.lng },
  radiusMetres: row.radiusMetres,
  addressCount: row.addressCount,
});

export async function findCurrentSetId(tx: Tx): Promise<number | null> {
  const row = await tx.row<{ id: number }>`select id from address_sets where is_current`;
  return row?.id ?? null;
}

/** Words that share a variant with one of the given: the same ones, and those with a typing error. */
export const findWordsLike = (tx: Tx, setId: number, variants: readonly string[]): Promise<KnownWord[]> =>
  tx.rows<KnownWord>`
    select word, uses from address_words where set_id = ${setId} and variants && ${variants}::text[]`;

/** The most frequent words with this prefix. */
export const findWordsFrom = (tx: Tx, setId: number, prefix: string, limit: number): Promise<KnownWord[]> =>
  // Words are of a-z and 0-9, and "~" comes after all of them.
  tx.rows<KnownWord>`
    select word, uses from address_words
    where set_id = ${setId} and word >= ${prefix} and word < ${`${prefix}~`}
    order by uses desc, word limit ${limit}`;

export interface StreetFilter {
  /** At least one word of each list. */
  words: readonly (readonly string[])[];
  municipality?: number | undefined;
  /** Streets nearest to it first; otherwise those with most addresses. */
  near?: Position | undefined;
  limit: number;
}

/** Rows of the set with at least one word of each list. */
const isNamed = (
  setId: number,
  words: readonly (readonly string[])[],
  municipality: number | undefined,
): Sql =>
  joined(
    [
      sql`set_id = ${setId}`,
      ...words.map((each) => sql`tokens && ${each}::text[]`),
      ...(municipality === undefined ? [] : [sql`municipality = ${municipality}::integer`]),
    ],
    ' and ',
  );

const distanceTo = ({ lat, lng }: Position): Sql => sql`
  (lat - ${lat}::float8) ^ 2 + ((lng - ${lng}::float8) * ${Math.cos((lat * Math.PI) / 180)}::float8) ^ 2`;

export async function findStreets(
  tx: Tx,
  setId: number,
  { words, municipality, near, limit }: StreetFilter,
): Promise<Street[]> {
  const rows = await tx.rows<StreetRow>`
    ${STREETS} where ${isNamed(setId, words, municipality)}
    order by ${near ? distanceTo(near) : sql`address_count desc`}, id limit ${limit}`;
  return rows.map(toStreet);
}

export async function findStreetsByPostcode(
  tx: Tx,
  setId: number,
  postcode: number,
  limit: number,
): Promise<Street[]> {
  const rows = await tx.rows<StreetRow>`
    ${STREETS} where set_id = ${setId} and postcodes @> array[${postcode}::integer]
    order by address_count desc, id limit ${limit}`;
  return rows.map(toStreet);
}

export interface Window {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** Streets whose bounds touch the window, the smallest first: they run through it most probably. */
export async function findStreetsWithin(
  tx: Tx,
  setId: number,
  { south, west, north, east }: Window,
  limit: number,
): Promise<Street[]> {
  const rows = await tx.rows<StreetRow>`
    ${STREETS} where set_id = ${setId} and extent && box(point(${west}, ${south}), point(${east}, ${north}))
    order by area(extent), id limit ${limit}`;
  return rows.map(toStreet);
}

/** The packed numbers of streets, by their ids. */
export async function findNumbers(
  tx: Tx,
  setId: number,
  ids: readonly number[],
): Promise<Map<number, Buffer>> {
  const rows = await tx.rows<{ id: number; numbers: Buffer }>`
    select id, numbers from address_streets where set_id = ${setId} and id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, numbers }) => [id, numbers]));
}

export interface District {
  municipality: number;
  name: string;
  tokens: string[];
  position: Position;
  radiusMetres: number;
}

interface DistrictRow {
  municipality: number;
  name: string;
  tokens: string[];
  lat: number;
  lng: number;
  radiusMetres: number;
}

/** Districts with at least one word of each list, the largest first. */
export async function findDistricts(
  tx: Tx,
  setId: number,
  words: readonly (readonly string[])[],
  municipality: number | undefined,
  limit: number,
): Promise<District[]> {
  const rows = await tx.rows<DistrictRow>`
    select municipality, name, tokens, lat, lng, radius_metres from address_districts
    where ${isNamed(setId, words, municipality)} order by address_count desc limit ${limit}`;
  return rows.map(({ lat, lng, radiusMetres, ...row }) => ({
    ...row,
    position: { lat, lng },
    radiusMetres,
  }));
}
