import {
  type CSSProperties,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNow } from '../../../../../shared/clock.ts';
import { counted } from '../../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { useSession } from '../../../session.tsx';
import { type BoardColumn, type CellContext, slackText, slackTone } from './boardColumns.tsx';
import { type BoardGroup, type BoardLine, type BoardOrder, type ColumnKey, linesMoved } from './boardRows.ts';

/** Rows are as high as the screen allows for 24 of them. The lower limit is the least size of a target (WCAG 2.5.8). */
const ROW_PX = { min: 24, max: 36 };
const ROWS_WANTED = 24;
const HEAD_PX = 24;
/** Rows drawn above and below those on the screen. */
const OVERSCAN = 8;
const MINUTE_MS = 60_000;
/** What the columns share of the width; the rest is that of the marks. */
const WEIGHTED_PERCENT = 97;

export type PressedHow = 'select' | 'toggle' | 'extend';

const idOf = (line: BoardLine<OpenDelivery>): string =>
  line.kind === 'row' ? line.delivery.id : `grupo ${line.key}`;

interface BoardGridProps {
  label: string;
  lines: readonly BoardLine<OpenDelivery>[];
  columns: readonly BoardColumn[];
  order: BoardOrder;
  onOrder: (by: ColumnKey) => void;
  selected: string | null;
  marked: ReadonlySet<string>;
  onPress: (id: string, how: PressedHow) => void;
  onMarkGroup: (ids: readonly string[]) => void;
  onToggleGroup: (key: string) => void;
  groupName: (group: BoardGroup) => string;
  /** Changes with the order, the grouping and the filters: the list then starts at its top. */
  view: string;
}

