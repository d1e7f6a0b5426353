/** A number in degrees, with a decimal point or a decimal comma. */
export function readDegrees(typed: string, most: 90 | 180): number | undefined {
  const text = typed.trim().replace(',', '.');
  const degrees = text === '' ? Number.NaN : Number(text);
  return Math.abs(degrees) <= most ? degrees : undefined;
}

/**
 * Latitude and longitude as people type or paste them: `-30.03, -51.22`, `-30,03 -51,22`, `-30,03; -51,22` or
 * `-30.03,-51.22`.
 */
export function readCoordinates(typed: string): { lat: number; lng: number } | undefined {
  const spaced = typed
    .trim()
    .split(/[;\s]+/)
    .map((part) => part.replace(/,$/, ''))
    .filter(Boolean);
  const [lat = '', lng = '', ...rest] = spaced.length > 1 ? spaced : splitAtCommas(spaced[0] ?? '');
  const position = { lat: readDegrees(lat, 90), lng: readDegrees(lng, 180) };
  if (rest.length > 0 || position.lat === undefined || position.lng === undefined) return undefined;
  return { lat: position.lat, lng: position.lng };
}

/** Without a space, one comma separates the numbers, unless it may be the decimal comma of one; of three, the second. */
function splitAtCommas(text: string): string[] {
  const parts = text.split(',');
  if (parts.length === 4) return [parts.slice(0, 2).join(','), parts.slice(2).join(',')];
  return text.includes('.') || parts[1]?.startsWith('-') ? parts : [];
}
