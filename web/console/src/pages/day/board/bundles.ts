import type { OpenLetter } from '../../../../../shared/statuses.ts';
import { nextStop, type StopState } from '../openStops.ts';

interface Place {
  lat: number;
  lng: number;
}

/** The fields of an open delivery that decide which go well together. */
export interface Bundled {
  id: string;
  status: OpenLetter;
  nome_cliente: string;
  partida: Place;
  paradas: readonly (StopState & Place)[];
}

/** The eight directions, clockwise from the north. */
export const DIRECTIONS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface Bundle {
  ids: readonly string[];
  shop: string;
  towards: Direction;
  /** How much shorter one tour is than a way for each. */
  savedKm: number;
}

const LEAST = 3;
/** More goods than this seldom fit one driver. */
const MOST = 5;
const LEAST_SAVED_KM = 1;
const WAITING: readonly OpenLetter[] = ['D', 'G', 'P'];
const KM_PER_DEGREE = 111.195;
/** Streets are longer than straight lines. */
const DETOUR = 1.3;

/** Kilometres east and north of the pickup. */
const offsetOf = (from: Place, to: Place) => ({
  x: (to.lng - from.lng) * KM_PER_DEGREE * Math.cos((from.lat * Math.PI) / 180),
  y: (to.lat - from.lat) * KM_PER_DEGREE,
});
type Offset = ReturnType<typeof offsetOf>;

const lengthOf = ({ x, y }: Offset): number => Math.hypot(x, y);
const between = (a: Offset, b: Offset): number => Math.hypot(a.x - b.x, a.y - b.y);

const directionOf = ({ x, y }: Offset): Direction =>
  DIRECTIONS[Math.round((Math.atan2(x, y) / (2 * Math.PI)) * 8 + 8) % 8]!;

/**
 * Waiting deliveries of one shop whose stops lie in one direction, such that one driver who takes all of them saves much
 * of the way; the greatest saving first. A delivery is in at most one bundle. Only those with one stop, which can follow
 * one another in any order.
 */
export function bundlesOf(deliveries: readonly Bundled[], limit: number): Bundle[] {
  const waiting = deliveries.filter(
    ({ status, paradas }) => WAITING.includes(status) && paradas.length === 1,
  );
  const found = [...Map.groupBy(waiting, shopKey).values()].flatMap((ofShop) => {
    const placed = ofShop.map((delivery) => ({
      id: delivery.id,
      at: offsetOf(delivery.partida, nextStop(delivery)!),
    }));
    return [...Map.groupBy(placed, ({ at }) => directionOf(at))].flatMap(([towards, all]) =>
      toursOf(all).map(
        ({ ids, savedKm }): Bundle => ({ ids, shop: ofShop[0]!.nome_cliente, towards, savedKm }),
      ),
    );
  });
  return found
    .filter(({ savedKm }) => savedKm >= LEAST_SAVED_KM)
    .sort((a, b) => b.savedKm - a.savedKm)
    .slice(0, limit);
}

const shopKey = ({ nome_cliente, partida: { lat, lng } }: Bundled): string =>
  `${nome_cliente} ${lat.toFixed(4)} ${lng.toFixed(4)}`;

/** Tours of at most `MOST`: each begins at the nearest place that is left and goes on to the next nearest. */
function toursOf(all: readonly { id: string; at: Offset }[]): { ids: string[]; savedKm: number }[] {
  const left = all.toSorted((a, b) => lengthOf(a.at) - lengthOf(b.at));
  const tours: { ids: string[]; savedKm: number }[] = [];
  while (left.length >= LEAST) {
    const tour = [left.shift()!];
    while (tour.length < MOST && left.length > 0) {
      const { at } = tour.at(-1)!;
      const nearest = left.reduce((best, each) =>
        between(at, each.at) < between(at, best.at) ? each : best,
      );
      left.splice(left.indexOf(nearest), 1);
      tour.push(nearest);
    }
    if (tour.length < LEAST) break;
    const alone = tour.reduce((sum, { at }) => sum + lengthOf(at), 0);
    const together = tour.reduce(
      (sum, { at }, index) => sum + (index === 0 ? lengthOf(at) : between(tour[index - 1]!.at, at)),
      0,
    );
    tours.push({ ids: tour.map(({ id }) => id), savedKm: (alone - together) * DETOUR });
  }
  return tours;
}
