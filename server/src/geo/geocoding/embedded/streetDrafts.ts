import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import type { AddressRow } from './addressRow.ts';
import { municipalityByCode } from './municipalities.ts';
import { type NumberedPlace, packNumbers } from './numberTable.ts';
import { splitType, standardiseName, titleCase, wordsOf } from './standardise.ts';
import { wordKey } from './wordKey.ts';

/** A street as it is stored. */
export interface StreetRecord {
  municipality: number;
  district: string;
  name: string;
  tokens: string[];
  postcodes: number[];
  position: Position;
  radiusMetres: number;
  bounds: { south: number; west: number; north: number; east: number };
  addressCount: number;
  numbers: Buffer;
}

interface Draft {
  municipality: number;
  district: string;
  street: string;
  postcodes: number[];
  count: number;
  /** Three numbers for each address: number, quality and postcode in one, latitude, longitude. */
  flat: number[];
}

const MICRO = 1e6;
const POSTCODES_MAX = 255;
/** Coordinates of localities and census tracts are too inaccurate for the course of a street. */
const PLACED_QUALITY_MAX = 4;

/** Collects addresses by street. Takes about 40 bytes for each, so it is emptied from time to time. */
export class StreetDrafts {
  #drafts = new Map<string, Draft>();
  size = 0;

  add(row: AddressRow): void {
    const key = `${row.municipality}|${row.district}|${row.street}`;
    let draft = this.#drafts.get(key);
    if (!draft) {
      const { municipality } = row;
      const [district, street] = [ownCopy(row.district), ownCopy(row.street)];
      draft = { municipality, district, street, postcodes: [], count: 0, flat: [] };
      this.#drafts.set(key, draft);
    }
    draft.count++;
    const { flat } = draft;
    const lat = Math.round(row.lat * MICRO);
    const lng = Math.round(row.lng * MICRO);
    const code = codeOf(row.number, row.quality, indexOfPostcode(draft, row.postcode));
    const last = flat.length - 3;
    // The homes of one building follow each other.
    if (last >= 0 && flat[last] === code && flat[last + 1] === lat && flat[last + 2] === lng) return;
    flat.push(code, lat, lng);
    this.size++;
  }

  /** Everything collected, street by street; afterwards it is empty. */
  *drain(): Generator<StreetRecord> {
    const drafts = this.#drafts;
    this.#drafts = new Map();
    this.size = 0;
    for (const [key, draft] of drafts) {
      drafts.delete(key);
      yield toRecord(draft);
    }
  }
}

/** A part of a string keeps the whole of it in memory, here a piece of the file of 256 KB for each street. */
const ownCopy = (text: string): string => Buffer.from(text).toString();

// 999,999 × 2048 is less than 2^31, so that the engine keeps it as a small integer.
const codeOf = (number: number, quality: number, postcode: number): number =>
  number * 2048 + quality * 256 + postcode;

function indexOfPostcode({ postcodes }: Draft, postcode: number): number {
  if (postcode === 0) return POSTCODES_MAX;
  const known = postcodes.indexOf(postcode);
  if (known !== -1) return known;
  if (postcodes.length === POSTCODES_MAX) return POSTCODES_MAX;
  return postcodes.push(postcode) - 1;
}

function toRecord({ municipality, district, street, postcodes, count, flat }: Draft): StreetRecord {
  const places: NumberedPlace[] = [];
  for (let at = 0; at < flat.length; at += 3) {
    const code = flat[at]!;
    places.push({
      number: Math.floor(code / 2048),
      quality: (code >> 8) & 7,
      postcode: code & 255,
      lat: flat[at + 1]!,
      lng: flat[at + 2]!,
    });
  }
  const name = titleCase(street);
  return {
    municipality,
    district: titleCase(district),
    name,
    tokens: streetTokens(name, district, municipality),
    postcodes,
    ...middleOf(places),
    addressCount: count,
    numbers: packNumbers(places.filter(({ number }) => number > 0)),
  };
}

/** The keys by which a street is found: of its name without the kind, its district, municipality and state. */
function streetTokens(name: string, district: string, municipality: number): string[] {
  const words = wordsOf(splitType(standardiseName(name)).rest);
  return [...new Set([...words.map(wordKey), ...placeTokens(district, municipality)])];
}

export function placeTokens(district: string, municipality: number): string[] {
  const { folded = '', state = '' } = municipalityByCode(municipality) ?? {};
  return [...new Set(wordsOf(`${standardiseName(district)} ${folded} ${state.toLowerCase()}`).map(wordKey))];
}

/** The address nearest to the mean, so that the middle of a bent street lies on it. */
function middleOf(all: readonly NumberedPlace[]): Pick<StreetRecord, 'position' | 'radiusMetres' | 'bounds'> {
  const placed = all.filter(({ quality }) => quality <= PLACED_QUALITY_MAX);
  const places = (placed.length ? placed : all).map(({ lat, lng }) => ({
    lat: lat / MICRO,
    lng: lng / MICRO,
  }));
  const bounds = { south: 90, west: 180, north: -90, east: -180 };
  const mean = { lat: 0, lng: 0 };
  for (const { lat, lng } of places) {
    mean.lat += lat / places.length;
    mean.lng += lng / places.length;
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
    bounds.west = Math.min(bounds.west, lng);
    bounds.east = Math.max(bounds.east, lng);
  }
  const narrow = Math.cos((mean.lat * Math.PI) / 180);
  const square = ({ lat, lng }: Position) => (lat - mean.lat) ** 2 + ((lng - mean.lng) * narrow) ** 2;
  const position = places.reduce((best, each) => (square(each) < square(best) ? each : best));
  const distances = places.map((each) => haversineMetres(position, each)).sort((a, b) => a - b);
  const radius = distances[Math.min(distances.length - 1, Math.floor(distances.length * 0.9))]!;
  return { position, radiusMetres: Math.max(25, Math.round(radius)), bounds };
}
