import type { ReactNode } from 'react';
import { formatMoment, type Language } from '../../../../../shared/formats.ts';
import { statusLabel } from '../../../../../shared/statuses.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { Link } from '../../../router.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { isOpenStop } from '../openStops.ts';
import { COLUMN_KEYS, type ColumnKey, districtOf, orderNumbersOf, recipientOf } from './boardRows.ts';

/** What cells depend on besides their delivery. */
export interface CellContext {
  language: Language;
  zone: string;
  /** To the minute, so that rows are drawn again no more often. */
  now: number;
}

export interface BoardColumn {
  key: ColumnKey;
  pt: string;
  en: string;
  /** The header, where the name is too long for it. */
  short?: { pt: string; en: string };
  /** Its share of the width. */
  weight: number;
  figures?: boolean;
  /** Plain text, also the cell's title where it may be cut off. */
  text: (delivery: OpenDelivery, context: CellContext) => string;
  cell?: (delivery: OpenDelivery, context: CellContext) => ReactNode;
}

const MINUTE = 60;
const HOUR = 60;

/** "+12 min" or "−5 min". */
export function slackText(seconds: number): string {
  const minutes = Math.round(seconds / MINUTE);
  return `${minutes < 0 ? '−' : '+'}${Math.abs(minutes)} min`;
}

/** Below this, a delivery needs attention although it is not late. */
const TIGHT_SECONDS = 5 * MINUTE;

export const slackTone = (seconds: number): 'late' | 'tight' | undefined =>
  seconds < 0 ? 'late' : seconds < TIGHT_SECONDS ? 'tight' : undefined;

const clock = (at: string | null, { language, zone, now }: CellContext): string =>
  at === null ? '—' : formatMoment(Date.parse(at), now, zone, language);

/** "45 min" or "1 h 5". */
const waited = (minutes: number): string =>
  minutes < HOUR
    ? `${Math.floor(minutes)} min`
    : `${Math.floor(minutes / HOUR)} h ${Math.floor(minutes % HOUR)}`;

const slackOf = ({ folga_segundos, condutor }: OpenDelivery): string => {
  if (folga_segundos === null) return '—';
  return `${condutor ? '' : '≈ '}${slackText(folga_segundos)}`;
};

const columns: Record<ColumnKey, Omit<BoardColumn, 'key'>> = {
  numero: {
    pt: 'Nº',
    en: 'No.',
    weight: 5,
    figures: true,
    text: ({ id }) => id,
    cell: ({ id }) => (
      <Link to={`/entregas/${id}`} tabIndex={-1}>
        {id}
      </Link>
    ),
  },
  pedido: { pt: 'Pedido', en: 'Order', weight: 8, text: orderNumbersOf },
  loja: {
    pt: 'Loja',
    en: 'Shop',
    weight: 12,
    text: ({ nome_cliente }) => nome_cliente,
  },
  cliente: { pt: 'Cliente', en: 'Recipient', weight: 10, text: recipientOf },
  bairro: {
    pt: 'Bairro',
    en: 'District',
    weight: 11,
    text: (delivery) => {
      const { paradas } = delivery;
      const done = paradas.filter((stop) => !isOpenStop(stop)).length;
      return `${districtOf(delivery)}${paradas.length > 1 ? ` ${done}/${paradas.length}` : ''}`;
    },
  },
  prometida: {
    pt: 'Prometida',
    en: 'Promised',
    short: { pt: 'Até', en: 'By' },
    weight: 6,
    figures: true,
    text: ({ prometida_para }, context) => clock(prometida_para, context),
  },
  folga: {
    pt: 'Folga',
    en: 'Slack',
    weight: 13,
    figures: true,
    text: slackOf,
    cell: (delivery) => {
      const { folga_segundos } = delivery;
      const tone = folga_segundos === null ? undefined : slackTone(folga_segundos);
      return (
        <span className={tone}>
          {tone === 'late' && '! '}
          {slackOf(delivery)}
        </span>
      );
    },
  },
  status: {
    pt: 'Status',
    en: 'Status',
    weight: 16,
    text: ({ status }, { language }) => statusLabel[status][language],
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  entregador: {
    pt: 'Entregador',
    en: 'Driver',
    weight: 11,
    text: ({ condutor }) => condutor?.nome ?? '—',
  },
  desde: {
    pt: 'Espera',
    en: 'Waiting',
    weight: 7,
    figures: true,
    text: ({ desde }, { now }) => waited(Math.max(0, now - Date.parse(desde)) / 60_000),
  },
};

export const boardColumns: readonly BoardColumn[] = COLUMN_KEYS.map((key) => ({ key, ...columns[key] }));
