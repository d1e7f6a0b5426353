/**
 * Where a central operates. The area of the pickup decides the tariff; a place outside all areas is not served.
 *
 * A central that has areas always has exactly one default area. The first area becomes the default. Making another
 * area the default moves it. The default cannot be given up or deleted while there are other areas. Every change
 * of areas holds the central's lock, so concurrent changes run one after the other.
 */
export interface OperatingArea {
  id: number;
  /** Unique in its central, ignoring case. */
  name: string;
  /** The central's default area. It has the lowest priority where areas overlap. */
  isDefault: boolean;
  shape: AreaShape;
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
