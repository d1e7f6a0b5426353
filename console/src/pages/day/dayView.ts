import type { DriverAtWork, OpenDelivery } from '../../data/deliveries.ts';
import { OPEN_LETTERS, type OpenLetter, statusLabel } from '../../statuses.ts';
import type { MapLine } from '../../ui/map/MapView.tsx';
import { initials, type MapPoint, type Position } from '../../ui/map/mapPoint.ts';
import type { Language } from '../../words.ts';

/** What the address asks for. */
export interface DayFilter {
  status: OpenLetter | null;
  late: boolean;
  text: string;
}

export function readFilter(query: URLSearchParams): DayFilter {
  const status = OPEN_LETTERS.find((letter) => letter === query.get('status')) ?? null;
  return { status, late: query.get('atrasadas') === '1', text: query.get('q') ?? '' };
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Late ones first, the most overdue of them on top; then in the order of their life, the oldest first. */
export function chooseDeliveries(all: readonly OpenDelivery[], filter: DayFilter): OpenDelivery[] {
  const wanted = plain(filter.text.trim());
  return all
    .filter(
      (one) =>
        (filter.status === null || one.status === filter.status) &&
        (!filter.late || one.atrasada) &&
        (wanted === '' || plain(textOf(one)).includes(wanted)),
    )
    .sort(
      (a, b) =>
        Number(b.atrasada) - Number(a.atrasada) ||
        (a.atrasada ? a.previsao.localeCompare(b.previsao) : 0) ||
        OPEN_LETTERS.indexOf(a.status) - OPEN_LETTERS.indexOf(b.status) ||
        a.solicitada_em.localeCompare(b.solicitada_em),
    );
}

const textOf = ({ id, nome_cliente, categoria, condutor, partida, paradas }: OpenDelivery): string =>
  [
    id,
    nome_cliente,
    categoria,
    condutor?.nome ?? '',
    ...[partida, ...paradas].flatMap(({ endereco, bairro }) => [endereco, bairro]),
  ].join(' ');

/** Where it goes next: to the pickup, then from stop to stop. */
const nextPlace = ({ status, partida, paradas }: OpenDelivery) =>
  (status === 'E' ? paradas.find(({ concluida }) => !concluida) : undefined) ?? partida;

/** The stop it is for now. */
export const nextStop = ({ paradas }: OpenDelivery) =>
  paradas.find(({ concluida }) => !concluida) ?? paradas.at(-1);

const OLD_MS = 5 * 60_000;

/** What the map shows: each delivery where it goes next, the selected one with all its stops, and the drivers. */
export function dayPoints(
  deliveries: readonly OpenDelivery[],
  drivers: readonly DriverAtWork[],
  selected: string | null,
  now: number,
  language: Language,
): MapPoint[] {
  const byId = new Map(deliveries.map((one) => [one.id, one]));
  const points = deliveries
    .filter(({ id }) => id !== selected)
    .map((one): MapPoint => {
      const { lat, lng } = nextPlace(one);
      return {
        id: `entrega ${one.id}`,
        shape: 'pickup',
        letter: one.status,
        tone: one.status.toLowerCase(),
        label: `${one.id} · ${statusLabel[one.status][language]} · ${one.nome_cliente}`,
        lat,
        lng,
      };
    });
  const chosen = selected === null ? undefined : byId.get(selected);
  return [
    ...points,
    ...(chosen ? selectedPoints(chosen) : []),
    ...drivers.flatMap((driver) => driverPoint(driver, byId, selected, now)),
  ];
}

const selectedPoints = (one: OpenDelivery): MapPoint[] => [
  {
    id: `entrega ${one.id}`,
    shape: 'pickup',
    letter: one.status,
    tone: one.status.toLowerCase(),
    label: `${one.id} · ${one.partida.endereco}`,
    selected: true,
    lat: one.partida.lat,
    lng: one.partida.lng,
  },
  ...one.paradas.map(
    (stop, index): MapPoint => ({
      id: `parada ${stop.id}`,
      shape: 'stop',
      letter: String(index + 1),
      label: `${index + 1}. ${stop.endereco}`,
      faded: stop.concluida,
      lat: stop.lat,
      lng: stop.lng,
    }),
  ),
];

/** In the colour of what it carries; one who carries nothing in none. */
function driverPoint(
  driver: DriverAtWork,
  deliveries: ReadonlyMap<string, OpenDelivery>,
  selected: string | null,
  now: number,
): MapPoint[] {
  if (!driver.posicao) return [];
  const carried = driver.entregas[0];
  const status = carried === undefined ? undefined : deliveries.get(carried)?.status;
  return [
    {
      id: `condutor ${driver.condutor_id} ${carried ?? ''}`,
      shape: 'driver',
      letter: initials(driver.nome),
      tone: status?.toLowerCase(),
      label: [driver.nome, driver.veiculo, carried && `nº ${carried}`].filter(Boolean).join(' · '),
      selected: carried !== undefined && carried === selected,
      faded: now - Date.parse(driver.posicao.em) > OLD_MS || (!driver.disponivel && carried === undefined),
      lat: driver.posicao.lat,
      lng: driver.posicao.lng,
    },
  ];
}

/** The delivery that a point on the map stands for. */
export function deliveryOfPoint(pointId: string, selected: string | null): string | null {
  const [kind, id, carried] = pointId.split(' ');
  if (kind === 'entrega') return id ?? null;
  if (kind === 'condutor') return carried || null;
  return selected;
}

/** All places that belong to one delivery, and where its driver is. */
export const placesOf = (one: OpenDelivery, drivers: readonly DriverAtWork[]): Position[] => [
  one.partida,
  ...one.paradas,
  ...drivers.filter(({ entregas }) => entregas.includes(one.id)).flatMap(({ posicao }) => posicao ?? []),
];

/** A thin straight line from each driver over what is still ahead, so that one sees who goes where. */
export const dayLines = (
  deliveries: readonly OpenDelivery[],
  drivers: readonly DriverAtWork[],
  selected: string | null,
): MapLine[] =>
  deliveries.flatMap((one) => {
    const from = drivers.find(({ entregas }) => entregas[0] === one.id)?.posicao;
    if (!from || one.id === selected) return [];
    const ahead = [
      ...(one.status === 'E' ? [] : [one.partida]),
      ...one.paradas.filter(({ concluida }) => !concluida),
    ];
    return {
      id: one.id,
      line: [from, ...ahead].map(({ lat, lng }): [number, number] => [lng, lat]),
      color: NEUTRAL_LINE,
      width: 1.5,
    };
  });

/** Between the light and the dark ground. */
export const NEUTRAL_LINE = '#8a94a0';
