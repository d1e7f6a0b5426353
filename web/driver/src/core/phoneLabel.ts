type Name = readonly [pattern: RegExp, name: string];

/** In this order, because a user agent names what it is compatible with too: Android says Linux, and Edge says Chrome. */
const SYSTEMS: readonly Name[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/Linux/, 'Linux'],
];
const BROWSERS: readonly Name[] = [
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];

/** The phone's system and browser ("Android, Chrome"), by which the operator recognises a session. */
export function phoneLabel(userAgent: string): string {
  const nameIn = (names: readonly Name[]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [nameIn(SYSTEMS) ?? 'aparelho', nameIn(BROWSERS)].filter(Boolean).join(', ');
}
