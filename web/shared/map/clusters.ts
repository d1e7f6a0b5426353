import type { GeoJSONSource, Marker } from 'maplibre-gl';
import type { Language } from '../words.ts';
import { type MapPoint, type OpenedMap, placeMarker } from './mapPoint.ts';

/** Markers nearer to each other than this would overlap. */
const RADIUS_PX = { delivery: 46, driver: 30 } as const;
/** Points that are still together at this zoom are at the same address. */
const APART_ZOOM_MAX = 18;
const LISTED_MAX = 50;

/** Points are clustered by kind, so that clusters of drivers and of deliveries can be told apart. */
export type ClusterKind = keyof typeof RADIUS_PX;

interface ClusterOptions {
  kind: ClusterKind;
  /** In words, for the cluster's title. */
  describe: (count: number, marked: number) => string;
  onSelect: (id: string) => void;
}

/**
 * Points that MapLibre clusters where they are too close to each other. A click on a cluster zooms in, or opens a list
 * if its points are at one place. Clusters and points are HTML, so that they have the page's colours.
 */
export class Clusters {
  readonly #opened: OpenedMap;
  readonly #options: ClusterOptions;
  readonly #markers = new Map<string, Marker>();
  #points = new Map<string, MapPoint>();
  #drawn = '';
  readonly #name: string;
  readonly #events = ['sourcedata', 'moveend', 'idle'] as const;

  constructor(opened: OpenedMap, options: ClusterOptions) {
    this.#opened = opened;
    this.#options = options;
    this.#name = `clustered ${options.kind}`;
    opened.map.on('style.load', this.#addSource);
    for (const event of this.#events) opened.map.on(event, this.#sync);
  }

  set(points: readonly MapPoint[]): void {
    this.#points = new Map(points.map((point) => [point.id, point]));
    this.#addSource();
    this.#sync();
  }

  remove(): void {
    this.#opened.map.off('style.load', this.#addSource);
    for (const event of this.#events) this.#opened.map.off(event, this.#sync);
    for (const marker of this.#markers.values()) marker.remove();
    this.#markers.clear();
  }

  get #source(): GeoJSONSource | undefined {
    return this.#opened.map.getSource(this.#name) as GeoJSONSource | undefined;
  }

  /** Called again after every change of style, because a new style has no sources. */
  readonly #addSource = (): void => {
    const { map } = this.#opened;
    const data = {
      type: 'FeatureCollection' as const,
      features: [...this.#points.values()].map(({ id, lng, lat, marked }) => ({
        type: 'Feature' as const,
        properties: { id, marked: marked ? 1 : 0 },
        geometry: { type: 'Point' as const, coordinates: [lng, lat] },
      })),
    };
    const drawn = JSON.stringify(data);
    if (this.#source && drawn !== this.#drawn) void this.#source.setData(data);
    this.#drawn = drawn;
    // The sources of openMap are added with the style; until they exist, the style is not ready.
    if (this.#source || !map.getSource('routes')) return;
    map.addSource(this.#name, {
      type: 'geojson',
      data,
      cluster: true,
      clusterRadius: RADIUS_PX[this.#options.kind],
      clusterMaxZoom: APART_ZOOM_MAX,
      maxzoom: APART_ZOOM_MAX + 1,
      clusterProperties: { marked: ['+', ['get', 'marked']] },
    });
    // Sources that no layer draws are not computed.
    map.addLayer({ id: this.#name, type: 'circle', source: this.#name, paint: { 'circle-opacity': 0 } });
  };

  readonly #sync = (): void => {
    const { map, maplibre } = this.#opened;
    if (!this.#source || !map.isSourceLoaded(this.#name)) return;
    const shown = new Set<string>();
    for (const { properties, geometry } of map.querySourceFeatures(this.#name)) {
      if (geometry.type !== 'Point') continue;
      const [lng = 0, lat = 0] = geometry.coordinates;
      const isCluster = properties.cluster === true;
      const key = isCluster ? `cluster ${properties.cluster_id}` : String(properties.id);
      const point = isCluster
        ? this.#clusterPoint(key, properties.point_count, properties.marked, { lat, lng })
        : this.#points.get(key);
      // A tile may still contain a point that was just removed.
      if (!point || shown.has(key)) continue;
      shown.add(key);
      const known = this.#markers.get(key);
      const marker = placeMarker(maplibre, point, known);
      if (known) continue;
      this.#markers.set(key, marker.addTo(map));
      marker.getElement().addEventListener('click', (event) => {
        event.stopPropagation();
        if (isCluster) void this.#open(properties.cluster_id, [lng, lat]);
        else this.#options.onSelect(key);
      });
    }
    for (const [key, marker] of this.#markers) {
      if (shown.has(key)) continue;
      marker.remove();
      this.#markers.delete(key);
    }
  };

  #clusterPoint(id: string, count: number, marked: number, at: { lat: number; lng: number }): MapPoint {
    return {
      id,
      shape: this.#options.kind === 'driver' ? 'cluster drivers' : 'cluster',
      letter: marked > 0 ? `${count} !` : String(count),
      label: this.#options.describe(count, marked),
      ...at,
    };
  }

  async #open(clusterId: number, center: [number, number]): Promise<void> {
    const { map } = this.#opened;
    const zoom = await this.#source!.getClusterExpansionZoom(clusterId);
    const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 300;
    if (zoom <= APART_ZOOM_MAX) return void map.easeTo({ center, zoom, duration });
    const leaves = await this.#source!.getClusterLeaves(clusterId, LISTED_MAX, 0);
    this.#list(
      center,
      leaves.flatMap(({ properties }) => this.#points.get(String(properties?.id)) ?? []),
    );
  }

  #list(center: [number, number], points: readonly MapPoint[]): void {
    const { map, maplibre } = this.#opened;
    const popup = new maplibre.Popup({ closeButton: false, className: 'map-list' });
    const list = document.createElement('div');
    for (const { id, label } of points) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.addEventListener('click', () => {
        popup.remove();
        this.#options.onSelect(id);
      });
      list.append(button);
    }
    popup.setLngLat(center).setDOMContent(list).addTo(map);
  }
}

/** The label of a cluster of drivers. */
export const describeDrivers = (count: number, language: Language): string =>
  language === 'en' ? `${count} drivers` : `${count} entregadores`;

/** The label of a cluster of deliveries. */
export function describeDeliveries(count: number, late: number, language: Language): string {
  if (language === 'en') return late > 0 ? `${count} deliveries, ${late} late` : `${count} deliveries`;
  if (late === 0) return `${count} entregas`;
  return late === 1 ? `${count} entregas, 1 atrasada` : `${count} entregas, ${late} atrasadas`;
}
