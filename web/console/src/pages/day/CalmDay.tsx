import type { ReactNode } from 'react';
import { useWords } from '../../../../shared/words.ts';
import type { OpenDelivery } from '../../data/deliveries.ts';
import { useKeys, useRowKeys } from '../../keys.ts';
import { go } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { focusNextEntry } from './attentionKeys.ts';
import { DayMap } from './DayMap.tsx';
import { Dragged } from './Dragged.tsx';
import { Drivers } from './Drivers.tsx';
import { OpenTable } from './OpenTable.tsx';
import { useDrag } from './useDrag.ts';

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
  useRowKeys({
    rows: deliveries.map(({ id }) => id),
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
        {deliveries.length > 0 && (
          <OpenTable deliveries={deliveries} selected={selected} onSelect={onSelect} />
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
