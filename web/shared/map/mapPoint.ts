import type { Map as MapLibreMap, MapOptions, Marker } from 'maplibre-gl';

export interface Position {
  lat: number;
  lng: number;
}

/** A marker on the map. The shape shows its kind; the letter and the colour show which one or its state. */
export interface MapPoint extends Position {
  id: string;
  shape: 'driver' | 'pickup' | 'stop' | 'cluster' | 'cluster drivers';
  letter: string;
  /** Names a colour of tokens.css, `--state-…`; neutral by default. */
  tone?: string | undefined;
  label: string;
  selected?: boolean;
  /** For an old position, or one that is done. */
  faded?: boolean;
  /** Counted separately within a cluster. */
  marked?: boolean;
  /** The driver who receives a delivery that is dropped here. */
  driverId?: string;
}

/** Creates the marker, or updates the existing one. */
export function placeMarker(maplibre: MapLibre, point: MapPoint, known: Marker | undefined): Marker {
  const marker =
    known ?? new maplibre.Marker({ element: document.createElement('button'), offset: offsetOf(point) });
  const element = marker.getElement();
  const classes = ['map-point', point.shape, point.selected && 'selected', point.faded && 'faded'];
  // MapLibre keeps classes of its own on the element.
  const own = [...element.classList].filter((name) => name.startsWith('maplibregl-'));
  element.className = [...own, ...classes.filter(Boolean)].join(' ');
  element.style.setProperty('--tone', point.tone ? `var(--state-${point.tone})` : 'var(--neutral)');
  element.title = point.label;
  if (point.driverId !== undefined) element.dataset.driver = point.driverId;
  element.replaceChildren(part(point.letter, 'sign'), part(point.label, 'unseen'));
  element.firstElementChild?.setAttribute('aria-hidden', 'true');
  // Not reachable by keyboard, because the lists have the same content.
  element.tabIndex = -1;
  return marker.setLngLat([point.lng, point.lat]);
}

/** Drivers wait at pickups, so their cluster is offset: it does not cover the cluster of deliveries. */
const offsetOf = ({ shape }: MapPoint): [number, number] =>
  shape === 'cluster drivers' ? [26, -26] : [0, 0];

function part(text: string, className: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}

export function boundsOf(points: readonly Position[]): [[number, number], [number, number]] {
  const lngs = points.map(({ lng }) => lng);
  const lats = points.map(({ lat }) => lat);
  return [
    [Math.min(...lngs), Math.min(...lats)],
    [Math.max(...lngs), Math.max(...lats)],
  ];
}

/** The letters of a driver, which distinguish drivers on a map. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
}

const EARTH_KM = 6371;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The distance in a straight line. */
export function kmBetween(a: Position, b: Position): number {
  const across = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const along = Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return (
    2 * EARTH_KM * Math.asin(Math.sqrt(across + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * along))
  );
}

type MapLibre = typeof import('maplibre-gl');

export interface OpenedMap {
  map: MapLibreMap;
  maplibre: MapLibre;
}

type OpenMap = (element: HTMLElement, options?: Partial<MapOptions>) => Promise<OpenedMap>;

/** Served beside the console and shared with the tracking page; fetched when the first map is shown. */
const MODULE = '/mapa/openMap.js';

/** Rejects if the browser cannot draw maps. */
export async function openMap(element: HTMLElement, options: Partial<MapOptions>): Promise<OpenedMap> {
  const module = (await import(MODULE)) as { openMap: OpenMap };
  return module.openMap(element, options);
}
