import { type ReactNode, useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import type { OpenDelivery } from '../../data/deliveries.ts';
import { useKeys, useRowKeys } from '../../keys.ts';
import { go } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { focusNextEntry } from './attentionKeys.ts';
import { useIsWide } from './board/boardChoice.ts';
import { DayMap } from './DayMap.tsx';
import { Dragged } from './Dragged.tsx';
import { Drivers } from './Drivers.tsx';
import { OpenTable } from './OpenTable.tsx';
import { useDrag } from './useDrag.ts';

/** Cards that a narrow screen shows at a time. */
const CARDS = 40;

/** What needs attention, the list and the map beside each other, for a day on which all of it can be seen. */
export function CalmDay({
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
  const mayDispatch = useMay('dispatch');
  const drag = useDrag(mayDispatch, onGive);
  const isWide = useIsWide();
  const [pages, setPages] = useState(1);
  const shown = isWide ? deliveries : deliveries.slice(0, pages * CARDS);
  useRowKeys({
    rows: shown.map(({ id }) => id),
    selected,
    onSelect,
    onOpen: (id) => go(`/entregas/${id}`),
  });
  useKeys({ Escape: () => onSelect(null), a: () => onGive(selected), p: focusNextEntry });
  return (
    <div className="day-columns">
      <section className="day-attention" data-steady aria-labelledby="day-attention">
        <h2 id="day-attention">{t('Precisa de você', 'Needs you')}</h2>
        {attention}
      </section>
      <section className="day-list" aria-labelledby="day-list">
        <div className="day-list-head">
          <h2 id="day-list">{t('Entregas em curso', 'Open deliveries')}</h2>
          {search}
        </div>
        {deliveries.length > 0 && <OpenTable deliveries={shown} selected={selected} onSelect={onSelect} />}
        {shown.length < deliveries.length && (
          <button type="button" onClick={() => setPages(pages + 1)}>
            {t(
              `Mostrar mais (${deliveries.length - shown.length})`,
              `Show more (${deliveries.length - shown.length})`,
            )}
          </button>
        )}
        {notes}
      </section>
      <div className="day-side">
        <DayMap deliveries={deliveries} selected={selected} onSelect={onSelect} filterKey={filterKey} />
        {mayDispatch && <Drivers over={drag?.over ?? null} selected={selected} />}
      </div>
      {drag && <Dragged drag={drag} />}
    </div>
  );
}
