import { OPEN_LETTERS, type OpenLetter } from '../../../../../shared/statuses.ts';
import { nextStop, type StopState } from '../openStops.ts';

/** The fields of an open delivery by which the board sorts and groups. */
export interface Listed {
  id: string;
  status: OpenLetter;
  nome_cliente: string;
  condutor: { nome: string } | null;
  prometida_para: string | null;
  folga_segundos: number | null;
  desde: string;
  paradas: readonly (StopState & {
    bairro: string;
    numero_pedido: string | null;
    nome_cliente: string | null;
  })[];
}

/** The columns by which the board can be sorted. */
export const COLUMN_KEYS = [
  'numero',
  'pedido',
  'loja',
  'cliente',
  'bairro',
  'prometida',
  'folga',
  'status',
  'entregador',
  'desde',
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

export const GROUP_KEYS = ['loja', 'bairro', 'entregador', 'status'] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

export interface BoardOrder {
  by: ColumnKey;
  descending: boolean;
}

/** What is about to miss its promise comes first. */
export const BY_SLACK: BoardOrder = { by: 'folga', descending: false };

/** The order in an address: a column, with a minus for the reverse. */
export function readOrder(text: string | null): BoardOrder {
  const by = COLUMN_KEYS.find((key) => key === text?.replace(/^-/, ''));
  return by ? { by, descending: text!.startsWith('-') } : BY_SLACK;
}

export const writeOrder = ({ by, descending }: BoardOrder): string | null =>
  by === BY_SLACK.by && !descending ? null : `${descending ? '-' : ''}${by}`;

export const orderNumbersOf = ({ paradas }: Listed): string =>
  paradas.flatMap(({ numero_pedido }) => numero_pedido ?? []).join(', ');

/** The recipient of the next stop. */
export const recipientOf = (delivery: Listed): string => nextStop(delivery)?.nome_cliente ?? '';

export const districtOf = (delivery: Listed): string => nextStop(delivery)?.bairro ?? '';

type Value = string | number | null;

/** What a column sorts by; null comes last in both directions. */
const sortValueOf: Record<ColumnKey, (delivery: Listed) => Value> = {
  numero: ({ id }) => Number(id),
  pedido: (delivery) => orderNumbersOf(delivery) || null,
  loja: ({ nome_cliente }) => nome_cliente,
  cliente: (delivery) => recipientOf(delivery) || null,
  bairro: (delivery) => districtOf(delivery) || null,
  prometida: ({ prometida_para }) => prometida_para,
  folga: ({ folga_segundos }) => folga_segundos,
  status: ({ status }) => OPEN_LETTERS.indexOf(status),
  entregador: ({ condutor }) => condutor?.nome ?? null,
  desde: ({ desde }) => desde,
};

const collator = new Intl.Collator('pt-BR', { numeric: true });

function compare(one: Value, other: Value, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const rising =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : collator.compare(String(one), String(other));
  return descending ? -rising : rising;
}

export function sortBoard<Each extends Listed>(all: readonly Each[], { by, descending }: BoardOrder): Each[] {
  const keyed = all.map((delivery) => ({
    delivery,
    value: sortValueOf[by](delivery),
    id: Number(delivery.id),
  }));
  keyed.sort((a, b) => compare(a.value, b.value, descending) || a.id - b.id);
  return keyed.map(({ delivery }) => delivery);
}

export interface BoardGroup {
  kind: 'group';
  key: string;
  /** Empty where there is no driver or district. */
  name: string;
  ids: readonly string[];
  /** The smallest slack of its deliveries. */
  slack: number | null;
  isClosed: boolean;
}

export interface BoardRow<Each> {
  kind: 'row';
  delivery: Each;
}

export type BoardLine<Each> = BoardGroup | BoardRow<Each>;

const groupOf: Record<GroupKey, (delivery: Listed) => string> = {
  loja: ({ nome_cliente }) => nome_cliente,
  bairro: districtOf,
  entregador: ({ condutor }) => condutor?.nome ?? '',
  status: ({ status }) => status,
};

/** The lines of the board: sorted rows or, with a grouping, the groups in the order of their first row. */
export function linesOf<Each extends Listed>(
  sorted: readonly Each[],
  group: GroupKey | null,
  closed: ReadonlySet<string>,
): BoardLine<Each>[] {
  const rowsOf = (deliveries: readonly Each[]) =>
    deliveries.map((delivery): BoardRow<Each> => ({ kind: 'row', delivery }));
  if (group === null) return rowsOf(sorted);
  return [...Map.groupBy(sorted, groupOf[group])].flatMap(([name, deliveries]): BoardLine<Each>[] => {
    const slacks = deliveries.flatMap(({ folga_segundos }) => folga_segundos ?? []);
    const head: BoardGroup = {
      kind: 'group',
      key: `${group} ${name}`,
      name,
      ids: deliveries.map(({ id }) => id),
      slack: slacks.length > 0 ? Math.min(...slacks) : null,
      isClosed: closed.has(`${group} ${name}`),
    };
    return head.isClosed ? [head] : [head, ...rowsOf(deliveries)];
  });
}

/** The ids from one row to another, both included, in the order shown. */
export function idsBetween(ids: readonly string[], from: string | null, to: string): string[] {
  const end = ids.indexOf(to);
  const start = from === null ? end : ids.indexOf(from);
  if (end === -1) return [];
  if (start === -1) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * By how many lines the rows on the screen have moved: the median of those still there, so that one row that changes its
 * place does not take the others along.
 */
export function linesMoved(
  before: readonly (string | null)[],
  after: readonly (string | null)[],
  first: number,
  last: number,
): number {
  const placeAfter = new Map(after.map((id, index) => [id, index]));
  const moves: number[] = [];
  for (let index = first; index <= Math.min(last, before.length - 1); index += 1) {
    const id = before[index] ?? null;
    const place = id === null ? undefined : placeAfter.get(id);
    if (place !== undefined) moves.push(place - index);
  }
  moves.sort((a, b) => a - b);
  return moves[Math.floor(moves.length / 2)] ?? 0;
}
