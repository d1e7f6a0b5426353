import type { GeoJSONSource, Marker } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../words.ts';
import { type ClusterKind, Clusters } from './clusters.ts';
import { boundsOf, type MapPoint, type OpenedMap, openMap, type Position, placeMarker } from './mapPoint.ts';

export interface MapLine {
  id: string;
  /** [lng, lat] pairs. */
  line: readonly (readonly [number, number])[];
  /** A plain CSS colour, not a variable; by default the map's own. */
  color?: string;
  width?: number;
}

export interface MapArea {
  id: string;
  name: string;
  shape: AreaShape;
}

/** In the format of GeoJSON. */
export type AreaShape =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] };

/** Points of one kind, and the label of a cluster of them. */
export interface Gathered {
  kind: ClusterKind;
  points: readonly MapPoint[];
  describe: (count: number, marked: number) => string;
}

interface MapViewProps {
  /** What the map shows, for screen readers. */
  label: string;
  points?: readonly MapPoint[];
  /** Points that are shown as clusters, with their count, where they are close to each other. */
  clustered?: readonly Gathered[];
  lines?: readonly MapLine[];
  areas?: readonly MapArea[];
  /** Brought into view at first, and again whenever `aroundKey` changes. */
  around?: readonly Position[];
  aroundKey?: string;
  onSelect?: (id: string) => void;
  onClick?: (position: Position) => void;
  /** Makes points draggable; called when one is dropped. */
  onMove?: (id: string, position: Position) => void;
  /** Adds further tools to the map. The returned function is called before the map is removed. */
  onReady?: (opened: OpenedMap) => undefined | (() => void);
}

const NOWHERE = { center: [-52, -15] as [number, number], zoom: 3 };
const FRAMING = { padding: 48, maxZoom: 15, duration: 0 };

/** A map with points, lines and areas. If the browser cannot draw maps, a text says so. */
export function MapView(props: MapViewProps) {
  const { label, points, clustered, lines, areas, around = [], aroundKey = '' } = props;
  const t = useWords();
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const markers = useRef(new Map<string, Marker>());
  const [opened, setOpened] = useState<OpenedMap | 'none' | null>(null);

  useEffect(() => {
    let gone = false;
    let leave = (): void => {
      gone = true;
    };
    const start = latest.current.around ?? [];
    openMap(
      element.current!,
      start.length ? { bounds: boundsOf(start), fitBoundsOptions: FRAMING } : NOWHERE,
    ).then(
      (open) => {
        const { map, maplibre } = open;
        if (gone) return map.remove();
        map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'top-right');
        map.addControl(new maplibre.ScaleControl({ maxWidth: 64 }), 'bottom-left');
        map.on('click', ({ lngLat }) => latest.current.onClick?.({ lat: lngLat.lat, lng: lngLat.lng }));
        const tools = latest.current.onReady?.(open);
        leave = () => {
          gone = true;
          tools?.();
          markers.current.clear();
          map.remove();
        };
        setOpened(open);
      },
      () => setOpened('none'),
    );
    return () => leave();
  }, []);

  const open = opened === 'none' ? null : opened;

  useEffect(() => {
    if (!open) return;
    const known = markers.current;
    const shown = new Set<string>();
    for (const point of points ?? []) {
      shown.add(point.id);
      const before = known.get(point.id);
      const marker = placeMarker(open.maplibre, point, before);
      if (before) continue;
      known.set(point.id, marker.addTo(open.map));
      marker.setDraggable(latest.current.onMove !== undefined);
      marker.on('dragend', () => {
        const { lat, lng } = marker.getLngLat();
        latest.current.onMove?.(point.id, { lat, lng });
      });
      marker.getElement().addEventListener('click', (event) => {
        event.stopPropagation();
        latest.current.onSelect?.(point.id);
      });
    }
    for (const [id, marker] of known) {
      if (shown.has(id)) continue;
      marker.remove();
      known.delete(id);
    }
  }, [open, points]);

  const clusters = useRef(new Map<ClusterKind, Clusters>());
  useEffect(() => {
    if (!open) return;
    for (const { kind, points: gathered } of clustered ?? []) {
      const known = clusters.current.get(kind);
      const made =
        known ??
        new Clusters(open, {
          kind,
          describe: (count, marked) =>
            latest.current.clustered?.find((each) => each.kind === kind)?.describe(count, marked) ??
            String(count),
          onSelect: (id) => latest.current.onSelect?.(id),
        });
      clusters.current.set(kind, made);
      made.set(gathered);
    }
  }, [open, clustered]);
  useEffect(() => {
    const made = clusters.current;
    return () => {
      for (const each of made.values()) each.remove();
      made.clear();
    };
  }, []);

  useEffect(() => {
    if (!open) return;
    const draw = () => {
      setSource(open, 'routes', (lines ?? []).map(lineFeature));
      setSource(open, 'areas', (areas ?? []).map(areaFeature));
    };
    draw();
    // Sources exist only after the style has loaded, and a new style, such as for dark mode, has empty ones.
    open.map.on('style.load', draw);
    return () => void open.map.off('style.load', draw);
  }, [open, lines, areas]);

  const framed = useRef('');
  useEffect(() => {
    if (!open || around.length === 0 || framed.current === aroundKey) return;
    framed.current = aroundKey;
    open.map.fitBounds(boundsOf(around), FRAMING);
  }, [open, around, aroundKey]);

  return (
    <section className="map" aria-label={label}>
      <div ref={element} className="map-ground" />
      {opened === 'none' && (
        <p className="map-none">
          {t(
            'Este navegador não desenha mapas. Tudo o que o mapa mostra está também nas listas.',
            'This browser draws no maps. All that the map shows is in the lists too.',
          )}
        </p>
      )}
    </section>
  );
}

type Drawn = Exclude<Parameters<GeoJSONSource['setData']>[0], string>;
type Feature = Extract<Drawn, { type: 'Feature' }>;

function setSource({ map }: OpenedMap, name: string, features: Feature[]): void {
  const source = map.getSource(name) as GeoJSONSource | undefined;
  void source?.setData({ type: 'FeatureCollection', features });
}

const lineFeature = ({ id, line, color, width }: MapLine): Feature => ({
  type: 'Feature',
  properties: { id, ...(color && { color }), ...(width && { width }) },
  geometry: { type: 'LineString', coordinates: line.map(([lng, lat]) => [lng, lat]) },
});

const areaFeature = ({ id, name, shape }: MapArea): Feature => ({
  type: 'Feature',
  properties: { id, name },
  geometry: shape,
});
