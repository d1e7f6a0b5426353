import { useMemo, useRef, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { type OpenDelivery, type Summary, useOpenDeliveries, useSummary } from '../data/deliveries.ts';
import { useKeys, withKey } from '../keys.ts';
import { go, Link, usePlace, withQuery } from '../router.tsx';
import { IfMay, useMay } from '../session.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { useSteady } from '../ui/steady.ts';
import { toast } from '../ui/Toasts.tsx';
import { AttentionList } from './day/AttentionList.tsx';
import { pressFirstAction } from './day/attentionKeys.ts';
import { Bell } from './day/Bell.tsx';
import { BoardDay } from './day/board/BoardDay.tsx';
import { useBeginsAsBoard, useBoardChoice, useIsWide } from './day/board/boardChoice.ts';
import { CalmDay } from './day/CalmDay.tsx';
import { Counts } from './day/Counts.tsx';
import { chooseDeliveries, type DayFilter, readFilter } from './day/dayView.ts';
import { NotAll, NothingOpen } from './day/listNotes.tsx';
import { ReassignDialog } from './delivery/ReassignDialog.tsx';
import './day/day.css';

const NONE: readonly never[] = [];

/**
 * The attention list, the open deliveries and the map, as three columns or as a board for many. They share one selection,
 * in the address like the filters.
 */
export function DayPage() {
  const t = useWords();
  const { query } = usePlace();
  const summary = useSummary();
  const open = useOpenDeliveries();
  const steadySummary = useSteady(summary.data, { layoutOf: layoutOfSummary });
  const filter = readFilter(query);
  const search = useRef<HTMLInputElement>(null);
  const [choice, choose] = useBoardChoice();
  const isWide = useIsWide();
  const beginsAsBoard = useBeginsAsBoard(open.data?.length);
  const isBoard = isWide && (choice.isBoard ?? beginsAsBoard);

  // The dialog follows the newest data; the lists keep their rows in place while the pointer aims at one.
  const current: readonly OpenDelivery[] = open.data ?? NONE;
  const all = useSteady(open.data, { layoutOf: layoutOfDay }) ?? NONE;
  const filterKey = JSON.stringify(filter);
  const shown = useMemo(() => chooseDeliveries(all, JSON.parse(filterKey) as DayFilter), [all, filterKey]);
  const selected = query.get('sel');
  const select = (id: string | null) => go(withQuery({ sel: id }), { replace: true });
  const mayDispatch = useMay('dispatch');
  const [giving, setGiving] = useState<Giving | null>(null);
  const give = (deliveryId: string | null, driverId?: string) => {
    if (deliveryId === null || !mayDispatch) return;
    const delivery = current.find(({ id }) => id === deliveryId);
    if (!delivery)
      return toast(
        t(`A entrega ${deliveryId} já não está em curso.`, `Delivery ${deliveryId} is no longer open.`),
        'failed',
      );
    select(delivery.id);
    setGiving({ delivery, ...(driverId !== undefined && { driverId }) });
  };
  const toggleBoard = () => choose({ isBoard: !isBoard });
  useKeys({
    f: () => search.current?.focus(),
    r: () => pressFirstAction(selected),
    ...(isWide && { b: toggleBoard }),
  });

  const parts = {
    deliveries: shown,
    filterKey,
    selected,
    onSelect: select,
    onGive: give,
    search: (
      <input
        ref={search}
        type="search"
        value={filter.text}
        placeholder={withKey(t('Filtrar', 'Filter'), 'f')}
        aria-label={t('Filtrar por texto', 'Filter by text')}
        onChange={({ currentTarget }) => go(withQuery({ q: currentTarget.value }), { replace: true })}
        onKeyDown={({ key, currentTarget }) => ['Enter', 'Escape'].includes(key) && currentTarget.blur()}
      />
    ),
    attention: (
      <Loaded query={open}>
        {() => (
          <AttentionList
            deliveries={all}
            summary={steadySummary}
            selected={selected}
            onGive={({ id }) => give(id)}
          />
        )}
      </Loaded>
    ),
    notes: (
      <Loaded query={open}>
        {() =>
          shown.length > 0 ? (
            <NotAll listed={all.length} summary={summary.data} />
          ) : (
            <NothingOpen isFiltered={all.length > 0} />
          )
        }
      </Loaded>
    ),
  };
  return (
    <div className={isBoard ? 'day has-board' : 'day'}>
      <div className="page-head">
        <h1>{t('O dia', 'The day')}</h1>
        <Counts summary={summary.data} filter={filter} bare={isBoard} />
        <Bell />
        {isWide && (
          <button type="button" aria-pressed={isBoard} aria-keyshortcuts="b" onClick={toggleBoard}>
            {t('Quadro', 'Board')}
          </button>
        )}
        <IfMay permission="order">
          <Link to="/nova" className="button primary">
            {t('Nova entrega', 'New delivery')}
          </Link>
        </IfMay>
      </div>
      {isBoard ? <BoardDay {...parts} /> : <CalmDay {...parts} />}
      {giving && (
        <ReassignDialog {...giving} delivery={given(giving, current)} onClose={() => setGiving(null)} />
      )}
    </div>
  );
}

/** The rows of the lists: the fields that decide a delivery's group, in the order of the list. */
const layoutOfDay = (all: readonly OpenDelivery[]) =>
  chooseDeliveries(all, { status: null, late: false, text: '' }).map(
    ({ id, status, atrasada, vai_atrasar, conferir_endereco }) =>
      `${id}${status}${atrasada}${vai_atrasar}${conferir_endereco}`,
  );

/** The groups other than those of deliveries. */
const layoutOfSummary = (summary: Summary) => [
  ...summary.pedidos_ajuda.map(({ id }) => id),
  ...[summary.webhooks_com_problema, summary.programadas_com_falha, summary.paradas_nao_entregues].map(
    (count) => count > 0,
  ),
];

/** A delivery about to be given to a driver. */
interface Giving {
  delivery: OpenDelivery;
  driverId?: string;
}

/** The delivery as it is now, because its status may change while the dialog is open. If it is gone, as it was. */
const given = ({ delivery }: Giving, all: readonly OpenDelivery[]): OpenDelivery =>
  all.find(({ id }) => id === delivery.id) ?? delivery;
