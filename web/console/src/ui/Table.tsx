import { memo, type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../../../shared/words.ts';
import { Link, usePlace, withQuery } from '../router.tsx';

/** The number of the page, from the address. */
export const usePage = (): number => Math.max(1, Math.trunc(Number(usePlace().query.get('pagina'))) || 1);

/** Lists have no total count, so a full page may be followed by another. */
export function Pager({ shown, limit }: { shown: number; limit: number }) {
  const t = useWords();
  const page = usePage();
  const at = (number: number) => withQuery({ pagina: number > 1 ? String(number) : null });
  if (page === 1 && shown < limit) return null;
  return (
    <nav className="pager" aria-label={t('Páginas', 'Pages')}>
      {page > 1 && <Link to={at(page - 1)}>‹ {t('Anteriores', 'Previous')}</Link>}
      <span className="soft">
        {t('Página', 'Page')} {page}
      </span>
      {shown === limit && <Link to={at(page + 1)}>{t('Próximas', 'Next')} ›</Link>}
    </nav>
  );
}

export interface Column<Row> {
  key: string;
  header: ReactNode;
  /** The text of a header that is more than a text. */
  name?: string;
  cell: (row: Row) => ReactNode;
  /** Aligned as numbers. */
  figures?: boolean;
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  /** Set if the rows are in the order of this column. */
  sorted?: 'ascending' | 'descending';
}

interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The key of the selected row. The page holds the selection, with `useRowKeys` of keys.ts. */
  selected?: string | null;
  onSelect?: (key: string) => void;
  rowClass?: (row: Row) => string | undefined;
  /** The rows are those of an earlier request, until the answer to the current one arrives. */
  isOld?: boolean;
  /**
   * On a phone each row is a card: the first cell is its head, and the others are below it with the names of their
   * columns, or beside each other in a compact card.
   */
  cards?: boolean | 'compact';
}

/** A dense table. The selected row is scrolled into view; a click anywhere on a row selects it. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  selected = null,
  onSelect,
  rowClass,
  isOld = false,
  cards = false,
}: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const select = useRef(onSelect);
  select.current = onSelect;

  useEffect(() => {
    if (selected === null) return;
    body.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  // The listener is on the body, so that the keyboard stops only at the links and buttons of the rows.
  useEffect(() => {
    const rowsOf = body.current;
    const choose = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('a, button, input')) return;
      const row = event.target instanceof Element ? event.target.closest('tr') : null;
      if (row?.dataset.key) select.current?.(row.dataset.key);
    };
    rowsOf?.addEventListener('click', choose);
    return () => rowsOf?.removeEventListener('click', choose);
  }, []);

  // Makes a scrollable table scrollable by keyboard too.
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div ref={frame} className="table-frame">
      <table
        className={['dense', onSelect && 'selectable', cards && 'cards', cards === 'compact' && 'compact']
          .filter(Boolean)
          .join(' ')}
        aria-busy={isOld}
      >
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)} aria-sort={column.sorted}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} data-steady>
          {rows.map((row) => {
            const key = rowKey(row);
            return (
              <Row
                key={key}
                name={key}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                className={rowClass?.(row)}
                isSelected={key === selected}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Memoised: of hundreds of rows, a step of the selection changes only two. */
const Row = memo(function Row({
  name,
  row,
  columns,
  className,
  isSelected,
}: {
  name: string;
  row: unknown;
  columns: readonly Column<unknown>[];
  className: string | undefined;
  isSelected: boolean;
}) {
  return (
    <tr data-key={name} className={className} aria-current={isSelected ? 'true' : undefined}>
      {columns.map((column) => (
        <td key={column.key} className={classOf(column)} data-column={nameOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
});

const nameOf = ({ header, name }: Column<never>): string | undefined =>
  name ?? (typeof header === 'string' ? header : undefined);

const classOf = ({ figures, wideOnly }: Column<never>): string | undefined =>
  [figures && 'figures', wideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined;
