import type { Page } from '../../platform/kernel/page.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';

/** The key by which a repeated address is recognised. */
export interface CorrectionKey {
  words: string;
  /** 0: none. */
  number: number;
  /** 0: not known. */
  municipality: number;
  /** Empty: not given. */
  type: string;
  district: string;
}

export interface Correction {
  key: CorrectionKey;
  /** As the user wrote it. */
  street: string;
  city: string;
  state: string;
  position: Position;
}

export type CorrectionOrigin = 'operator' | 'driver';

/** Who placed an address, and when. */
export interface CorrectionAuthor {
  origin: CorrectionOrigin;
  userId: number | null;
  at: Temporal.Instant;
}

interface CorrectionRow extends CorrectionKey {
  street: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
}

/** The id of a correction, computed from its key: 48 bits, which JSON represents exactly. */
const ID = sql`('x' || left(encode(sha256(convert_to(
  concat_ws(chr(31), words, number, municipality, type, district), 'UTF8')), 'hex'), 12))::bit(48)::bigint`;

/** Corrections of addresses with the same name and number; the rest of their keys may differ. */
export async function findCorrections(
  tx: Tx,
  centralId: number,
  keys: readonly Pick<CorrectionKey, 'words' | 'number'>[],
): Promise<Correction[]> {
  if (keys.length === 0) return [];
  const rows = await tx.rows<CorrectionRow>`
    select words, number, municipality, type, district, street, city, state, lat, lng
    from address_corrections
    where central_id = ${centralId} and (words, number) in (
      select * from unnest(
        ${keys.map(({ words }) => words)}::text[],
        ${keys.map(({ number }) => number)}::integer[]))
    order by corrected_at desc`;
  return rows.map(({ street, city, state, lat, lng, ...key }) => ({
    key,
    street,
    city,
    state,
    position: { lat, lng },
  }));
}

/**
 * The latest correction of an address replaces the one before. Returns the id of the correction, and the position
 * before. Concurrent corrections of one address wait for each other.
 */
export async function upsertCorrection(
  tx: Tx,
  centralId: number,
  { key, street, city, state, position }: Correction,
  { origin, userId, at }: CorrectionAuthor,
): Promise<{ id: number; before: Position | null }> {
  const { words, number, municipality, type, district } = key;
  const before = await tx.row<Position>`
    select lat, lng from address_corrections
    where central_id = ${centralId} and words = ${words} and number = ${number} and municipality = ${municipality}
      and type = ${type} and district = ${district}
    for update`;
  const row = await tx.row<{ id: number }>`
    insert into address_corrections (central_id, words, number, municipality, type, district, street, city, state,
      lat, lng, origin, corrected_by, corrected_at)
    values (${centralId}, ${words}, ${number}, ${municipality}, ${type}, ${district}, ${street}, ${city}, ${state},
      ${position.lat}, ${position.lng}, ${origin}, ${userId}, ${at})
    on conflict (central_id, words, number, municipality, type, district) do update set
      street = excluded.street, city = excluded.city, state = excluded.state, lat = excluded.lat, lng = excluded.lng,
      origin = excluded.origin, corrected_by = excluded.corrected_by, corrected_at = excluded.corrected_at
    returning ${ID} as id`;
  return { id: row!.id, before: before ?? null };
}

/** A correction as the desk sees it. */
export interface ListedCorrection {
  id: number;
  street: string;
  /** 0: none. */
  number: number;
  district: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
  origin: CorrectionOrigin;
  /** Null: not known, or deleted since. */
  author: string | null;
  at: Temporal.Instant;
}

/** The latest first. `text` is searched in street and city, ignoring case and accents. */
export const listCorrections = (
  tx: Tx,
  centralId: number,
  text: string | null,
  { limit, offset }: Page,
): Promise<ListedCorrection[]> =>
  tx.rows<ListedCorrection>`
    select ${ID} as id, street, number, district, city, state, lat, lng, origin, u.username as author,
      corrected_at as at
    from address_corrections
    left join users u on u.central_id = ${centralId} and u.id = corrected_by
    where address_corrections.central_id = ${centralId}
      and (${text}::text is null
        or position(fold_name(${text}) in fold_name(concat_ws(' ', street, number, city))) > 0)
    order by corrected_at desc, words, number limit ${limit} offset ${offset}`;

/** Returns what was deleted. */
export const deleteCorrection = (
  tx: Tx,
  centralId: number,
  id: number,
): Promise<Pick<ListedCorrection, 'street' | 'number' | 'lat' | 'lng'> | undefined> =>
  tx.row<Pick<ListedCorrection, 'street' | 'number' | 'lat' | 'lng'>>`
    delete from address_corrections where central_id = ${centralId} and ${ID} = ${id}
    returning street, number, lat, lng`;
