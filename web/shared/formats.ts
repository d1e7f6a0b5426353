export type Language = 'pt' | 'en';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "há 3 min" or "em 2 h"; less than a minute away is "agora". */
export function formatAge(then: number, now: number, language: Language): string {
  const distance = Math.abs(now - then);
  if (distance < MINUTE) return language === 'pt' ? 'agora' : 'now';
  const [count, unit] =
    distance < HOUR
      ? [Math.floor(distance / MINUTE), 'min']
      : distance < 2 * DAY
        ? [Math.floor(distance / HOUR), 'h']
        : [Math.floor(distance / DAY), 'd'];
  const text = `${count} ${unit}`;
  if (then > now) return language === 'pt' ? `em ${text}` : `in ${text}`;
  return language === 'pt' ? `há ${text}` : `${text} ago`;
}

const locale = (language: Language): string => (language === 'pt' ? 'pt-BR' : 'en-GB');

const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(language: Language, timeZone: string, parts: Intl.DateTimeFormatOptions) {
  const name = JSON.stringify([language, timeZone, parts]);
  let known = formatters.get(name);
  if (!known) {
    known = new Intl.DateTimeFormat(locale(language), { timeZone, ...parts });
    formatters.set(name, known);
  }
  return known;
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DATE = { day: '2-digit', month: '2-digit' } as const;

/** The time on the central's clock, with the date if that is not today's. */
export function formatMoment(then: number, now: number, timeZone: string, language: Language): string {
  const date = formatter(language, timeZone, { ...DATE, year: 'numeric' });
  const clock = formatter(language, timeZone, CLOCK).format(then);
  if (date.format(then) === date.format(now)) return clock;
  return `${formatter(language, timeZone, DATE).format(then)} ${clock}`;
}

/** The central's date and clock: 25/12/2026 12:00. */
export const formatDay = (then: number, timeZone: string, language: Language): string =>
  formatter(language, timeZone, { ...DATE, year: 'numeric', ...CLOCK })
    .format(then)
    .replace(',', '');

export const formatFullMoment = (then: number, timeZone: string, language: Language): string =>
  formatter(language, timeZone, { dateStyle: 'full', timeStyle: 'medium' }).format(then);

/**
 * Formats an amount, given as a string or a number: R$ 1.234,50. It does not use the browser's number formatter, which
 * costs a phone a tenth of a second at the start.
 */
export function formatMoney(value: string | number): string {
  const amount = Number(value);
  return `${amount < 0 ? '-' : ''}R$\u00a0${showDecimal(Math.abs(amount).toFixed(2))}`;
}

/** Reads 1.234,50, 1.234 or 1234.50. Anything else is returned unchanged, for the server to refuse. */
export function typedAmount(text: string): string {
  const plain = text.trim();
  if (plain.includes(',')) return plain.replaceAll('.', '').replace(',', '.');
  return /^-?\d{1,3}(\.\d{3})+$/.test(plain) ? plain.replaceAll('.', '') : plain;
}

/** 1234.5 → 1.234,5, with all its decimals. Anything but a number is returned unchanged. */
export function showDecimal(value: string): string {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(\.\d*)?$/.exec(value) ?? [];
  if (!whole) return value;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, '.') + decimals.replace('.', ',');
}

/** 12.000 → 12000 */
export const readWhole = (text: string): string => text.trim().replaceAll('.', '');

/** 2026-11-16 → 16/11/2026. Anything but a date is returned unchanged. */
export const showDate = (date: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) ? toBrazilianDate(date) : date;

/** Whether this is a day of the calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const twoDigits = (number: string): string => number.padStart(2, '0');

/** 16/11/2026 or 16112026 → 2026-11-16. Anything but a day of the calendar is returned unchanged. */
export function readDate(text: string): string {
  const typed = text.trim();
  const [, day, month, year] = /^(\d{1,2})[/.-]?(\d{1,2})[/.-]?(\d{4})$/.exec(typed) ?? [];
  if (!day || !month || !year) return typed;
  const read = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  return isDay(read) ? read : typed;
}

/**
 * Completes a date after typing has ended: 16/11/26 or 161126 is in this century, and 16/11 or 1611 is the one nearest
 * to today. While somebody is typing, it may be the beginning of 16/11/2026.
 */
export function completeDate(text: string, today: string): string {
  const typed = text.trim();
  const [, day, month, year] =
    /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2}))?$/.exec(typed) ?? /^(\d{2})(\d{2})(\d{2})?$/.exec(typed) ?? [];
  if (!day || !month) return readDate(typed);
  const thisYear = Number(today.slice(0, 4));
  const years = year ? [2000 + Number(year)] : [thisYear - 1, thisYear, thisYear + 1];
  const distance = (date: string) => Math.abs(Date.parse(date) - Date.parse(today));
  const [nearest] = years
    .map((each) => `${each}-${twoDigits(month)}-${twoDigits(day)}`)
    .filter(isDay)
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest ?? typed;
}

const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** 830, 8:30 or 8h30 → 08:30. Anything but a time of day is returned unchanged. */
export function readTime(text: string): string {
  const typed = text.trim();
  const [, hour, minute] = /^(\d{1,2})[:h]?(\d{2})$/i.exec(typed) ?? [];
  const read = hour && minute ? `${twoDigits(hour)}:${minute}` : typed;
  return isTime(read) ? read : typed;
}

/** Completes a time after typing has ended: 8, 8h and 18: are full hours. */
export function completeTime(text: string): string {
  const [, hour] = /^(\d{1,2})[:h]?$/i.exec(text.trim()) ?? [];
  return hour && Number(hour) < 24 ? `${twoDigits(hour)}:00` : readTime(text);
}

export const formatKm = (km: string | number, language: Language): string =>
  `${Number(km).toLocaleString(locale(language), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} km`;

/** 51999990001 → (51) 99999-0001 as people type it, for a field. */
export const typedPhone = (phone: string): string => phone.replace(/^(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');

/** The same for reading, without line breaks. */
export const formatPhone = (phone: string): string => typedPhone(phone).replaceAll(' ', '\u00a0');

/** 11222333000181 → 11.222.333/0001-81. A CNPJ may contain letters. */
export const formatDocument = (text: string): string =>
  text.length === 11
    ? text.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');

/** A moment on the central's clock, as the values of a date input and a time input. */
export function localInputs(then: number, timeZone: string): { date: string; time: string } {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(then)
      .map(({ type, value }) => [type, value]),
  );
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
}

/** The moment at which the central's clock shows this date and time. Null if one of them is invalid. */
export function fromLocalInputs(date: string, time: string, timeZone: string): number | null {
  if (!isDay(date) || !isTime(time)) return null;
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  // The offset from UTC is computed twice, because the first guess may be on the other side of a clock change.
  let guess = asUtc;
  for (let round = 0; round < 2; round += 1) {
    const shown = localInputs(guess, timeZone);
    guess += asUtc - Date.parse(`${shown.date}T${shown.time}:00Z`);
  }
  return guess;
}

/** The same for YYYY-MM-DDTHH:MM, as an ISO instant. An invalid one is returned unchanged, for the server to refuse. */
export function toInstant(local: string, timeZone: string): string {
  const [date = '', time = ''] = local.split('T');
  const moment = fromLocalInputs(date, time, timeZone);
  return moment === null ? local : new Date(moment).toISOString();
}

/** 2026-11-16 → 16/11/2026, as the interfaces expect it. */
export const toBrazilianDate = (date: string): string => date.split('-').reverse().join('/');

/** 1 parada, 2 paradas. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
