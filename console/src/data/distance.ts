import type { Position } from '../ui/map/mapPoint.ts';

const EARTH_KM = 6371;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** As the crow flies. */
export function kmBetween(a: Position, b: Position): number {
  const across = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const along = Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return (
    2 * EARTH_KM * Math.asin(Math.sqrt(across + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * along))
  );
}
