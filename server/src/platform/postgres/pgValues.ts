import pg from 'pg';

/** pg's own function that writes the value of a parameter. It is missing in pg's type definitions. */
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils;

/** A value of this program as PostgreSQL reads it. */
export const toParameter = (value: unknown): string | Buffer | null =>
  typeof value === 'string'
    ? value
    : prepareValue(value instanceof Temporal.Instant ? value.toString() : value);

const INT8 = 20;
const INT8_ARRAY = 1016;
const TEXT_ARRAY = 1009;
const TIMESTAMPTZ = 1184;
const TIMESTAMPTZ_ARRAY = 1185;

type Read = (text: string) => unknown;

const readTexts = pg.types.getTypeParser(TEXT_ARRAY as never, 'text') as (text: string) => (string | null)[];
const readEach =
  <Value>(read: (text: string) => Value) =>
  (text: string): (Value | null)[] =>
    readTexts(text).map((each) => (each === null ? null : read(each)));
const toInstant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

const READERS = new Map<number, Read>([
  [INT8, toSafeInteger],
  [INT8_ARRAY, readEach(toSafeInteger)],
  [TIMESTAMPTZ, toInstant],
  [TIMESTAMPTZ_ARRAY, readEach(toInstant)],
]);

/** bigint as a number (ids and cents stay below 2^53), instants as Temporal; numeric stays exact text. */
export const readerOf = (type: number): Read =>
  READERS.get(type) ?? (pg.types.getTypeParser(type, 'text') as Read);

/** The readers of values for statements that pg itself sends. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: readerOf as pg.CustomTypesConfig['getTypeParser'],
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a safe integer`);
  return value;
}
