/**
 * Where a central works. The area of the pickup decides the tariff; a place in no area is not served.
 *
 * A central that has areas has one default area, always: the first one becomes it whatever is asked, making
 * another one the default moves it, and it cannot be given up or deleted while there are others. Whoever changes
 * areas holds the central's lock, so that two at the same time do it one after the other.
 */
export interface OperatingArea {
  id: number;
  /** Unique in its central, in capitals or small letters. */
  name: string;
  /** The central's default area: the one that counts last where areas overlap. */
  isDefault: boolean;
  shape: AreaShape;
}

/** What people say of an area. */
export interface AreaValues {
  name: string;
  shape: AreaShape;
  /** Absent: as it is, and a new one is not, unless it is the first. */
  isDefault?: boolean | undefined;
}

/** GeoJSON: rings of [lng, lat], the first ring outside, the others holes. */
export type AreaShape =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] };
