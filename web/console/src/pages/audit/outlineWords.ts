/** In the format of GeoJSON. */
type Outline =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] };

const METRES_PER_DEGREE = 111_320;

/** Whether a value of the log is the outline of an operating area. */
export const isOutline = (value: unknown): value is Outline =>
  typeof value === 'object' && value !== null && 'coordinates' in value && Array.isArray(value.coordinates);

/** An outline as people compare two of them: the number of points, and the area. */
export function outlineWords(shape: Outline, language: 'pt' | 'en'): string {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  const points = polygons.flat().reduce((sum, ring) => sum + Math.max(ring.length - 1, 0), 0);
  const squareKm = polygons.reduce(
    (sum, [outside = [], ...holes]) =>
      sum + holes.reduce((left, hole) => left - areaOf(hole), areaOf(outside)),
    0,
  );
  const size = squareKm.toLocaleString(language === 'pt' ? 'pt-BR' : 'en', { maximumSignificantDigits: 3 });
  return `${points} ${language === 'pt' ? 'pontos' : 'points'}, ${size} km²`;
}

/** In km², on a plane that touches the earth at the ring's first point. */
function areaOf(ring: readonly number[][]): number {
  const shrink = Math.cos(((ring[0]?.[1] ?? 0) * Math.PI) / 180);
  let twice = 0;
  for (const [index, [lng = 0, lat = 0]] of ring.entries()) {
    const [nextLng = 0, nextLat = 0] = ring[(index + 1) % ring.length]!;
    twice += lng * nextLat - nextLng * lat;
  }
  return (Math.abs(twice) / 2) * shrink * (METRES_PER_DEGREE / 1000) ** 2;
}
