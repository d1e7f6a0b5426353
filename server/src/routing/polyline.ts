const UNITS_PER_DEGREE = 1e6;

/**
 * [lng, lat] pairs from an encoded polyline of six decimals, the form in which Valhalla draws ways.
 * Null when the text is no such line.
 */
export function decodePolyline(text: string): [number, number][] | null {
  const line: [number, number][] = [];
  const at = [0, 0] as [lat: number, lng: number];
  let axis: 0 | 1 = 0;
  let value = 0;
  let shift = 0;
  for (let index = 0; index < text.length; index++) {
    const chunk = text.charCodeAt(index) - 63;
    if (chunk < 0 || chunk > 63 || shift > 30) return null;
    value += (chunk & 31) * 2 ** shift;
    shift += 5;
    if (chunk >= 32) continue;
    at[axis] += value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    if (axis === 1) line.push([at[1] / UNITS_PER_DEGREE, at[0] / UNITS_PER_DEGREE]);
    axis = axis === 0 ? 1 : 0;
    value = 0;
    shift = 0;
  }
  const isWhole = axis === 0 && shift === 0;
  return isWhole && line.every(isOnEarth) ? line : null;
}

const isOnEarth = ([lng, lat]: [number, number]): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
