import type { ReactNode } from 'react';
import { isDay, localInputs } from '../../../shared/formats.ts';
import type { Body } from '../api.ts';
import type { Column } from '../ui/Table.tsx';

export interface Words {
  pt: string;
  en: string;
}

export interface Option extends Words {
  value: string;
}

/** A filter of a list. Its value is in the address under its name, so that a view can be shared as a link. */
export interface ListFilter extends Words {
  name: string;
  kind: 'text' | 'choice' | 'choices' | 'period';
  /** The options of `choice` (one) and `choices` (several). */
  options?: readonly Option[];
  /** Whether a value may be valid, for a choice whose options are not all known here. */
  accepts?: (value: string) => boolean;
  /** "All" is "Todas" in Portuguese, not "Todos". */
  isFeminine?: true;
  /** Converts the value in the address to fields of the request. */
  toBody?: (value: string) => Record<string, unknown>;
}

/** A column with the orders by which it can be sorted. */
export interface SortedColumn<Row> extends Column<Row> {
  ascending?: string;
  descending?: string;
}

/** A page of a list, as the server answers it. */
export interface ListPart<Row> {
  data: Row[];
  proximo: string | null;
  busca_continua: boolean;
  total: { numero: number; exato: boolean } | null;
}

export interface FilePart {
  nome: string;
  conteudo: string;
  linhas: number;
  limite_linhas: number;
  limitado: boolean;
  proximo: string | null;
}

export interface ListDefinition<Row> {
  /** The name under which the list's views are saved. */
  name: Body<'operacao', 'POST /visoes'>['lista'];
  label: string;
  /** The first part of its query keys. Events of this topic make it stale. */
  topic: string;
  filters: readonly ListFilter[];
  /** Fields that every request has, such as the owner of a ledger. */
  fixed?: Record<string, unknown>;
  /** The first one is the server's default. */
  orders: readonly [Option, ...Option[]];
  columns: readonly SortedColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Absent: Enter opens nothing. */
  onOpen?: (key: string) => void;
  rowClass?: (row: Row) => string | undefined;
  /** On a phone each row is a card. */
  cards?: boolean | 'compact';
  read: (body: Record<string, unknown>) => Promise<ListPart<Row>>;
  /** Absent: nothing is exported. */
  readFile?: (body: Record<string, unknown>) => Promise<FilePart>;
  /** Shown when the list is empty without any filter. */
  empty: ReactNode;
}

export const PERIODS: readonly Option[] = [
  { value: 'hoje', pt: 'Hoje', en: 'Today' },
  { value: 'ontem', pt: 'Ontem', en: 'Yesterday' },
  { value: '7dias', pt: 'Últimos 7 dias', en: 'Last 7 days' },
  { value: 'mes', pt: 'Este mês', en: 'This month' },
];

const DAY_MS = 24 * 60 * 60_000;

/** The days of a period that is relative to today. In a saved view, it moves on with the days. */
function daysOf(period: string, now: number, zone: string): { de?: string; ate?: string } {
  const day = (ago: number) => localInputs(now - ago * DAY_MS, zone).date;
  switch (period) {
    case 'hoje':
      return { de: day(0), ate: day(0) };
    case 'ontem':
      return { de: day(1), ate: day(1) };
    case '7dias':
      return { de: day(6), ate: day(0) };
    case 'mes':
      return { de: `${day(0).slice(0, 8)}01`, ate: day(0) };
    default:
      return {};
  }
}

/** The parameters of the address that hold the filters and the order of a list, and so belong to a saved view. */
export const namesOf = (filters: readonly ListFilter[]): string[] => [
  ...filters.flatMap(({ kind, name }) => (kind === 'period' ? ['periodo', 'de', 'ate'] : [name])),
  'ordem',
];

/**
 * The changes that an address needs if it has values that the list does not know, for example from an old link or saved
 * view. Null removes a parameter.
 */
export function mistakesOf(
  filters: readonly ListFilter[],
  orders: readonly Option[],
  query: URLSearchParams,
): Record<string, string | null> {
  const mended: Record<string, string | null> = {};
  const keep = (name: string, isRight: (value: string) => boolean): void => {
    const value = query.get(name);
    if (!value) return;
    const right = value.split(',').filter(isRight).join(',');
    if (right !== value) mended[name] = right || null;
  };
  for (const { name, kind, options = [], accepts } of filters) {
    if (kind === 'period') {
      for (const day of ['de', 'ate']) keep(day, isDay);
      keep('periodo', (value) => PERIODS.some((period) => period.value === value));
    } else if (kind !== 'text')
      keep(name, accepts ?? ((value) => options.some((option) => option.value === value)));
  }
  keep('ordem', (value) => orders.some((order) => order.value === value));
  return mended;
}

/** The request for the filters and the order in the address. */
export function bodyOf(
  filters: readonly ListFilter[],
  query: URLSearchParams,
  now: number,
  zone: string,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, kind, toBody } of filters) {
    if (kind === 'period') {
      const [de, ate] = [query.get('de'), query.get('ate')];
      Object.assign(body, de && { de }, ate && { ate }, daysOf(query.get('periodo') ?? '', now, zone));
      continue;
    }
    const value = query.get(name)?.trim();
    if (value)
      Object.assign(body, toBody?.(value) ?? { [name]: kind === 'choices' ? value.split(',') : value });
  }
  const order = query.get('ordem');
  return order ? { ...body, ordem: order } : body;
}

/** An active filter: its label, and the change of the address that removes it. */
export interface ActiveFilter {
  key: string;
  label: string;
  without: Record<string, string | null>;
}

export function activeFilters(
  filters: readonly ListFilter[],
  query: URLSearchParams,
  t: (pt: string, en: string) => string,
): ActiveFilter[] {
  const active: ActiveFilter[] = [];
  const brDay = (day: string) => day.split('-').reverse().join('/');
  for (const filter of filters) {
    const { name, kind, pt, en, options = [] } = filter;
    const label = t(pt, en);
    const wordsOf = (value: string) => {
      const option = options.find((each) => each.value === value);
      return option ? t(option.pt, option.en) : value;
    };
    if (kind === 'period') {
      const period = PERIODS.find(({ value }) => value === query.get('periodo'));
      const [de, ate] = [query.get('de'), query.get('ate')];
      const days = [de && `${t('de', 'from')} ${brDay(de)}`, ate && `${t('até', 'until')} ${brDay(ate)}`];
      const words = period ? t(period.pt, period.en) : days.filter(Boolean).join(' ');
      if (words) active.push({ key: name, label: words, without: { periodo: null, de: null, ate: null } });
      continue;
    }
    const value = query.get(name);
    if (!value) continue;
    if (kind !== 'choices') {
      active.push({ key: name, label: `${label}: ${wordsOf(value)}`, without: { [name]: null } });
      continue;
    }
    const values = value.split(',');
    for (const each of values)
      active.push({
        key: `${name} ${each}`,
        label: wordsOf(each),
        without: { [name]: values.filter((other) => other !== each).join(',') || null },
      });
  }
  return active;
}
