import { useRef, useState } from 'react';
import { useNow } from '../../../shared/clock.ts';
import { describeDeliveries, describeDrivers } from '../../../shared/map/clusters.ts';
import { MapView } from '../../../shared/map/MapView.tsx';
import { useLanguage, useWords } from '../../../shared/words.ts';
import {
  type OpenDelivery,
  type Summary,
  useOpenDeliveries,
  usePositions,
  useRoute,
  useSummary,
} from '../data/deliveries.ts';
import { cornersOf, useMapAreas, useOptions } from '../data/registers.ts';
import { useKeys, useRowKeys, withKey } from '../keys.ts';
import { go, Link, usePlace, withQuery } from '../router.tsx';
import { IfMay, useMay } from '../session.tsx';
import { Empty, Loaded } from '../ui/Loaded.tsx';
import { useSteady } from '../ui/steady.ts';
import { toast } from '../ui/Toasts.tsx';
import { AttentionList } from './day/AttentionList.tsx';
import { focusNextEntry, pressFirstAction } from './day/attentionKeys.ts';
import { Bell } from './day/Bell.tsx';
import { Counts } from './day/Counts.tsx';
import { Drivers } from './day/Drivers.tsx';
import {
  chooseDeliveries,
  dayPoints,
  deliveryOfPoint,
  driverPoints,
  NEUTRAL_LINE,
  otherPoints,
  placesOf,
  readFilter,
} from './day/dayView.ts';
import { OpenTable } from './day/OpenTable.tsx';
import { type Drag, useDrag } from './day/useDrag.ts';
import { ReassignDialog } from './delivery/ReassignDialog.tsx';
import './day/day.css';

const NONE: readonly never[] = [];
/** The maximum number of deliveries that the server lists. */
const LISTED_MAX = 500;

/** The attention list, the open deliveries and the map. They share one selection, in the address like the filters. */
export function DayPage() {
  const t = useWords();
  const { query } = usePlace();
  const summary = useSummary();
  const open = useOpenDeliveries();
  const steadySummary = useSteady(summary.data, { layoutOf: layoutOfSummary });
  const filter = readFilter(query);
  const search = useRef<HTMLInputElement>(null);

  // The dialog follows the newest data; the lists keep their rows in place while the pointer aims at one.
  const current: readonly OpenDelivery[] = open.data ?? NONE;
  const all = useSteady(open.data, { layoutOf: layoutOfDay }) ?? NONE;
  const shown = chooseDeliveries(all, filter);
  const selected = query.get('sel');
  const select = (id: string | null) => go(withQuery({ sel: id }), { replace: true });
  useRowKeys({
    rows: shown.map(({ id }) => id),
    selected,
    onSelect: select,
    onOpen: (id) => go(`/entregas/${id}`),
  });
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
  const drag = useDrag(mayDispatch, give);
  useKeys({
    f: () => search.current?.focus(),
    Escape: () => select(null),
    a: () => give(selected),
    p: focusNextEntry,
    r: () => pressFirstAction(selected),
  });

  return (
    <div className="day">
      <div className="page-head">
        <h1>{t('O dia', 'The day')}</h1>
        <Counts summary={summary.data} filter={filter} />
        <Bell />
        <IfMay permission="order">
          <Link to="/nova" className="button primary">
            {t('Nova entrega', 'New delivery')}
          </Link>
        </IfMay>
      </div>
      <div className="day-columns">
        <section className="day-attention" data-steady aria-labelledby="day-attention">
          <h2 id="day-attention">{t('Precisa de você', 'Needs you')}</h2>
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
        </section>
        <section className="day-list" aria-labelledby="day-list">
          <div className="day-list-head">
            <h2 id="day-list">{t('Entregas em curso', 'Open deliveries')}</h2>
            <input
              ref={search}
              type="search"
              value={filter.text}
              placeholder={withKey(t('Filtrar', 'Filter'), 'f')}
              aria-label={t('Filtrar por texto', 'Filter by text')}
              onChange={({ currentTarget }) => go(withQuery({ q: currentTarget.value }), { replace: true })}
              onKeyDown={({ key, currentTarget }) =>
                ['Enter', 'Escape'].includes(key) && currentTarget.blur()
              }
            />
          </div>
          <Loaded query={open}>
            {() =>
              shown.length > 0 ? (
                <>
                  <OpenTable deliveries={shown} selected={selected} onSelect={select} />
                  <NotAll listed={all.length} summary={summary.data} />
                </>
              ) : (
                <NothingOpen isFiltered={all.length > 0} />
              )
            }
          </Loaded>
        </section>
        <div className="day-side">
          <DayMap
            deliveries={shown}
            selected={selected}
            onSelect={select}
            filterKey={JSON.stringify(filter)}
          />
          {mayDispatch && <Drivers over={drag?.over ?? null} selected={selected} />}
        </div>
      </div>
      {drag && <Dragged drag={drag} />}
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

/** The label at the pointer while a delivery is dragged to a driver. */
function Dragged({ drag: { deliveryId, x, y, over } }: { drag: Drag }) {
  const t = useWords();
  return (
    <div className="dragged" style={{ left: x + 12, top: y + 12 }} aria-hidden="true">
      <strong>{deliveryId}</strong>{' '}
      {over ? t('soltar aqui', 'drop here') : t('solte em um entregador', 'drop on a driver')}
    </div>
  );
}

/** Says that the list is limited, while the numbers above count all deliveries. */
function NotAll({ listed, summary }: { listed: number; summary: Summary | undefined }) {
  const t = useWords();
  const all = summary ? Object.values(summary.entregas).reduce((sum, count) => sum + count, 0) : listed;
  // The two are read one after the other, so a small difference below the limit means nothing.
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
      <IfMay permission="order">
        <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
      </IfMay>
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

  const atWork = driverPoints(deliveries, drivers, chosen?.id ?? null, now);
  const points = dayPoints(chosen, atWork);
  const otherDrivers = atWork.filter(({ selected: carriesIt }) => !carriesIt);
  const others = otherPoints(deliveries, chosen?.id ?? null, language);
  const lines = [
    ...(route && chosen ? [{ id: 'whole', line: route.rota.linha, color: NEUTRAL_LINE }] : []),
    ...(route?.restante && chosen ? [{ id: 'left', line: route.restante.linha }] : []),
  ];
  const all = [...points, ...otherDrivers, ...others];
  const around = chosen ? placesOf(chosen, drivers) : all.length ? all : cornersOf(options?.limites);
  return (
    <MapView
      label={t(
        'Mapa: entregadores, entregas e a rota da selecionada',
        'Map: drivers, deliveries and the route of the selected one',
      )}
      points={points}
      clustered={[
        {
          kind: 'delivery',
          points: others,
          describe: (count, late) => describeDeliveries(count, late, language),
        },
        { kind: 'driver', points: otherDrivers, describe: (count) => describeDrivers(count, language) },
      ]}
      lines={lines}
      areas={areas}
      around={around}
      aroundKey={chosen ? chosen.id : all.length ? filterKey : 'area'}
      onSelect={(point) => onSelect(deliveryOfPoint(point, selected))}
      onClick={() => onSelect(null)}
    />
  );
}
