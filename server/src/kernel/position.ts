/** A point on the earth, in degrees (WGS 84). */
export interface Position {
  lat: number;
  lng: number;
}

/** Two pickups are the same place when they agree to 5 decimals, about one metre. */
export const samePlace = (a: Position, b: Position): boolean =>
  roundDegrees(a.lat) === roundDegrees(b.lat) && roundDegrees(a.lng) === roundDegrees(b.lng);

const roundDegrees = (degrees: number): number => Math.round(degrees * 1e5);
