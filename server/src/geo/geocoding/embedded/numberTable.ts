import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';

/** One house number of a street. */
export interface NumberedPlace {
  number: number;
  /** In millionths of a degree. */
  lat: number;
  lng: number;
  /** 1 is best; the metres of each are in ERROR_METRES. */
  quality: number;
  /** Which of the street's postcodes. */
  postcode: number;
}

/** Number, latitude, longitude: four bytes each; quality, postcode: one. */
const RECORD_BYTES = 14;
const MICRO = 1e6;
const POSTCODES_MAX = 255;

/**
 * How far off a coordinate of CNEFE may be, by its level (NV_GEO_COORD): taken at the door, taken at another door of
 * the building, estimated, of the block's side, of the locality, of the census tract.
 */
const ERROR_METRES = [10, 10, 15, 40, 80, 500, 1000];

const errorOfQuality = (quality: number): number => ERROR_METRES[quality] ?? ERROR_METRES.at(-1)!;

/** Sorted by number, each number once, with its best coordinate. */
export function packNumbers(places: readonly NumberedPlace[]): Buffer {
  const sorted = [...places].sort((a, b) => a.number - b.number || a.quality - b.quality);
  const kept = sorted.filter(({ number }, index) => number !== sorted[index - 1]?.number);
  const packed = Buffer.allocUnsafe(kept.length * RECORD_BYTES);
  for (const [index, place] of kept.entries()) {
    const at = index * RECORD_BYTES;
    packed.writeUInt32LE(place.number, at);
    packed.writeInt32LE(place.lat, at + 4);
    packed.writeInt32LE(place.lng, at + 8);
    packed.writeUInt8(place.quality, at + 12);
    packed.writeUInt8(Math.min(place.postcode, POSTCODES_MAX), at + 13);
  }
  return packed;
}

/** Read access to the packed numbers of a street. */
export class NumberTable {
  readonly #bytes: Buffer;
  readonly length: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = Math.floor(bytes.length / RECORD_BYTES);
  }

  numberAt(index: number): number {
    return this.#bytes.readUInt32LE(index * RECORD_BYTES);
  }

  positionAt(index: number): Position {
    const at = index * RECORD_BYTES;
    return { lat: this.#bytes.readInt32LE(at + 4) / MICRO, lng: this.#bytes.readInt32LE(at + 8) / MICRO };
  }

  errorAt(index: number): number {
    return errorOfQuality(this.#bytes.readUInt8(index * RECORD_BYTES + 12));
  }

  postcodeAt(index: number): number {
    return this.#bytes.readUInt8(index * RECORD_BYTES + 13);
  }

  /** The first index whose number is not below the given one. */
  #lowerBound(number: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.numberAt(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The place of a number: the exact one, or estimated from its neighbours; null when there are none near. */
  find(number: number): FoundNumber | null {
    const from = this.#lowerBound(number);
    if (from < this.length && this.numberAt(from) === number)
      return {
        index: from,
        isExact: true,
        position: this.positionAt(from),
        errorMetres: this.errorAt(from),
      };
    // Odd numbers stand on one side of a street and even ones on the other.
    const sameSide = this.#between(number, from, (other) => (other - number) % 2 === 0);
    return sameSide ?? this.#between(number, from, () => true);
  }

  #between(number: number, from: number, fits: (number: number) => boolean): FoundNumber | null {
    let below = from - 1;
    while (below >= 0 && !fits(this.numberAt(below))) below--;
    let above = from;
    while (above < this.length && !fits(this.numberAt(above))) above++;
    const hasBelow = below >= 0;
    const hasAbove = above < this.length;
    if (hasBelow && hasAbove) return this.#interpolate(number, below, above);
    if (!hasBelow && !hasAbove) return null;
    const index = hasBelow ? below : above;
    // Brazilian numbers count metres from the beginning of the street, so a gap of numbers is one of metres.
    const gap = Math.abs(this.numberAt(index) - number);
    if (gap > GAP_MAX) return null;
    return {
      index,
      isExact: false,
      position: this.positionAt(index),
      errorMetres: Math.max(this.errorAt(index), 20) + gap,
    };
  }

  #interpolate(number: number, below: number, above: number): FoundNumber | null {
    const [a, b] = [this.positionAt(below), this.positionAt(above)];
    const apart = haversineMetres(a, b);
    if (apart > NEIGHBOURS_METRES_MAX) return null;
    const share = (number - this.numberAt(below)) / (this.numberAt(above) - this.numberAt(below));
    return {
      index: share < 0.5 ? below : above,
      isExact: false,
      position: { lat: a.lat + (b.lat - a.lat) * share, lng: a.lng + (b.lng - a.lng) * share },
      errorMetres: Math.round(Math.max(this.errorAt(below), this.errorAt(above)) + apart / 4),
    };
  }
}

export interface FoundNumber {
  /** The entry that it is, or the nearest one. */
  index: number;
  isExact: boolean;
  position: Position;
  errorMetres: number;
}

/** Numbers beyond the last known one are placed at it only within this distance. */
const GAP_MAX = 150;
/** Neighbours farther apart than this do not stand on one line. */
const NEIGHBOURS_METRES_MAX = 1200;
