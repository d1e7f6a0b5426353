import type { Marker } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import { type AreaShape, type MapArea, MapView } from '../../../../shared/map/MapView.tsx';
import type { OpenedMap, Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import type { Area } from '../../data/registers.ts';

/** More handles would hide the area. Such shapes come from a file and are corrected there. */
export const HANDLES_MAX = 150;

/** A map of the areas and of the one being drawn, with a handle for each point of its active ring. */
export function DrawingMap({
  areas,
  drawing,
  onDraw,
  around,
  aroundKey,
}: {
  areas: readonly Area[];
  drawing: Drawing | null;
  onDraw: (change: (before: Drawing) => Drawing) => void;
  around: readonly Position[];
  aroundKey: string;
}) {
  const t = useWords();
  const [opened, setOpened] = useState<OpenedMap | null>(null);
  const ring = drawing ? activeRing(drawing) : [];
  useHandles(opened, ring.length <= HANDLES_MAX ? ring : [], {
    label: (index) => t(`Ponto ${index + 1}`, `Point ${index + 1}`),
    onMove: (index, point) => onDraw((before) => movePoint(before, index, point)),
    onPress: (index) => index === 0 && ring.length > 2 && onDraw((before) => ({ ...before, isClosed: true })),
  });

  const shown: MapArea[] = areas.map(({ id, nome, geometria }) => ({
    id: String(id),
    name: nome,
    shape: geometria,
  }));
  const drawn = drawing && shapeOf(drawing);
  if (drawn?.coordinates.length) shown.push({ id: 'drawn', name: '', shape: drawn });
  // Two points do not enclose an area yet, so they are shown as a line.
  const open = drawing && !drawing.isClosed && ring.length > 1;
  return (
    <MapView
      label={t('Mapa das áreas de atuação', 'Map of operating areas')}
      areas={shown}
      lines={open ? [{ id: 'open', line: ring.map(({ lat, lng }) => [lng, lat] as const) }] : []}
      around={around}
      aroundKey={aroundKey}
      onClick={(point) => drawing && onDraw((before) => addPoint(before, point))}
      onReady={(ready) => {
        // The second click of a double click marks a point or closes the outline.
        ready.map.doubleClickZoom.disable();
        setOpened(ready);
        return () => setOpened(null);
      }}
    />
  );
}

interface Handling {
  label: (index: number) => string;
  onMove: (index: number, point: Position) => void;
  onPress: (index: number) => void;
}

/** One draggable marker for each point. The markers are reused while the number of points stays the same. */
function useHandles(opened: OpenedMap | null, ring: readonly Position[], handling: Handling): void {
  const latest = useRef(handling);
  latest.current = handling;
  const points = useRef(ring);
  points.current = ring;
  const markers = useRef<Marker[]>([]);
  const count = ring.length;

  useEffect(() => {
    if (!opened) return;
    const made = Array.from({ length: count }, (_, index) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.className = 'area-handle';
      element.tabIndex = -1;
      element.textContent = String(index + 1);
      element.setAttribute('aria-label', latest.current.label(index));
      const marker = new opened.maplibre.Marker({ element, draggable: true });
      const { lat, lng } = points.current[index]!;
      marker.setLngLat([lng, lat]).addTo(opened.map);
      marker.on('dragend', () => {
        const at = marker.getLngLat();
        latest.current.onMove(index, { lat: at.lat, lng: at.lng });
      });
      element.addEventListener('click', (event) => {
        event.stopPropagation();
        latest.current.onPress(index);
      });
      return marker;
    });
    markers.current = made;
    return () => {
      for (const marker of made) marker.remove();
    };
  }, [opened, count]);

  useEffect(() => {
    for (const [index, { lat, lng }] of ring.entries()) markers.current[index]?.setLngLat([lng, lat]);
  }, [ring]);
}

/** The first ring is the outside, the others are holes. None repeats its first point at the end. */
export type Rings = Position[][];

