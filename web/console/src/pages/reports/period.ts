import { isDay } from '../../../../shared/formats.ts';

/** The first and the last day in the interface's format, 2026-11-16. */
export interface Days {
  de: string;
  ate: string;
}

export const PERIODS = ['hoje', '7', '30', 'mes', 'outro'] as const;
export type PeriodName = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
const DAYS_MAX = 366;
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

const addDays = (day: string, count: number): string => dayOf(at(day) + count * DAY_MS);
const countDays = ({ de, ate }: Days): number => Math.round((at(ate) - at(de)) / DAY_MS) + 1;
const isPossible = (days: Days): boolean => {
  const count = countDays(days);
  return count >= 1 && count <= DAYS_MAX;
};

export const listDays = (days: Days): string[] =>
  Array.from({ length: countDays(days) }, (_, index) => addDays(days.de, index));

/** The period in the address, or a week if that is absent or impossible. */
export function periodOf(query: URLSearchParams, today: string): { name: PeriodName; days: Days } {
  const name = PERIODS.find((each) => each === query.get('periodo')) ?? '7';
  if (name === 'hoje') return { name, days: { de: today, ate: today } };
  if (name === '30') return { name, days: { de: addDays(today, -29), ate: today } };
  if (name === 'mes') return { name, days: { de: `${today.slice(0, 8)}01`, ate: today } };
  const week = { de: addDays(today, -6), ate: today };
  if (name === 'outro') {
    const [de, ate] = [query.get('de') ?? '', query.get('ate') ?? ''];
    return { name, days: isDay(de) && isDay(ate) && isPossible({ de, ate }) ? { de, ate } : week };
  }
  return { name, days: week };
}

export type ComparedWith = 'anterior' | 'outro' | 'nada';

/** The days to compare with: those in the address, or by default as many days just before. */
export function comparedOf(query: URLSearchParams, days: Days): { name: ComparedWith; days: Days | null } {
  const asked = query.get('comparar');
  if (asked === 'nada') return { name: 'nada', days: null };
  const before = { de: addDays(days.de, -countDays(days)), ate: addDays(days.de, -1) };
  const [de, ate] = [query.get('comparar_de') ?? '', query.get('comparar_ate') ?? ''];
  if (asked === 'outro')
    return { name: 'outro', days: isDay(de) && isDay(ate) && isPossible({ de, ate }) ? { de, ate } : before };
  return { name: 'anterior', days: before };
}

export const brDay = (day: string): string => day.split('-').reverse().join('/');
