import type { Position } from '../../../platform/kernel/position.ts';
import { jsonOverHttp } from '../../engines/jsonOverHttp.ts';
import { findState, parsePostcode } from '../embedded/standardise.ts';
import {
  type AddressParts,
  type FoundAddress,
  GeocodingUnavailable,
  type Precision,
  QuestionRefused,
} from '../geocoder.ts';

// Shared by the adapters of geocoding services. Answers are untrusted: unexpected data counts as no answer.

export interface ServiceOptions {
  timeoutMs: number;
}

/** More than a hundred suggestions with all their fields. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const TEXT_MAX = 255;
/** Statuses that concern the question itself. */
const QUESTION_REFUSED = [400, 414, 422];

/** The assumed radius of error where a service gives none. */
const USUAL_ERROR_METRES: Record<Precision, number> = {
  number: 20,
  approximate: 100,
  street: 500,
  postcode: 800,
  district: 2000,
  municipality: 10_000,
};

export const nonsense = (what: string): GeocodingUnavailable =>
  new GeocodingUnavailable(`the geocoding service's answer is not valid: ${what}`);

/** One GET request. The query is never part of an error, because it contains an address and perhaps a key. */
export async function askService(
  url: string,
  query: Record<string, string | number | undefined>,
  { timeoutMs }: ServiceOptions,
): Promise<unknown> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const { status, answer } = await jsonOverHttp(`${url}?${search}`, {
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
    // Public services require a user agent.
    headers: { 'user-agent': 'malote', 'accept-language': 'pt-BR' },
    unavailable: (message, options) => new GeocodingUnavailable(`the geocoding service${message}`, options),
  });
  // Some services answer 404 if they find nothing.
  if (status === 404) return null;
  if (QUESTION_REFUSED.includes(status))
    throw new QuestionRefused(`the geocoding service refused the question with status ${status}`);
  if (status !== 200) throw new GeocodingUnavailable(`the geocoding service answered with status ${status}`);
  return answer;
}

export function objectIn(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw nonsense(`${what} is no object`);
  return value as Record<string, unknown>;
}

export function listIn(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw nonsense(`${what} is no list`);
  return value;
}

/** The first of the fields that contains a text. */
export function textOf(fields: Record<string, unknown>, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, TEXT_MAX);
  }
  return '';
}

export function positionIn(lat: unknown, lng: unknown): Position {
  const position = { lat: degreesIn(lat), lng: degreesIn(lng) };
  if (!(Math.abs(position.lat) <= 90 && Math.abs(position.lng) <= 180))
    throw nonsense('a position is not on earth');
  return position;
}

function degreesIn(value: unknown): number {
  if (typeof value === 'string' && /^-?\d{1,3}(\.\d+)?$/.test(value)) return Number(value);
  if (typeof value === 'number') return value;
  throw nonsense('a coordinate is no number');
}

export interface ServiceAnswer {
  street: string;
  /** As the service writes it, e.g. "1001A". */
  houseNumber: string;
  district: string;
  city: string;
  /** A code or a name. */
  state: string;
  postcode: string;
  position: Position;
  /** What the answer is when it has no house number. */
  precision: Precision;
  /** The service estimated the number's place. */
  isEstimated?: boolean;
  source: string;
}

/** An answer in the port's form. A house number other than the one asked for is a neighbour. */
export function toFound(answer: ServiceAnswer, asked: number | null): FoundAddress {
  const number = Number.parseInt(answer.houseNumber, 10) || null;
  const isOther = asked !== null && number !== asked;
  const precision: Precision =
    number === null || answer.street === ''
      ? answer.precision
      : isOther || answer.isEstimated
        ? 'approximate'
        : 'number';
  const { street, district, city, position, source } = answer;
  return {
    street,
    number: number === null ? null : (asked ?? number),
    district,
    city,
    state: findState(answer.state)?.code ?? '',
    postcode: parsePostcode(answer.postcode),
    position,
    precision,
    errorMetres: USUAL_ERROR_METRES[precision],
    source,
  };
}

/** An address in one line, as these services expect it. */
export const lineOf = ({ line, district, city, state, postcode }: AddressParts): string =>
  [line, district, city, state, postcode].filter((part) => part).join(', ');

export const degrees = (value: number): string => value.toFixed(6);

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');
