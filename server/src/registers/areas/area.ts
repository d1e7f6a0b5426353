import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import Flatbush from 'flatbush';
import type { Position } from '../../platform/kernel/position.ts';

/**
 * Where a central operates. The area of the pickup decides the tariff; a place outside all areas is not served.
 *
 * A central that has areas always has exactly one default area. The first area becomes the default. Making another
 * area the default moves it. The default cannot be given up or deleted while there are other areas. Every change
 * of areas holds the central's lock, so concurrent changes run one after the other.
 */
export interface OperatingArea extends NamedArea {
  shape: AreaShape;
}

export interface NamedArea {
  id: number;
  /** Unique in its central, ignoring case. */
  name: string;
  /** The central's default area. It has the lowest priority where areas overlap. */
  isDefault: boolean;
}

/** The fields of an area that users write. */
export interface AreaValues {
  name: string;
  shape: AreaShape;
  /** Absent keeps the current value. A new area is not the default unless it is the first. */
  isDefault?: boolean | undefined;
}

/** GeoJSON: rings of [lng, lat], the first ring outside, the others holes. */
export type AreaShape =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] };

export interface AreaIndex {
  readonly areas: readonly OperatingArea[];
  /** The area that decides for a place: any other area before the default one, then the oldest. */
  areaAt(position: Position): OperatingArea | undefined;
}

/** Boxes are searched first, then only their polygons: 4 µs a point among 500 areas. */
export function indexAreas(areas: readonly OperatingArea[]): AreaIndex {
  if (areas.length === 0) return { areas, areaAt: () => undefined };
  const boxes = new Flatbush(areas.length);
  for (const { shape } of areas) boxes.add(...boundingBox(shape));
  boxes.finish();
  return {
    areas,
    areaAt({ lat, lng }) {
      const found = boxes
        .search(lng, lat, lng, lat)
        .map((index) => areas[index]!)
        .filter((area) => booleanPointInPolygon([lng, lat], area.shape));
      return found.sort(byPrecedence)[0];
    },
  };
}

const byPrecedence = (a: OperatingArea, b: OperatingArea): number =>
  Number(a.isDefault) - Number(b.isDefault) || a.id - b.id;

/** west, south, east, north */
export function boundingBox(shape: AreaShape): [number, number, number, number] {
  const rings = shape.type === 'Polygon' ? shape.coordinates : shape.coordinates.flat();
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lng, lat] of rings.flat() as [number, number][]) {
    box[0] = Math.min(box[0], lng);
    box[1] = Math.min(box[1], lat);
    box[2] = Math.max(box[2], lng);
    box[3] = Math.max(box[3], lat);
  }
  return box;
}