/** An area while it is drawn: its pieces, and the ring to which clicks add points. */
export interface Drawing {
  pieces: Rings[];
  piece: number;
  ring: number;
  /** A closed ring takes a new point at its nearest edge, an open one at its end. */
  isClosed: boolean;
}

export const emptyDrawing: Drawing = { pieces: [[[]]], piece: 0, ring: 0, isClosed: false };

export function drawingOf(shape: AreaShape): Drawing {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  return {
    pieces: polygons.map((rings) =>
      rings.map((ring) => ring.slice(0, -1).map(([lng = 0, lat = 0]) => ({ lat, lng }))),
    ),
    piece: 0,
    ring: 0,
    isClosed: true,
  };
}

/** Converts to GeoJSON, where each ring ends with its first point. Rings without a point are left out. */
export function shapeOf({ pieces }: Drawing): AreaShape {
  const polygons = pieces
    .map((rings) => rings.filter((ring) => ring.length > 0).map(closedRing))
    .filter((rings) => rings.length > 0);
  return polygons.length > 1
    ? { type: 'MultiPolygon', coordinates: polygons }
    : { type: 'Polygon', coordinates: polygons[0] ?? [] };
}

const closedRing = (ring: readonly Position[]): number[][] =>
  [...ring, ring[0]!].map(({ lat, lng }) => [rounded(lng), rounded(lat)]);

/** A decimetre is precise enough for drawing. */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

export const activeRing = ({ pieces, piece, ring }: Drawing): Position[] => pieces[piece]?.[ring] ?? [];

const withRing = (drawing: Drawing, points: Position[]): Drawing => ({
  ...drawing,
  pieces: drawing.pieces.map((rings, piece) =>
    piece === drawing.piece ? rings.map((ring, index) => (index === drawing.ring ? points : ring)) : rings,
  ),
});

export function addPoint(drawing: Drawing, point: Position): Drawing {
  const ring = activeRing(drawing);
  const at = drawing.isClosed && ring.length > 2 ? nearestEdge(ring, point) + 1 : ring.length;
  return withRing(drawing, ring.toSpliced(at, 0, point));
}

export const movePoint = (drawing: Drawing, index: number, point: Position): Drawing =>
  withRing(drawing, activeRing(drawing).with(index, point));

export const removePoint = (drawing: Drawing, index: number): Drawing =>
  withRing(drawing, activeRing(drawing).toSpliced(index, 1));

export const addHole = (drawing: Drawing): Drawing => ({
  ...drawing,
  pieces: drawing.pieces.map((rings, piece) => (piece === drawing.piece ? [...rings, []] : rings)),
  ring: drawing.pieces[drawing.piece]?.length ?? 0,
  isClosed: false,
});

export const addPiece = (drawing: Drawing): Drawing => ({
  pieces: [...drawing.pieces, [[]]],
  piece: drawing.pieces.length,
  ring: 0,
  isClosed: false,
});

/** Removing the outside removes the whole piece. If it was the last one, the drawing starts empty again. */
export function removeRing(drawing: Drawing): Drawing {
  const pieces =
    drawing.ring === 0
      ? drawing.pieces.toSpliced(drawing.piece, 1)
      : drawing.pieces.with(drawing.piece, drawing.pieces[drawing.piece]!.toSpliced(drawing.ring, 1));
  return pieces.length ? { pieces, piece: 0, ring: 0, isClosed: true } : emptyDrawing;
}

/** The index of the edge's first point. */
function nearestEdge(ring: readonly Position[], point: Position): number {
  const distances = ring.map((from, index) => distanceTo(from, ring[(index + 1) % ring.length]!, point));
  return distances.indexOf(Math.min(...distances));
}

function distanceTo(from: Position, to: Position, point: Position): number {
  const [dx, dy] = [to.lng - from.lng, to.lat - from.lat];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.lng - from.lng) * dx + (point.lat - from.lat) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(point.lng - from.lng - share * dx, point.lat - from.lat - share * dy);
}

export const cornersOf = (areas: readonly Area[]) =>
  areas.flatMap(({ geometria }) => drawingOf(geometria).pieces.flatMap((rings) => rings[0] ?? []));
