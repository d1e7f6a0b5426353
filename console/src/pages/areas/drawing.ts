import type { Area } from '../../data/registers.ts';
import type { AreaShape } from '../../ui/map/MapView.tsx';
import type { Position } from '../../ui/map/mapPoint.ts';

/** The first ring is the outside, the others are holes. None repeats its first point at the end. */
export type Rings = Position[][];

/** An area while it is drawn: its pieces, and the ring that clicks go to. */
export interface Drawing {
  pieces: Rings[];
  piece: number;
  ring: number;
  /** A closed ring takes further points where they are nearest; an open one at its end. */
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

/** As GeoJSON wants it: each ring ends where it began. Rings without a point are left out. */
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

/** A decimetre is finer than anybody draws. */
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

/** Without its outside a piece is gone; the last piece starts empty again. */
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
