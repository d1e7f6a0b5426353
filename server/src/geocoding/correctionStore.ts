import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';

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

interface CorrectionRow extends CorrectionKey {
  street: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
}

/** Corrections of addresses with the same name and number; the rest of their keys may differ. */
export async function findCorrections(
  tx: Tx,
  centralId: number,
  keys: readonly Pick<CorrectionKey, 'words' | 'number'>[],
): Promise<Correction[]> {
  if (keys.length === 0) return [];
  const rows = await tx<CorrectionRow>`
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

/** The latest correction of an address replaces the one before. */
export async function upsertCorrection(
  tx: Tx,
  centralId: number,
  { key, street, city, state, position }: Correction,
  origin: CorrectionOrigin,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into address_corrections
      (central_id, words, number, municipality, type, district, street, city, state, lat, lng, origin, corrected_at)
    values (${centralId}, ${key.words}, ${key.number}, ${key.municipality}, ${key.type}, ${key.district}, ${street},
      ${city}, ${state}, ${position.lat}, ${position.lng}, ${origin}, ${now})
    on conflict (central_id, words, number, municipality, type, district) do update set
      street = excluded.street, city = excluded.city, state = excluded.state, lat = excluded.lat, lng = excluded.lng,
      origin = excluded.origin, corrected_at = excluded.corrected_at`;
}
