/** A point on the earth, in degrees (WGS 84). */
export interface Position {
  lat: number;
  lng: number;
}

/** Two pickups are the same place when they agree to 5 decimals, about one metre. */
export const samePlace = (a: Position, b: Position): boolean =>
  sameDegrees(a.lat, b.lat) && sameDegrees(a.lng, b.lng);

// Most places are far apart, and a router's guess compares many: only near ones are worth rounding.
const sameDegrees = (a: number, b: number): boolean =>
  a === b || (Math.abs(a - b) < 2e-5 && roundDegrees(a) === roundDegrees(b));

/**
 * To 5 decimals, a half away from zero, as PostgreSQL rounds what the automatic merge compares: Math.round by
 * itself would take the halves of the south and the west the other way. The digits count that were written, so
 * what the multiplication leaves behind the fifteenth is dropped first.
 */
export function roundDegrees(degrees: number): number {
  const units = Math.round(Number((Math.abs(degrees) * 1e5).toPrecision(15)));
  return units === 0 ? 0 : (Math.sign(degrees) * units) / 1e5;
}
