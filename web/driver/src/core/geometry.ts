export interface Point {
  lat: number;
  lng: number;
}

const EARTH_METRES = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The distance in a straight line. */
export function metresBetween(a: Point, b: Point): number {
  const across = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const along = Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  const share = across + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * along;
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(share)));
}
