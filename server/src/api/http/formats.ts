import Type from 'typebox';
import { ORIGIN_LENGTH_MAX } from '../../centrals/central.ts';
import { parseCnpj, parseCpf, parsePhone } from '../../platform/kernel/documents.ts';
import { plainIdentifier } from '../../platform/kernel/plainName.ts';
import type { Position } from '../../platform/kernel/position.ts';

const STOP_COORDINATES_LENGTH_MAX = 2_000;

/**
 * `latlng_paradas` of the estimate (contract 4.1): stops separated by `|`, each `lat,lng`, a trailing `|`
 * allowed; a plain `lat|lng|lat|lng` list is understood too. Null when it is neither, and when it is too long.
 */
export function parseStopCoordinates(text: string): Position[] | null {
  if (text.length > STOP_COORDINATES_LENGTH_MAX) return null;
  const parts = text.split('|').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  if (parts.length === 0) return [];
  const pairs = parts.some((part) => part.includes(','))
    ? parts.map((part) => part.split(','))
    : Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) =>
        parts.slice(index * 2, index * 2 + 2),
      );
  const positions = pairs.map(toPosition);
  return positions.every((position) => position !== null) ? positions : null;
}

function toPosition(pair: readonly string[]): Position | null {
  const [lat, lng] = pair.map((text) => (/^\s*-?\d{1,3}(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN));
  if (pair.length !== 2 || lat === undefined || lng === undefined) return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

// Any number of decimals is accepted: the shortest text of a double near the equator has eighteen.
const DECIMAL = /^-?\d{1,3}(\.\d+)?$/;
const within = (limit: number) => (text: string) => DECIMAL.test(text) && Math.abs(Number(text)) <= limit;

interface Format {
  /** Leaves room for spaces and punctuation that people write. */
  maxLength: number;
  test(text: string): boolean;
}

const like =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** The formats of strings in both interfaces; api/http/invalidInput.ts has a sentence for each. */
const table = {
  'date-br': { maxLength: 10, test: (text) => parseDate(text) !== null },
  'time-br': { maxLength: 8, test: like(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/) },
  latitude: { maxLength: 50, test: within(90) },
  longitude: { maxLength: 50, test: within(180) },
  cpf: { maxLength: 30, test: (text) => parseCpf(text) !== null },
  'cpf-cnpj': { maxLength: 30, test: (text) => parseCpf(text) !== null || parseCnpj(text) !== null },
  phone: { maxLength: 30, test: (text) => parsePhone(text) !== null },
  'iso-date': { maxLength: 10, test: (text) => parseIsoDate(text) !== null },
  'signed-money': { maxLength: 13, test: like(/^-?\d{1,9}(\.\d{1,2})?$/) },
  money: { maxLength: 12, test: like(/^\d{1,9}(\.\d{1,2})?$/) },
  // The values of a tariff. The bounds keep every price a safe integer of cents, whatever the distance.
  fare: { maxLength: 9, test: like(/^\d{1,6}(\.\d{1,2})?$/) },
  rate: { maxLength: 9, test: like(/^\d{1,4}(\.\d{1,4})?$/) },
  factor: { maxLength: 7, test: like(/^\d{1,2}(\.\d{1,4})?$/) },
  percent: {
    maxLength: 6,
    test: (text) => /^(\d{1,2}(\.\d{1,2})?|100(\.00?)?)$/.test(text) && Number(text) > 0,
  },
  'four-digits': { maxLength: 4, test: like(/^[0-9]{4}$/) },
  'hour-minute': { maxLength: 5, test: like(/^([01]\d|2[0-3]):[0-5]\d$/) },
  instant: { maxLength: 35, test: (text) => parseInstant(text) !== null },
  moment: { maxLength: 35, test: (text) => parseMoment(text, 'UTC') !== null },
  username: { maxLength: 100, test: isUsername },
  'time-zone': { maxLength: 60, test: isTimeZone },
  origin: { maxLength: ORIGIN_LENGTH_MAX, test: isOrigin },
  'stop-coordinates': {
    maxLength: STOP_COORDINATES_LENGTH_MAX,
    test: (text) => parseStopCoordinates(text) !== null,
  },
} as const satisfies Record<string, Format>;

/** A username is stored as it is typed, so forms that look like another username are refused. */
function isUsername(text: string): boolean {
  return /^[^:\s\p{Cc}]{1,100}$/u.test(text) && plainIdentifier(text) === text;
}

export const formats: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  Object.entries(table).map(([name, { test }]) => [name, test]),
);

/** A string of one of these formats; its length is checked before its format. */
export const formatted = (format: keyof typeof table, description?: string) =>
  Type.String({ format, maxLength: table[format].maxLength, ...(description && { description }) });

/** Names only: an offset like -03:00 has no daylight saving. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The origin of a page, exactly as browsers send it: in lower case, without path and default port. Plain http only on
 * the developer's own machine, because anybody on the way can change a page of another.
 */
function isOrigin(text: string): boolean {
  if (!/^(https:\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])|http:\/\/localhost)(:\d{1,5})?$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}

/** ISO 8601 with an offset or Z, in years that PostgreSQL accepts in this form. */
export function parseInstant(text: string): Temporal.Instant | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return null;
  }
}

/**
 * An instant, or YYYY-MM-DD HH:MM:SS of the central's clock as in answers. A local time that the clock shows twice means
 * the first of the two, or the second one if `last`; one that the clock skips moves forward with it.
 */
export function parseMoment(text: string, timeZone: string, last = false): Temporal.Instant | null {
  if (!/^[12]\d{3}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text)) return parseInstant(text);
  try {
    const local = Temporal.PlainDateTime.from(text.replace(' ', 'T'), { overflow: 'reject' });
    if (local.year > YEAR_MAX) return null;
    const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
      local.toZonedDateTime(timeZone, { disambiguation }).toInstant(),
    );
    const isSkipped = later!.toZonedDateTimeISO(timeZone).toPlainDateTime().toString() !== local.toString();
    return isSkipped || last ? later! : earlier!;
  } catch {
    return null;
  }
}

/** The last day of 9999 is already a day of 10000 in some time zones, which PostgreSQL cannot read. */
const YEAR_MAX = 9998;

/** YYYY-MM-DD, a date that exists. */
function parseIsoDate(text: string): Temporal.PlainDate | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** DD/MM/YYYY, a date that exists. */
export function parseDate(text: string): Temporal.PlainDate | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  if (!day || !month || !year || Number(year) > YEAR_MAX) return null;
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    );
  } catch {
    return null;
  }
}
