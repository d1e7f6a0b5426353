import { initials, type MapPoint, type Position } from '../../../../shared/map/mapPoint.ts';
import { OPEN_LETTERS, type OpenLetter, statusLabel } from '../../../../shared/statuses.ts';
import type { Language } from '../../../../shared/words.ts';
import type { DriverAtWork, OpenDelivery } from '../../data/deliveries.ts';
import { plainText } from '../../plainText.ts';
import { isOpenStop } from './openStops.ts';

/** The filters in the address. */
export interface DayFilter {
  status: OpenLetter | null;
  late: boolean;
  /** Only those that are expected later than promised. */
  soonLate?: boolean;
  /** Only those with an address to check. */
  unsure?: boolean;
  text: string;
}

export function readFilter(query: URLSearchParams): DayFilter {
  const status = OPEN_LETTERS.find((letter) => letter === query.get('status')) ?? null;
  return {
    status,
    late: query.get('atrasadas') === '1',
    soonLate: query.get('vao_atrasar') === '1',
    unsure: query.get('conferir') === '1',
    text: query.get('q') ?? '',
  };
}

/** Late deliveries first, the most overdue on top; then those that will be late; then by status in lifecycle order. */
export function chooseDeliveries(all: readonly OpenDelivery[], filter: DayFilter): OpenDelivery[] {
  const wanted = plainText(filter.text.trim());
  return all
    .filter(
      (each) =>
        (filter.status === null || each.status === filter.status) &&
        (!filter.late || each.atrasada) &&
        (!filter.soonLate || each.vai_atrasar) &&
        (!filter.unsure || each.conferir_endereco) &&
        (wanted === '' || plainText(textOf(each)).includes(wanted)),
    )
    .sort(
      (a, b) =>
        Number(b.atrasada) - Number(a.atrasada) ||
        (a.atrasada ? missedAt(a).localeCompare(missedAt(b)) : 0) ||
        Number(b.vai_atrasar) - Number(a.vai_atrasar) ||
        OPEN_LETTERS.indexOf(a.status) - OPEN_LETTERS.indexOf(b.status) ||
        a.solicitada_em.localeCompare(b.solicitada_em),
    );
}

/** The earlier of the expected and the promised time. */
const missedAt = ({ previsao, prometida_para }: OpenDelivery): string =>
  prometida_para && prometida_para < previsao ? prometida_para : previsao;

const textOf = ({ id, nome_cliente, categoria, condutor, partida, paradas }: OpenDelivery): string =>
  [
    id,
    nome_cliente,
    categoria,
    condutor?.nome ?? '',
    ...[partida, ...paradas].flatMap(({ endereco, bairro }) => [endereco, bairro]),
  ].join(' ');

/** The next place of the delivery: the pickup, then each stop. */
const nextPlace = ({ status, partida, paradas }: OpenDelivery) =>
  (status === 'E' ? paradas.find(isOpenStop) : undefined) ?? partida;

export const OLD_MS = 5 * 60_000;

/** The points that are not clustered: the selected delivery with all its stops, and its driver. */
export const dayPoints = (chosen: OpenDelivery | undefined, drivers: readonly MapPoint[]): MapPoint[] => [
  ...(chosen ? selectedPoints(chosen) : []),
  ...drivers.filter(({ selected }) => selected),
];

/** The drivers. The map clusters those who do not carry the selected delivery. */
export const driverPoints = (
  deliveries: readonly OpenDelivery[],
  drivers: readonly DriverAtWork[],
  selected: string | null,
  now: number,
): MapPoint[] => {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  return drivers.flatMap((driver) => driverPoint(driver, byId, selected, now));
};

/** All other deliveries, each at its next place. The map clusters them. */
export const otherPoints = (
  deliveries: readonly OpenDelivery[],
  selected: string | null,
  language: Language,
): MapPoint[] =>
  deliveries
    .filter(({ id }) => id !== selected)
    .map((delivery): MapPoint => {
      const { lat, lng } = nextPlace(delivery);
      return {
        id: `entrega ${delivery.id}`,
        shape: 'pickup',
        letter: delivery.atrasada ? `${delivery.id} !` : delivery.id,
        tone: delivery.status.toLowerCase(),
        label: `${delivery.id} · ${statusLabel[delivery.status][language]} · ${delivery.nome_cliente}`,
        marked: delivery.atrasada,
        lat,
        lng,
      };
    });

const selectedPoints = (openDelivery: OpenDelivery): MapPoint[] => [
  {
    id: `entrega ${openDelivery.id}`,
    shape: 'pickup',
    letter: openDelivery.id,
    tone: openDelivery.status.toLowerCase(),
    label: `${openDelivery.id} · ${openDelivery.partida.endereco}`,
    selected: true,
    lat: openDelivery.partida.lat,
    lng: openDelivery.partida.lng,
  },
  ...openDelivery.paradas.map(
    (stop, index): MapPoint => ({
      id: `parada ${stop.id}`,
      shape: 'stop',
      letter: String(index + 1),
      label: `${index + 1}. ${stop.endereco}`,
      faded: !isOpenStop(stop),
      lat: stop.lat,
      lng: stop.lng,
    }),
  ),
];

/** The driver in the colour of the current delivery's status, or without colour if there is none. */
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
      driverId: driver.condutor_id,
      tone: status?.toLowerCase(),
      label: [driver.nome, driver.veiculo, carried && `nº ${carried}`].filter(Boolean).join(' · '),
      selected: carried !== undefined && carried === selected,
      faded: now - Date.parse(driver.posicao.em) > OLD_MS || (!driver.disponivel && carried === undefined),
      lat: driver.posicao.lat,
      lng: driver.posicao.lng,
    },
  ];
}

/** The delivery that a point on the map represents. */
export function deliveryOfPoint(pointId: string, selected: string | null): string | null {
  const [kind, id, carried] = pointId.split(' ');
  if (kind === 'entrega') return id ?? null;
  if (kind === 'condutor') return carried || null;
  return selected;
}

/** All places of a delivery, and the position of its driver. */
export const placesOf = (openDelivery: OpenDelivery, drivers: readonly DriverAtWork[]): Position[] => [
  openDelivery.partida,
  ...openDelivery.paradas,
  ...drivers
    .filter(({ entregas }) => entregas.includes(openDelivery.id))
    .flatMap(({ posicao }) => posicao ?? []),
];

/** Visible on the light and on the dark map. */
export const NEUTRAL_LINE = '#8a94a0';
