import Type, { type Static, type TSchema } from 'typebox';
import { numberToCents } from '../../platform/kernel/money.ts';
import { parseDate } from '../http/formats.ts';
import type { Check } from '../http/validation.ts';

/** For an amount given as a number: its text has at most two decimals. Other types are not checked. */
export const checkDecimals =
  (field: string): Check =>
  ({ [field]: amount }) =>
    typeof amount === 'number' && numberToCents(amount) === null
      ? [{ field, pt: 'deve ter no máximo 2 casas decimais', en: 'must have at most 2 decimals' }]
      : [];

/**
 * `data` and `hora` of the central's clock. A time that the clock skips moves forward with it. A time that the clock
 * shows twice means the first of the two that is still in the future.
 */
export function parseLocal(
  data: string,
  hora: string,
  timeZone: string,
  now: Temporal.Instant,
): Temporal.Instant {
  const date = parseDate(data);
  if (!date) throw new Error('validated before');
  const local = date.toPlainDateTime(Temporal.PlainTime.from(hora));
  const first = local.toZonedDateTime(timeZone).toInstant();
  if (Temporal.Instant.compare(first, now) > 0) return first;
  return local.toZonedDateTime(timeZone, { disambiguation: 'later' }).toInstant();
}

/** YYYY-MM-DD HH:MM:SS of the central's clock, as 2.1 has it. */
export const formatLocal = (instant: Temporal.Instant, timeZone: string): string =>
  instant
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second', roundingMode: 'trunc' })
    .replace('T', ' ');

/** ISO 8601 UTC to the second. */
export const formatUtc = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: 'second', roundingMode: 'trunc' });

/** HH:MM:SS as in `duracao_corrida`; the hours may exceed 24. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Kilometres with two decimals as in `distancia_percorrida_km`: rounded half up from whole metres. */
export function formatKm(metres: number): string {
  const hundredths = Math.floor((metres + 5) / 10);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** Degrees as a plain decimal, also next to the equator or Greenwich, where JavaScript writes numbers as 1e-7. */
export function formatDegrees(degrees: number): string {
  const text = /e/.test(String(degrees)) ? degrees.toFixed(15).replace(/\.?0+$/, '') : String(degrees);
  return text.includes('.') ? text : `${text}.0`;
}

/** The envelope of contract 7.1 around the data of an answer. */
export const dataAnswer = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data });

interface Shown<Data extends TSchema> {
  schema: Data;
  example: Static<Data>;
}

/** The answer of an endpoint that shows a view, with its example. */
export const answerWith = <Data extends TSchema>({ schema, example }: Shown<Data>) => ({
  answer: dataAnswer(schema),
  answerExample: { success: true as const, data: example },
});

export const answerWithList = <Data extends TSchema>({ schema, example }: Shown<Data>) => ({
  answer: dataAnswer(Type.Array(schema)),
  answerExample: { success: true as const, data: [example] },
});

export const messageAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const PAGE_SIZE_MAX = 100;
const PAGE_SIZE = 20;

/** `pagina` and `limite` of lists. */
export const pageFields = {
  pagina: Type.Optional(Type.Integer({ minimum: 1, description: 'página, a partir de 1' })),
  limite: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: 'registros por página; padrão 20' }),
  ),
};

/** For lists that are usually read completely: the default page size is the maximum. */
export const longPageFields = {
  ...pageFields,
  limite: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: 'registros por página; padrão 100' }),
  ),
};

export const parseLongPage = ({ limite = PAGE_SIZE_MAX, ...page }: { pagina?: number; limite?: number }) =>
  parsePage({ ...page, limite });

export const parsePage = ({ pagina = 1, limite = PAGE_SIZE }: { pagina?: number; limite?: number }) => ({
  limit: limite,
  offset: (pagina - 1) * limite,
});
