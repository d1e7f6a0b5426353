import { parseCnpj, parseCpf, parsePhone } from '../kernel/documents.ts';
import { parseStopCoordinates } from './stopCoordinates.ts';

const DECIMAL = /^-?\d{1,3}(\.\d{1,15})?$/;
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
  decimal: (text) => /^\d{1,8}(\.\d{1,4})?$/.test(text),
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

/** DD/MM/YYYY, a day that exists. */
export function parseDate(text: string): Temporal.PlainDate | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  if (!day || !month || !year) return null;
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    );
  } catch {
    return null;
  }
}
