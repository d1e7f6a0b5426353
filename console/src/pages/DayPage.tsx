import { useRef } from 'react';
import { useNow } from '../clock.ts';
import {
  type OpenDelivery,
  type Summary,
  useOpenDeliveries,
  usePositions,
  useRoute,
  useSummary,
} from '../data/deliveries.ts';
import { cornersOf, useMapAreas, useOptions } from '../data/registers.ts';
import { useKeys, useRowKeys } from '../keys.ts';
import { go, Link, usePlace, withQuery } from '../router.tsx';
import { Empty, Loaded } from '../ui/Loaded.tsx';
import { MapView } from '../ui/map/MapView.tsx';
import { useLanguage, useWords } from '../words.ts';
import {
  chooseDeliveries,
  dayLines,
  dayPoints,
  deliveryOfPoint,
  NEUTRAL_LINE,
  placesOf,
  readFilter,
} from './day/dayView.ts';
import { Counts, NeedsMe } from './day/NeedsMe.tsx';
import { OpenTable } from './day/OpenTable.tsx';
import './day/day.css';

const NONE: readonly never[] = [];
/** As many as the server lists. */
const LISTED_MAX = 500;

/** What needs me, the list and the map: one selection for all three, kept in the address like the filters. */
export function DayPage() {
  const t = useWords();
  const { query } = usePlace();
  const summary = useSummary();
  const open = useOpenDeliveries();
  const filter = readFilter(query);
  const search = useRef<HTMLInputElement>(null);

  const all: readonly OpenDelivery[] = open.data ?? NONE;
  const shown = chooseDeliveries(all, filter);
  const selected = query.get('sel');
  const select = (id: string | null) => go(withQuery({ sel: id }), { replace: true });
  useRowKeys({
    rows: shown.map(({ id }) => id),
    selected,
    onSelect: select,
    onOpen: (id) => go(`/entregas/${id}`),
  });
  const clear = () => select(null);
  useKeys({ '/': () => search.current?.focus(), Escape: clear });

  return (
    <div className="day">
      <div className="page-head">
        <h1>{t('O dia', 'The day')}</h1>
        <Counts summary={summary.data} filter={filter} />
        <Link to="/nova" className="button primary">
          {t('Nova entrega', 'New delivery')}
        </Link>
      </div>
      <div className="day-columns">
        <section className="day-needs" aria-labelledby="day-needs">
          <h2 id="day-needs">{t('Precisa de você', 'Needs you')}</h2>
          <Loaded query={open}>
            {(deliveries) => <NeedsMe deliveries={deliveries} summary={summary.data} selected={selected} />}
          </Loaded>
        </section>
        <section className="day-list" aria-labelledby="day-list">
          <div className="day-list-head">
            <h2 id="day-list">{t('Entregas em curso', 'Open deliveries')}</h2>
            <input
              ref={search}
              type="search"
              value={filter.text}
              placeholder={t('Filtrar  /', 'Filter  /')}
              aria-label={t('Filtrar por texto', 'Filter by text')}
              onChange={({ currentTarget }) => go(withQuery({ q: currentTarget.value }), { replace: true })}
              onKeyDown={({ key, currentTarget }) =>
                ['Enter', 'Escape'].includes(key) && currentTarget.blur()
              }
            />
          </div>
          <Loaded query={open}>
            {(deliveries) =>
              shown.length > 0 ? (
                <>
                  <OpenTable deliveries={shown} selected={selected} onSelect={select} />
                  <NotAll listed={deliveries.length} summary={summary.data} />
                </>
              ) : (
                <NothingOpen isFiltered={deliveries.length > 0} />
              )
            }
          </Loaded>
        </section>
        <DayMap deliveries={shown} selected={selected} onSelect={select} filterKey={JSON.stringify(filter)} />
      </div>
    </div>
  );
}

/** The list is read up to a length; the numbers above count all. */
function NotAll({ listed, summary }: { listed: number; summary: Summary | undefined }) {
  const t = useWords();
  const all = summary ? Object.values(summary.entregas).reduce((sum, count) => sum + count, 0) : listed;
  // Both are read one after the other, so a difference of a few says nothing.
  if (listed < LISTED_MAX || all <= listed) return null;
  return (
    <p className="soft">{t(`As ${listed} mais antigas de ${all}.`, `The ${listed} oldest of ${all}.`)}</p>
  );
}

function NothingOpen({ isFiltered }: { isFiltered: boolean }) {
  const t = useWords();
  if (isFiltered)
    return (
      <Empty title={t('Nenhuma entrega com este filtro', 'No deliveries with this filter')}>
        <Link to="/">{t('Mostrar todas', 'Show all')}</Link>
      </Empty>
    );
  return (
    <Empty title={t('Nenhuma entrega em curso', 'No open deliveries')}>
      {t(
        'As entregas abertas por você e pelas integrações aparecem aqui. ',
        'Deliveries opened by you and by integrations appear here. ',
      )}
      <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
    </Empty>
  );
}

function DayMap({
  deliveries,
  selected,
  onSelect,
  filterKey,
}: {
  deliveries: readonly OpenDelivery[];
  selected: string | null;
  onSelect: (id: string | null) => void;
  filterKey: string;
}) {
  const t = useWords();
  const language = useLanguage();
  const now = useNow();
  const drivers = usePositions().data ?? NONE;
  const { data: options } = useOptions();
  const areas = useMapAreas();
  const chosen = deliveries.find(({ id }) => id === selected);
  const { data: route } = useRoute(chosen ? chosen.id : null);

  const points = dayPoints(deliveries, drivers, chosen?.id ?? null, now, language);
  const lines = [
    ...dayLines(deliveries, drivers, chosen?.id ?? null),
    ...(route && chosen ? [{ id: 'whole', line: route.rota.linha, color: NEUTRAL_LINE }] : []),
    ...(route?.restante && chosen ? [{ id: 'left', line: route.restante.linha }] : []),
  ];
  const around = chosen ? placesOf(chosen, drivers) : points.length ? points : cornersOf(options?.limites);
  return (
    <MapView
      label={t(
        'Mapa: entregadores, entregas e a rota da selecionada',
        'Map: drivers, deliveries and the route of the selected one',
      )}
      points={points}
      lines={lines}
      areas={areas}
      around={around}
      aroundKey={chosen ? chosen.id : points.length ? filterKey : 'area'}
      onSelect={(point) => onSelect(deliveryOfPoint(point, selected))}
      onClick={() => onSelect(null)}
    />
  );
}
