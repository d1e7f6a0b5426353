/** Where a central works. The area of the pickup decides the tariff; a place in no area is not served. */
export interface OperatingArea {
  id: number;
  name: string;
  /** The central's default area: the one that counts last where areas overlap. */
  isDefault: boolean;
  shape: AreaShape;
}

/** GeoJSON: rings of [lng, lat], the first ring outside, the others holes. */
export type AreaShape =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] };
