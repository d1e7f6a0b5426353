import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import {
  type Correction,
  type CorrectionKey,
  type CorrectionOrigin,
  findCorrections,
  upsertCorrection,
} from './correctionStore.ts';
import { findMunicipality, municipalityByCode } from './embedded/municipalities.ts';
import { parseAddress } from './embedded/parseAddress.ts';
import { likenessOf } from './embedded/scoreStreet.ts';
import { standardiseName, titleCase, wordsOf } from './embedded/standardise.ts';
import { wordKey } from './embedded/wordKey.ts';
import type { AddressParts, FoundAddress, Geocoder } from './geocoder.ts';

const SOURCE = 'correction';
/** A person was there or placed it on the map. */
const ERROR_METRES = 10;
const SAME_DISTRICT = 0.5;

/** Whether the address has a street, by which corrections are recognised. */
export const namesStreet = (parts: AddressParts): boolean => keyOf(parts).words !== '';

/** Stores the position of an address as corrected by a user of the central. */
export async function saveCorrection(
  tx: Tx,
  centralId: number,
  parts: AddressParts,
  position: Position,
  origin: CorrectionOrigin,
  now: Temporal.Instant,
): Promise<FoundAddress> {
  const key = keyOf(parts);
  if (key.words === '') throw new Refusal('address-without-street');
  const municipality = municipalityByCode(key.municipality);
  const correction: Correction = {
    key,
    street: streetOf(parts.line),
    city: municipality?.name ?? parts.city ?? '',
    state: municipality?.state ?? parts.state ?? '',
    position,
  };
  await upsertCorrection(tx, centralId, correction, origin, now);
  return toFound(correction);
}

/** A geocoder that answers with the central's corrections first. */
export function correctedGeocoder(db: Tx, centralId: number, inner: Geocoder): Geocoder {
  const corrected = async (key: CorrectionKey): Promise<FoundAddress | null> => {
    if (key.words === '') return null;
    const found = await findCorrections(db, centralId, [key]);
    const correction = found.find((each) => isSame(each.key, key));
    return correction ? toFound(correction) : null;
  };
  return {
    name: inner.name,
    async geocode(parts) {
      const known = await corrected(keyOf(parts));
      if (known) return known;
      const found = await inner.geocode(parts);
      // A misspelled address is recognised by the address that was found for it.
      return (found && found.street !== '' && (await corrected(keyOfFound(found)))) || found;
    },
    async search(text, near, limit) {
      const [known, found] = await Promise.all([
        corrected(keyOf({ line: text, near })),
        inner.search(text, near, limit),
      ]);
      const keys = found.map(keyOfFound);
      const corrections = await findCorrections(db, centralId, keys);
      const answers = found.map((answer, index) => {
        const correction = corrections.find(({ key }) => isSame(key, keys[index]!));
        return correction ? { ...answer, ...placeOf(correction) } : answer;
      });
      const isAmong =
        known && answers.some(({ position }) => JSON.stringify(position) === JSON.stringify(known.position));
      return (known && !isAmong ? [known, ...answers] : answers).slice(0, limit);
    },
    reverse: (position) => inner.reverse(position),
  };
}

function keyOf({ line, district, city, state, near }: AddressParts): CorrectionKey {
  const parsed = parseAddress(line);
  const municipality = city
    ? findMunicipality(city, state, near)
    : parsed.places
        .toReversed()
        .map((place) => findMunicipality(place, state ?? parsed.state?.code, near))
        .find((found) => found !== undefined);
  return {
    words: parsed.words.map(wordKey).join(' '),
    number: parsed.number ?? 0,
    municipality: municipality?.code ?? 0,
    type: parsed.type ?? '',
    district: standardiseName(district ?? ''),
  };
}

const keyOfFound = ({ street, number, district, city, state }: FoundAddress): CorrectionKey =>
  keyOf({ line: number === null ? street : `${street}, ${number}`, district, city, state });

/** Fields that both have must be equal; fields that one of them lacks are ignored. */
function isSame(a: CorrectionKey, b: CorrectionKey): boolean {
  if (a.words !== b.words || a.number !== b.number) return false;
  if (a.municipality && b.municipality && a.municipality !== b.municipality) return false;
  if (a.type && b.type && a.type !== b.type) return false;
  if (!a.district || !b.district) return true;
  return likenessOf(wordsOf(a.district), wordsOf(b.district)) >= SAME_DISTRICT;
}

const placeOf = ({ position }: Correction) => ({
  position,
  precision: 'number' as const,
  errorMetres: ERROR_METRES,
  source: SOURCE,
});

const toFound = (correction: Correction): FoundAddress => ({
  street: correction.street,
  number: correction.key.number || null,
  district: titleCase(correction.key.district),
  city: correction.city,
  state: correction.state,
  postcode: null,
  ...placeOf(correction),
});

/** The written line up to the number. */
function streetOf(line: string): string {
  const { number } = parseAddress(line);
  const end = number === null ? -1 : line.indexOf(String(number));
  const street = (end > 0 ? line.slice(0, end) : line).split(/[,;]/)[0]!.replace(/\s+(n[º°.]?)\s*$/i, '');
  return street.trim().slice(0, 255);
}
