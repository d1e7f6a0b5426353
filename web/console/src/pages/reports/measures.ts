import type { Language } from '../../../../shared/words.ts';
import type { Figures } from '../../data/reports.ts';

/** A measure of deliveries. `of` returns null if these figures have no value for it. */
export interface Measure {
  name: string;
  pt: string;
  en: string;
  unit: 'count' | 'percent' | 'seconds' | 'km';
  /** Whether more is better. */
  up: 'good' | 'bad' | 'neutral';
  of(figures: Figures): number | null;
}

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);
/** The median, or else the mean: figures by hour have means only. */
const typical = (time: Figures['tempos']['total']): number | null => time.mediana ?? time.media;

export const measures: readonly Measure[] = [
  {
    name: 'encerradas',
    pt: 'Entregas',
    en: 'Deliveries',
    unit: 'count',
    up: 'neutral',
    of: (f) => f.encerradas,
  },
  {
    name: 'no_prazo',
    pt: 'No prazo',
    en: 'On time',
    unit: 'percent',
    up: 'good',
    of: (f) => percent(f.no_prazo, f.com_prazo),
  },
  {
    name: 'aceite',
    pt: 'Até o aceite',
    en: 'To accept',
    unit: 'seconds',
    up: 'bad',
    of: (f) => typical(f.tempos.aceite),
  },
  {
    name: 'coleta',
    pt: 'Do aceite à coleta',
    en: 'To pick up',
    unit: 'seconds',
    up: 'bad',
    of: (f) => typical(f.tempos.coleta),
  },
  {
    name: 'entrega',
    pt: 'Da coleta à entrega',
    en: 'To deliver',
    unit: 'seconds',
    up: 'bad',
    of: (f) => typical(f.tempos.entrega),
  },
  {
    name: 'total',
    pt: 'Do pedido à entrega',
    en: 'Order to delivery',
    unit: 'seconds',
    up: 'bad',
    of: (f) => typical(f.tempos.total),
  },
  {
    name: 'canceladas',
    pt: 'Canceladas',
    en: 'Cancelled',
    unit: 'count',
    up: 'bad',
    of: (f) => f.canceladas,
  },
  {
    name: 'nao_atendidas',
    pt: 'Não atendidas',
    en: 'Not attended',
    unit: 'count',
    up: 'bad',
    of: (f) => f.nao_atendidas,
  },
  {
    name: 'paradas_nao_entregues',
    pt: 'Paradas não entregues',
    en: 'Stops not delivered',
    unit: 'count',
    up: 'bad',
    of: (f) => f.paradas_nao_entregues,
  },
  {
    name: 'km',
    pt: 'Km economizados',
    en: 'Kilometres saved',
    unit: 'km',
    up: 'good',
    of: ({ metros_economizados: metres }) => (metres === null ? null : metres / 1000),
  },
];

/** The figures with mean times only, because medians are not known of all parts and could not be compared. */
export function withMeans<Of extends Figures>(figures: Of): Of {
  const mean = ({ media }: Figures['tempos']['total']) => ({ media, mediana: null, p90: null });
  const { aceite, coleta, entrega, total } = figures.tempos;
  return {
    ...figures,
    tempos: { aceite: mean(aceite), coleta: mean(coleta), entrega: mean(entrega), total: mean(total) },
  };
}

/** Figures by hour have neither stops nor kilometres. */
export const isByHour = ({ name }: Measure): boolean => name !== 'km' && name !== 'paradas_nao_entregues';

const locale = (language: Language): string => (language === 'pt' ? 'pt-BR' : 'en-GB');

/** 1.234 · 91,2 % · 12 min · 48,2 km */
export function formatValue(value: number | null, unit: Measure['unit'], language: Language): string {
  if (value === null) return '–';
  const write = (number: number, digits: number) =>
    number.toLocaleString(locale(language), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (unit === 'percent') return `${write(value, 1)}\u00a0%`;
  if (unit === 'km') return `${write(value, 1)}\u00a0km`;
  if (unit === 'count') return write(value, 0);
  if (value < 60) return `${write(Math.round(value), 0)}\u00a0s`;
  if (value < 3600) return `${write(value / 60, value < 600 ? 1 : 0)}\u00a0min`;
  const minutes = Math.round(value / 60);
  return `${write(Math.floor(minutes / 60), 0)}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;
}

/** The difference from the value before, or null if one is missing: absolute for times and rates, else in percent. */
export function formatDelta(
  value: number | null,
  before: number | null,
  unit: Measure['unit'],
  language: Language,
): string | null {
  if (value === null || before === null) return null;
  const difference = value - before;
  if (Math.abs(difference) < 0.05) return language === 'pt' ? 'igual' : 'the same';
  const sign = difference > 0 ? '+' : '−';
  const write = (number: number) =>
    Math.abs(number).toLocaleString(locale(language), { maximumFractionDigits: 1 });
  if (unit === 'percent') return `${sign}${write(difference)} ${language === 'pt' ? 'p.p.' : 'pts'}`;
  if (unit === 'seconds') return `${sign}${formatValue(Math.abs(difference), 'seconds', language)}`;
  if (before === 0) return `${sign}${write(difference)}`;
  return `${sign}${write((100 * difference) / Math.abs(before))}\u00a0%`;
}
