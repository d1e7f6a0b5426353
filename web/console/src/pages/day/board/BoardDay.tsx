import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type OpenLetter, statusLabel } from '../../../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { useKeys } from '../../../keys.ts';
import { go, usePlace, withQuery } from '../../../router.tsx';
import { useMay } from '../../../session.tsx';
import { focusNextEntry } from '../attentionKeys.ts';
import { DayMap } from '../DayMap.tsx';
import { Dragged } from '../Dragged.tsx';
import { Drivers } from '../Drivers.tsx';
import { useDrag } from '../useDrag.ts';
import { BoardGrid } from './BoardGrid.tsx';
import { BoardSide, type Side } from './BoardSide.tsx';
import { BundleCards } from './BundleCards.tsx';
import { useBoardChoice } from './boardChoice.ts';
import { boardColumns } from './boardColumns.tsx';
import { type BoardGroup, GROUP_KEYS, linesOf, readOrder, sortBoard, writeOrder } from './boardRows.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { DistributeDialog } from './DistributeDialog.tsx';
import { GroupMarked } from './GroupMarked.tsx';
import { type BarAction, ManyBar } from './ManyBar.tsx';
import { ManyDialog } from './ManyDialog.tsx';
import { isWaiting } from './manyResults.ts';
import { OfferDialog } from './OfferDialog.tsx';
import { PrintSheet } from './PrintSheet.tsx';
import { useMarks } from './useMarks.ts';
import './board.css';

