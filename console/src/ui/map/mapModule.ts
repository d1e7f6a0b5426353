import type { Map as MapLibreMap, MapOptions } from 'maplibre-gl';

export type MapLibre = typeof import('maplibre-gl');

export interface OpenedMap {
  map: MapLibreMap;
  maplibre: MapLibre;
}

type OpenMap = (element: HTMLElement, options?: Partial<MapOptions>) => Promise<OpenedMap>;

/** Served beside the console and shared with the tracking page; fetched when the first map is shown. */
const MODULE = '/mapa/openMap.js';

/** Rejects where no map can be drawn: everything a map shows stands in a list too. */
export async function openMap(element: HTMLElement, options: Partial<MapOptions>): Promise<OpenedMap> {
  const module = (await import(MODULE)) as { openMap: OpenMap };
  return module.openMap(element, options);
}
