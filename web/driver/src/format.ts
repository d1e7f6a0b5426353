import { type Language, showDecimal } from '../../shared/formats.ts';
import { daysOf } from './core/days.ts';
import type { Place } from './core/work.ts';

const locale = (language: Language): string => (language === 'pt' ? 'pt-BR' : 'en-GB');

export function formatMetres(metres: number, language: Language): string {
  if (metres < 1_000) return `${Math.round(metres / 10) * 10} m`;
  const km = String(Math.round(metres / 100) / 10);
  return `${language === 'pt' ? showDecimal(km) : km} km`;
}

export const formatMinutes = (seconds: number): string => `${Math.max(1, Math.round(seconds / 60))} min`;

/** In the phone's time zone: a driver is where the central is. */
export const formatClock = (iso: string, language: Language): string =>
  new Date(iso).toLocaleTimeString(locale(language), { hour: '2-digit', minute: '2-digit' });

/** "há 5 min": how old something is. */
export function formatAge(ms: number, language: Language): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const format = new Intl.RelativeTimeFormat(locale(language), { style: 'short' });
  if (minutes < 60) return format.format(-minutes, 'minute');
  return minutes < 2_880
    ? format.format(-Math.round(minutes / 60), 'hour')
    : format.format(-Math.round(minutes / 1_440), 'day');
}

/** `day` is YYYY-MM-DD. */
export const formatDay = (day: string, language: Language): string =>
  new Date(`${day}T12:00:00`).toLocaleDateString(locale(language), { day: '2-digit', month: '2-digit' });

/** The day of the figures, which is not today if the phone has not reached the central since. */
export const dayWords = (day: string, today: string, language: Language): string =>
  day !== today ? formatDay(day, language) : language === 'pt' ? 'Hoje' : 'Today';

export function weekWords(day: string, today: string, language: Language): string {
  const { from } = daysOf('week', day);
  if (from === daysOf('week', today).from) return language === 'pt' ? 'Esta semana' : 'This week';
  return `${language === 'pt' ? 'Semana de' : 'Week of'} ${formatDay(from, language)}`;
}

/** A place without its street: "Centro, Porto Alegre". */
export const areaOf = ({ bairro, cidade }: Place): string => [bairro, cidade].filter(Boolean).join(', ');

/** Converts 12,5 or 12.50 to 12.50. Null if it is not an amount or has more than two decimals. */
export function parseAmount(typed: string): string | null {
  const amount = typed
    .trim()
    .replace(/\.(?=\d{3}(\D|$))/g, '')
    .replace(',', '.');
  return /^\d{1,9}(\.\d{0,2})?$/.test(amount) ? Number(amount).toFixed(2) : null;
}

/** Prevents line breaks within the phone numbers of a text. */
export const wholeNumbers = (text: string): string =>
  text.replace(/(\+?55 )?\(?\d{2}\)? ?\d{4,5}[- ]?\d{4}/g, (number) => number.replaceAll(' ', '\u00a0'));