/** The open deliveries as a dense board, for many at once. Order and grouping are in the address. */
export function BoardDay({
  deliveries,
  filterKey,
  search,
  selected,
  onSelect,
  onGive,
  attention,
  notes,
}: {
  /** Those that the filters show. */
  deliveries: readonly OpenDelivery[];
  filterKey: string;
  search: ReactNode;
  selected: string | null;
  onSelect: (id: string | null) => void;
  onGive: (id: string | null, driverId?: string) => void;
  attention: ReactNode;
  /** What is said instead of, or below, the rows. */
  notes: ReactNode;
}) {
  const t = useWords();
  const language = useLanguage();
  const { query } = usePlace();
  const mayDispatch = useMay('dispatch');
  const [choice, choose] = useBoardChoice();
  const [side, setSide] = useState<Side>('attention');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [doing, setDoing] = useState<Doing | null>(null);

  const orderText = query.get('ordem');
  const order = useMemo(() => readOrder(orderText), [orderText]);
  const group = GROUP_KEYS.find((key) => key === query.get('grupo')) ?? null;
  const sorted = useMemo(() => sortBoard(deliveries, order), [deliveries, order]);
  const lines = useMemo(() => linesOf(sorted, group, closed), [sorted, group, closed]);
  const ids = useMemo(() => inOrder(lines), [lines]);
  const marks = useMarks(ids);
  const marked = sorted.filter(({ id }) => marks.ids.has(id));
  const current = deliveries.find(({ id }) => id === selected);
  const columns = useMemo(
    () => boardColumns.filter(({ key }) => choice.columns.includes(key)),
    [choice.columns],
  );

  const act = (action: BarAction, driverId?: string) => {
    if (marked.length === 0) return;
    setDoing({ action, deliveries: marked, ...(driverId !== undefined && { driverId }) });
  };
  const markShop = () => {
    if (!current) return;
    marks.toggleAll(
      sorted.filter(({ nome_cliente }) => nome_cliente === current.nome_cliente).map(({ id }) => id),
    );
  };
  const distribute = () => {
    const planned = marked.length > 0 ? marked : sorted.filter(isWaiting);
    if (planned.length > 0) setDoing({ action: 'distribute', deliveries: planned });
  };
  const takeBundle = (bundle: readonly string[]) => {
    marks.set(bundle);
    setDoing({ action: 'offer', deliveries: sorted.filter(({ id }) => bundle.includes(id)) });
  };
  const drag = useDrag(mayDispatch, (id, driverId) =>
    marks.ids.has(id) && marks.ids.size > 1 ? act('offer', driverId) : onGive(id, driverId),
  );
  const shownSide = drag ? 'drivers' : side;

  const step = (by: number, extends_: boolean) => {
    const at = selected === null ? -1 : ids.indexOf(selected);
    const next = at === -1 ? ids[by > 0 ? 0 : ids.length - 1] : ids[at + by];
    if (next === undefined) return;
    if (extends_) {
      if (marks.ids.size === 0 && selected !== null) marks.toggle(selected);
      marks.extendTo(next);
    }
    onSelect(next);
  };
  const forward = (event: KeyboardEvent) => step(1, event.shiftKey);
  const back = (event: KeyboardEvent) => step(-1, event.shiftKey);
  useKeys({
    j: forward,
    J: forward,
    ArrowDown: forward,
    k: back,
    K: back,
    ArrowUp: back,
    Enter: () => selected !== null && go(`/entregas/${selected}`),
    x: () => selected !== null && marks.toggle(selected),
    e: markShop,
    ...(mayDispatch && { d: distribute }),
    a: () => (marked.length > 0 && mayDispatch ? act('offer') : onGive(selected)),
    p: () => {
      flushSync(() => {
        setSide('attention');
        choose({ hasSide: true });
      });
      focusNextEntry();
    },
    Escape: () => (marks.ids.size > 0 ? marks.set([]) : onSelect(null)),
  });

  const orderBy = (by: typeof order.by) =>
    go(withQuery({ ordem: writeOrder({ by, descending: order.by === by && !order.descending }) }), {
      replace: true,
    });
  const toggleGroup = (key: string) => {
    const next = new Set(closed);
    if (!next.delete(key)) next.add(key);
    setClosed(next);
  };
  const groupName = ({ key, name }: BoardGroup) => {
    if (key.startsWith('status ')) return statusLabel[name as OpenLetter][language];
    if (name !== '') return name;
    return key.startsWith('entregador ')
      ? t('Sem entregador', 'Without a driver')
      : t('Sem bairro', 'No district');
  };
  const close = useCallback(() => setDoing(null), []);
  const isOver = drag?.over ?? null;
  return (
    <div className={choice.hasSide ? 'day-board' : 'day-board alone'}>
      <section className="board-list" aria-label={t('Entregas em curso', 'Open deliveries')}>
        <div className="board-bar">
          <ManyBar
            marked={marked}
            onAct={act}
            onClear={() => marks.set([])}
            shop={current?.nome_cliente ?? null}
            onMarkShop={markShop}
            waiting={sorted.filter(isWaiting).length}
            onDistribute={distribute}
          />
          {/* Marks take the place of what chooses the view, so that no row moves. */}
          {marked.length === 0 && (
            <div className="board-view">
              {search}
              <label>
                {t('Grupos', 'Groups')}
                <select
                  value={group ?? ''}
                  onChange={({ currentTarget }) =>
                    go(withQuery({ grupo: currentTarget.value }), { replace: true })
                  }
                >
                  <option value="">{t('nenhum', 'none')}</option>
                  {boardColumns
                    .filter(({ key }) => GROUP_KEYS.some((each) => each === key))
                    .map(({ key, pt, en }) => (
                      <option key={key} value={key}>
                        {t(pt, en)}
                      </option>
                    ))}
                </select>
              </label>
              <ColumnsMenu chosen={choice.columns} onChoose={(columns) => choose({ columns })} />
              <button
                type="button"
                aria-pressed={choice.hasSide}
                onClick={() => choose({ hasSide: !choice.hasSide })}
              >
                {t('Lado', 'Side')}
              </button>
            </div>
          )}
        </div>
        {lines.length > 0 && (
          <BoardGrid
            label={t('Entregas em curso', 'Open deliveries')}
            lines={lines}
            columns={columns}
            order={order}
            onOrder={orderBy}
            selected={selected}
            marked={marks.ids}
            onPress={(id, how) => {
              if (how === 'toggle') marks.toggle(id);
              else if (how === 'extend') marks.extendTo(id);
              onSelect(id);
            }}
            onMarkGroup={marks.toggleAll}
            onToggleGroup={toggleGroup}
            groupName={groupName}
            view={`${order.by} ${order.descending} ${group} ${filterKey}`}
          />
        )}
        {notes}
      </section>
      {choice.hasSide && (
        <BoardSide
          side={shownSide}
          onSide={setSide}
          attention={attention}
          drivers={
            mayDispatch ? (
              <>
                {!drag && <BundleCards deliveries={sorted} onTake={takeBundle} />}
                <Drivers over={isOver} selected={selected} />
              </>
            ) : null
          }
          map={<DayMap deliveries={sorted} selected={selected} onSelect={onSelect} filterKey={filterKey} />}
        />
      )}
      {drag && <Dragged drag={drag} count={marks.ids.has(drag.deliveryId) ? marks.ids.size : 1} />}
      {doing && <Action doing={doing} markRefused={marks.set} onClose={close} />}
    </div>
  );
}

/** An action on the deliveries that were marked when it was chosen. */
interface Doing {
  action: BarAction;
  deliveries: readonly OpenDelivery[];
  driverId?: string;
}

function Action({
  doing: { action, deliveries, driverId },
  markRefused,
  onClose,
}: {
  doing: Doing;
  markRefused: (refused: readonly string[]) => void;
  onClose: () => void;
}) {
  const given = { deliveries, markRefused, onClose };
  if (action === 'offer') return <OfferDialog {...given} {...(driverId !== undefined && { driverId })} />;
  if (action === 'distribute') return <DistributeDialog {...given} />;
  if (action === 'group') return <GroupMarked ids={deliveries.map(({ id }) => id)} onClose={onClose} />;
  if (action === 'print') return <PrintSheet deliveries={deliveries} onPrinted={onClose} />;
  return <ManyDialog action={action} {...given} />;
}

const inOrder = (lines: ReturnType<typeof linesOf<OpenDelivery>>): string[] =>
  lines.flatMap((line) => (line.kind === 'row' ? line.delivery.id : []));
