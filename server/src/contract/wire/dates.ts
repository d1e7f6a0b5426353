import { parseDate } from '../../http/formats.ts';

/** `data` and `hora` of the central's clock; a time that the clock skips moves forward with it. */
export function parseLocal(data: string, hora: string, timeZone: string): Temporal.Instant {
  const date = parseDate(data);
  if (!date) throw new Error('validated before');
  return date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(hora) }).toInstant();
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
