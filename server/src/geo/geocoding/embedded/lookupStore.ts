import type { Position } from '../../kernel/position.ts';
import type { Tx } from '../../postgres/database.ts';

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
  radius_metres: number;
  address_count: number;
}

const COLUMNS = 'id, municipality, district, name, tokens, postcodes, lat, lng, radius_metres, address_count';

const toStreet = (row: StreetRow): Street => ({
  id: row.id,
  municipality: row.municipality,
  district: row.district,
  name: row.name,
  tokens: row.tokens,
  postcodes: row.postcodes,
  position: { lat: row.lat, lng: row.lng },
  radiusMetres: row.radius_metres,
  addressCount: row.address_count,
});

export async function findCurrentSetId(tx: Tx): Promise<number | null> {
  const [row] = await tx<{ id: number }>`select id from address_sets where is_current`;
  return row?.id ?? null;
}

/** Words that share a variant with one of the given: the same ones, and those with a typing error. */
export const findWordsLike = (tx: Tx, setId: number, variants: readonly string[]): Promise<KnownWord[]> =>
  tx<KnownWord>`
    select word, uses from address_words where set_id = ${setId} and variants && ${variants}::text[]`;

/** The most frequent words with this prefix. */
export const findWordsFrom = (tx: Tx, setId: number, prefix: string, limit: number): Promise<KnownWord[]> =>
  // Words are of a-z and 0-9, and "~" comes after all of them.
  tx<KnownWord>`
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

export async function findStreets(tx: Tx, setId: number, filter: StreetFilter): Promise<Street[]> {
  const values: unknown[] = [setId, filter.limit];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = filter.words.map((words) => `and tokens && ${parameter(words)}::text[]`);
  if (filter.municipality !== undefined)
    conditions.push(`and municipality = ${parameter(filter.municipality)}::integer`);
  const { near } = filter;
  const order = near
    ? `(lat - ${parameter(near.lat)}::float8) ^ 2 + ((lng - ${parameter(near.lng)}::float8) * ${parameter(
        Math.cos((near.lat * Math.PI) / 180),
      )}::float8) ^ 2`
    : 'address_count desc';
  const rows = await tx.run<StreetRow>(
    `select ${COLUMNS} from address_streets
     where set_id = $1 ${conditions.join(' ')} order by ${order}, id limit $2`,
    values,
  );
  return rows.map(toStreet);
}

export async function findStreetsByPostcode(
  tx: Tx,
  setId: number,
  postcode: number,
  limit: number,
): Promise<Street[]> {
  const rows = await tx.run<StreetRow>(
    `select ${COLUMNS} from address_streets
     where set_id = $1 and postcodes @> array[$2::integer] order by address_count desc, id limit $3`,
    [setId, postcode, limit],
  );
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
  const rows = await tx.run<StreetRow>(
    `select ${COLUMNS} from address_streets
     where set_id = $1 and extent && box(point($2, $3), point($4, $5)) order by area(extent), id limit $6`,
    [setId, west, south, east, north, limit],
  );
  return rows.map(toStreet);
}

/** The packed numbers of streets, by their ids. */
export async function findNumbers(
  tx: Tx,
  setId: number,
  ids: readonly number[],
): Promise<Map<number, Buffer>> {
  const rows = await tx<{ id: number; numbers: Buffer }>`
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
  radius_metres: number;
}

/** Districts with at least one word of each list, the largest first. */
export async function findDistricts(
  tx: Tx,
  setId: number,
  words: readonly (readonly string[])[],
  municipality: number | undefined,
  limit: number,
): Promise<District[]> {
  const values: unknown[] = [setId, limit];
  const conditions = words.map((each) => `and tokens && $${values.push(each)}::text[]`);
  if (municipality !== undefined)
    conditions.push(`and municipality = $${values.push(municipality)}::integer`);
  const rows = await tx.run<DistrictRow>(
    `select municipality, name, tokens, lat, lng, radius_metres from address_districts
     where set_id = $1 ${conditions.join(' ')} order by address_count desc limit $2`,
    values,
  );
  return rows.map(({ lat, lng, radius_metres, ...row }) => ({
    ...row,
    position: { lat, lng },
    radiusMetres: radius_metres,
  }));
}
