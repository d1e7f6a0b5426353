import { type ChangeActor, recordChange } from '../../events/audit/recordChange.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  type Correction,
  type CorrectionAuthor,
  type CorrectionKey,
  deleteCorrection,
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

export function assertNamesStreet(parts: AddressParts): void {
  if (!namesStreet(parts)) throw new Refusal('address-without-street');
}

/** An address as it is found once its correction is stored. */
export const foundAt = (parts: AddressParts, position: Position): FoundAddress =>
  toFound(correctionOf(parts, position));

function correctionOf(parts: AddressParts, position: Position): Correction {
  const key = keyOf(parts);
  const municipality = municipalityByCode(key.municipality);
  return {
    key,
    street: streetOf(parts.line),
    city: municipality?.name ?? parts.city ?? '',
    state: municipality?.state ?? parts.state ?? '',
    position,
  };
}

/**
 * Stores the position of an address as corrected by a user of the central, and records the change. The actor makes the
 * change; where a driver's proposal is accepted, the author is the driver.
 */
export async function saveCorrection(
  tx: Tx,
  parts: AddressParts,
  position: Position,
  actor: ChangeActor,
  author: Omit<CorrectionAuthor, 'at'>,
): Promise<FoundAddress> {
  assertNamesStreet(parts);
  const correction = correctionOf(parts, position);
  const saved = await upsertCorrection(tx, actor.centralId, correction, { ...author, at: actor.at });
  await recordChange(tx, actor, {
    subject: 'address',
    id: saved.id,
    name: lineOf(correction.street, correction.key.number),
    before: saved.before && { ...saved.before },
    after: { ...position },
  });
  return toFound(correction);
}

/** Lets the address be found as if nobody had corrected it. */
export async function removeCorrection(tx: Tx, actor: ChangeActor, id: number): Promise<void> {
  const removed = await deleteCorrection(tx, actor.centralId, id);
  if (!removed) throw new Refusal('record-not-found');
  const { street, number, lat, lng } = removed;
  const name = lineOf(street, number);
  await recordChange(tx, actor, { subject: 'address', id, name, before: { lat, lng }, after: null });
}

const lineOf = (street: string, number: number | null): string => (number ? `${street}, ${number}` : street);

/** The position to which somebody of the central corrected the address. */
export async function findCorrected(
  tx: Tx,
  centralId: number,
  parts: AddressParts,
): Promise<FoundAddress | null> {
  return findByKey(tx, centralId, keyOf(parts));
}

async function findByKey(tx: Tx, centralId: number, key: CorrectionKey): Promise<FoundAddress | null> {
  if (key.words === '') return null;
  const found = await findCorrections(tx, centralId, [key]);
  const correction = found.find((each) => isSame(each.key, key));
  return correction ? toFound(correction) : null;
}

/** A geocoder that answers with the central's corrections first. */
export function correctedGeocoder(db: Tx, centralId: number, inner: Geocoder): Geocoder {
  const corrected = (key: CorrectionKey) => findByKey(db, centralId, key);
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
  keyOf({ line: lineOf(street, number), district, city, state });

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
