import type { Position } from '../kernel/position.ts';

/**
 * `latlng_paradas` of the estimate (contract 4.1): stops separated by `|`, each `lat,lng`, a trailing `|`
 * allowed; a plain `lat|lng|lat|lng` list is understood too. Null when it is neither.
 */
export function parseStopCoordinates(text: string): Position[] | null {
  const parts = text.split('|').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  if (parts.length === 0) return [];
  const pairs = parts.some((part) => part.includes(','))
    ? parts.map((part) => part.split(','))
    : Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) =>
        parts.slice(index * 2, index * 2 + 2),
      );
  const positions = pairs.map(toPosition);
  return positions.every((position) => position !== null) ? positions : null;
}

function toPosition(pair: readonly string[]): Position | null {
  const [lat, lng] = pair.map((text) => (/^\s*-?\d{1,3}(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN));
  if (pair.length !== 2 || lat === undefined || lng === undefined) return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
