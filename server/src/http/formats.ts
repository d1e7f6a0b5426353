import { parseCnpj, parseCpf, parsePhone } from '../kernel/documents.ts';
import { parseStopCoordinates } from './stopCoordinates.ts';

// As many decimals as whoever writes it likes: the shortest text of a double next to the equator has eighteen.
const DECIMAL = /^-?\d{1,3}(\.\d+)?$/;
const within = (limit: number) => (text: string) => DECIMAL.test(text) && Math.abs(Number(text)) <= limit;

/** What texts of the interface must look like; http/invalidInput.ts has a sentence for each. */
export const formats: Record<string, (text: string) => boolean> = {
  'date-br': (text) => parseDate(text) !== null,
  'time-br': (text) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text),
  latitude: within(90),
  longitude: within(180),
  cpf: (text) => parseCpf(text) !== null,
  'cpf-cnpj': (text) => parseCpf(text) !== null || parseCnpj(text) !== null,
  phone: (text) => parsePhone(text) !== null,
  money: (text) => /^\d{1,9}(\.\d{1,2})?$/.test(text),
  // What a tariff may hold. The bounds keep every price, however far the trip, a safe integer of cents.
  fare: (text) => /^\d{1,6}(\.\d{1,2})?$/.test(text),
  rate: (text) => /^\d{1,4}(\.\d{1,4})?$/.test(text),
  factor: (text) => /^\d{1,2}(\.\d{1,4})?$/.test(text),
  percent: (text) => /^(\d{1,2}(\.\d{1,2})?|100(\.00?)?)$/.test(text) && Number(text) > 0,
  'hour-minute': (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
  instant: (text) => parseInstant(text) !== null,
  username: (text) => /^[^:\s\p{Cc}]{1,100}$/u.test(text),
  'time-zone': (text) => /^[A-Za-z]+(\/[A-Za-z_+-]+)*$/.test(text) && isTimeZone(text),
  'stop-coordinates': (text) => parseStopCoordinates(text) !== null,
};

function isTimeZone(text: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}

/** ISO 8601 with an offset or Z; years that PostgreSQL reads in this form. */
export function parseInstant(text: string): Temporal.Instant | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return null;
  }
}

/** The last day of 9999 is a day of 10000 somewhere, which has no instant that a database could read. */
const YEAR_MAX = 9998;

/** DD/MM/YYYY, a day that exists. */
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
