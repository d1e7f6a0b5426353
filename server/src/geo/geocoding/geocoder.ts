import type { Position } from '../../platform/kernel/position.ts';
import { EngineUnavailable } from '../engines/callGuard.ts';

/** How well an address was found, best first. */
export const PRECISIONS = [
  'number',
  'approximate',
  'street',
  'postcode',
  'district',
  'municipality',
] as const;
export type Precision = (typeof PRECISIONS)[number];

/** Whether `found` is at least as precise as `wanted`. */
export const isAsPrecise = (found: Precision, wanted: Precision): boolean =>
  PRECISIONS.indexOf(found) <= PRECISIONS.indexOf(wanted);

/** An address as a person writes it. The number may stand in the street's line, as in "Rua dos Andradas, 1001". */
export interface AddressParts {
  line: string;
  district?: string | null;
  city?: string | null;
  /** A code of two letters or a name. */
  state?: string | null;
  postcode?: string | null;
  /** Among equals, the one nearest to this position is meant. */
  near?: Position | undefined;
}

export interface FoundAddress {
  /** Empty for a district or a municipality. */
  street: string;
  number: number | null;
  district: string;
  city: string;
  /** Two letters. */
  state: string;
  /** Eight digits. */
  postcode: string | null;
  position: Position;
  precision: Precision;
  /** The true place is probably not farther away than this. */
  errorMetres: number;
  /** Where the answer comes from: the imported set, a correction, or a service. */
  source: string;
}

/**
 * The interface of all geocoders. Rejects with GeocodingUnavailable when a service does not answer in time or
 * answers invalid data; an unknown address is an empty answer.
 */
export interface Geocoder {
  readonly name: string;
  /** Suggestions for an incomplete text, best first. */
  search(text: string, near: Position | undefined, limit: number): Promise<FoundAddress[]>;
  /** The best answer for a whole address. */
  geocode(parts: AddressParts): Promise<FoundAddress | null>;
  /** The address nearest to a position. */
  reverse(position: Position): Promise<FoundAddress | null>;
}

export class GeocodingUnavailable extends EngineUnavailable {
  override name = 'GeocodingUnavailable';
}

/** The service works but refuses this query, for instance one of blanks only: a retry changes nothing. */
export class QuestionRefused extends GeocodingUnavailable {
  override name = 'QuestionRefused';
}