/** A grid of rows of one line. Only those on the screen are drawn; one tab stop, and the page's keys move within it. */
export function BoardGrid(props: BoardGridProps) {
  const { label, lines, columns, order, selected, marked, onPress, view } = props;
  const t = useWords();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  const minute = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS;
  const context = useMemo<CellContext>(() => ({ language, zone, now: minute }), [language, zone, minute]);
  const frame = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const height = useHeight(frame) - HEAD_PX;
  const rowPx = Math.min(ROW_PX.max, Math.max(ROW_PX.min, Math.floor(height / ROWS_WANTED)));
  const [first, setFirst] = useState(0);
  const visible = Math.ceil(Math.max(height, 0) / rowPx);
  const from = Math.max(0, first - OVERSCAN);
  const shown = lines.slice(from, first + visible + OVERSCAN);
  const ids = useMemo(() => lines.map(idOf), [lines]);
  useRowsInPlace(frame, { ids, first, visible, rowPx, view });
  useSelectedInSight(frame, ids, selected, rowPx, height);
  const press = usePress(grid, onPress);

  const drawn = selected !== null && shown.some((line) => idOf(line) === selected);
  const wholeWeight = columns.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <div
      ref={frame}
      className="board-frame"
      style={{ '--row': `${rowPx}px`, '--head': `${HEAD_PX}px` } as CSSProperties}
      onScroll={({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / rowPx))}
    >
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows can be marked is a grid
        role="grid"
        className="board-grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={lines.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={drawn ? rowId(selected) : undefined}
      >
        <colgroup>
          <col />
          {columns.map(({ key, weight }) => (
            <col key={key} style={{ width: `${(WEIGHTED_PERCENT * weight) / wholeWeight}%` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
              <span className="unseen">{t('Marcada', 'Marked')}</span>
            </th>
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} onOrder={props.onOrder} />
            ))}
          </tr>
        </thead>
        <tbody ref={press} data-steady>
          <Space px={from * rowPx} />
          {shown.map((line, index) =>
            line.kind === 'group' ? (
              <GroupLine key={idOf(line)} group={line} at={from + index} {...props} />
            ) : (
              <Row
                key={line.delivery.id}
                delivery={line.delivery}
                at={from + index}
                columns={columns}
                context={context}
                isSelected={line.delivery.id === selected}
                isMarked={marked.has(line.delivery.id)}
              />
            ),
          )}
          <Space px={(lines.length - from - shown.length) * rowPx} />
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not drawn. */
const Space = ({ px }: { px: number }) =>
  px > 0 ? (
    <tr className="board-space">
      <td style={{ height: px }} />
    </tr>
  ) : null;

const rowId = (id: string): string => `quadro-${id}`;

function Head({
  column: { key, pt, en, short = { pt, en }, figures },
  order,
  onOrder,
}: {
  column: BoardColumn;
  order: BoardOrder;
  onOrder: (by: ColumnKey) => void;
}) {
  const t = useWords();
  const isSorted = order.by === key;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
      className={figures ? 'figures' : undefined}
    >
      <button type="button" className="plain" title={t(pt, en)} onClick={() => onOrder(key)}>
        {t(short.pt, short.en)}
        {isSorted && <span aria-hidden="true">{order.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

/** Memoised: of the rows drawn, a step of the selection changes only two. */
const Row = memo(function Row({
  delivery,
  at,
  columns,
  context,
  isSelected,
  isMarked,
}: {
  delivery: OpenDelivery;
  at: number;
  columns: readonly BoardColumn[];
  context: CellContext;
  isSelected: boolean;
  isMarked: boolean;
}) {
  return (
    <tr
      id={rowId(delivery.id)}
      className="board-row"
      aria-rowindex={at + 2}
      aria-selected={isMarked}
      aria-current={isSelected ? 'true' : undefined}
      data-delivery={delivery.id}
    >
      <td className="board-check">
        <span aria-hidden="true" />
      </td>
      {columns.map(({ key, figures, text, cell }) => (
        <td key={key} className={figures ? 'figures' : undefined} title={text(delivery, context)}>
          {cell ? cell(delivery, context) : text(delivery, context)}
        </td>
      ))}
    </tr>
  );
});

function GroupLine({
  group,
  at,
  columns,
  marked,
  onMarkGroup,
  onToggleGroup,
  groupName,
}: BoardGridProps & { group: BoardGroup; at: number }) {
  const t = useWords();
  const { ids, slack } = group;
  const isMarked = ids.every((id) => marked.has(id));
  const count = t(counted(ids.length, 'entrega', 'entregas'), counted(ids.length, 'delivery', 'deliveries'));
  return (
    <tr className="board-group" aria-rowindex={at + 2}>
      <td colSpan={columns.length + 1}>
        <button
          type="button"
          className="plain"
          aria-expanded={!group.isClosed}
          onClick={() => onToggleGroup(group.key)}
        >
          <span aria-hidden="true">{group.isClosed ? '▸' : '▾'}</span> {groupName(group)}
        </button>
        <span className="soft">{count}</span>
        {slack !== null && <span className={slackTone(slack) ?? 'soft'}>{slackText(slack)}</span>}
        <button type="button" className="plain" onClick={() => onMarkGroup(ids)}>
          {isMarked ? t('Desmarcar', 'Unmark') : t('Marcar todas', 'Mark all')}
        </button>
      </td>
    </tr>
  );
}

function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current!;
    const observer = new ResizeObserver(() => setHeight(measured.clientHeight));
    observer.observe(measured);
    setHeight(measured.clientHeight);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

/** Keeps the rows on the screen where they are while others come and go above them. */
function useRowsInPlace(
  frame: RefObject<HTMLElement | null>,
  now: { ids: readonly string[]; first: number; visible: number; rowPx: number; view: string },
): void {
  const before = useRef(now);
  useLayoutEffect(() => {
    const { ids, first, visible, view } = before.current;
    before.current = now;
    const element = frame.current!;
    if (view !== now.view) {
      element.scrollTop = 0;
      return;
    }
    if (ids === now.ids || element.scrollTop === 0) return;
    const moved = linesMoved(ids, now.ids, first, first + visible);
    if (moved !== 0) element.scrollTop += moved * now.rowPx;
  });
}

/** Scrolls only when another row is selected, not when the selected one moves. */
function useSelectedInSight(
  frame: RefObject<HTMLElement | null>,
  ids: readonly string[],
  selected: string | null,
  rowPx: number,
  height: number,
): void {
  const latest = useRef({ ids, rowPx, height });
  latest.current = { ids, rowPx, height };
  useEffect(() => {
    const { ids, rowPx, height } = latest.current;
    const at = selected === null ? -1 : ids.indexOf(selected);
    const element = frame.current;
    if (at === -1 || !element) return;
    const top = at * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + height) element.scrollTop = top + rowPx - height;
  }, [frame, selected]);
}

/** One listener for all rows, so that the keyboard does not stop at each of them. */
function usePress(
  grid: RefObject<HTMLElement | null>,
  onPress: (id: string, how: PressedHow) => void,
): RefObject<HTMLTableSectionElement | null> {
  const body = useRef<HTMLTableSectionElement>(null);
  const press = useRef(onPress);
  press.current = onPress;
  useEffect(() => {
    const rows = body.current!;
    const choose = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.target.closest('a, button')) return;
      const id = event.target.closest<HTMLElement>('[data-delivery]')?.dataset.delivery;
      if (!id) return;
      grid.current?.focus({ preventScroll: true });
      if (event.shiftKey) press.current(id, 'extend');
      else if (event.ctrlKey || event.metaKey || event.target.closest('.board-check'))
        press.current(id, 'toggle');
      else press.current(id, 'select');
    };
    rows.addEventListener('click', choose);
    return () => rows.removeEventListener('click', choose);
  }, [grid]);
  return body;
}
