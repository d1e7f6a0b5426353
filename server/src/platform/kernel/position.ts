/** A point on the earth, in degrees (WGS 84). */
export interface Position {
  lat: number;
  lng: number;
}

/** Two pickups are the same place when they agree to 5 decimals, about one metre. */
export const samePlace = (a: Position, b: Position): boolean =>
  sameDegrees(a.lat, b.lat) && sameDegrees(a.lng, b.lng);

// Most places are far apart, and the estimator compares many: only near ones are rounded.
const sameDegrees = (a: number, b: number): boolean =>
  a === b || (Math.abs(a - b) < 2e-5 && roundDegrees(a) === roundDegrees(b));

/**
 * Rounds to 5 decimals, a half away from zero, as PostgreSQL rounds what the automatic merge compares. Math.round
 * alone rounds negative halves the other way. The written digits decide, so the error that the multiplication adds
 * after the fifteenth digit is dropped first.
 */
export function roundDegrees(degrees: number): number {
  const units = Math.round(Number((Math.abs(degrees) * 1e5).toPrecision(15)));
  return units === 0 ? 0 : (Math.sign(degrees) * units) / 1e5;
}

/** The mean radius of the earth (IUGG). */
const EARTH_METRES = 6_371_008.8;

/** The length of a degree of latitude, and of a degree of longitude at the equator. */
export const METRES_PER_DEGREE = 111_195;

/** Metres between two points in a straight line, on a sphere: the error is at most 0.6 %. */
export function haversineMetres(a: Position, b: Position): number {
  const across = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const along = Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  const half = across + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * along;
  // Between antipodes a rounding error may make the root larger than 1, which has no arc sine.
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(half)));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
