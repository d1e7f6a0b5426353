export type Language = 'pt' | 'en';

/** Browsers send a hundredth of what a header may hold. */
const LENGTH_MAX = 1_000;

/** Portuguese unless English is what the reader prefers (RFC 9110, 12.5.4). */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  if (!acceptLanguage) return 'pt';
  let best: { language: Language; weight: number } = { language: 'pt', weight: 0 };
  for (const range of acceptLanguage.slice(0, LENGTH_MAX).split(',')) {
    const [tag = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const language = tag.split('-')[0];
    if (language !== 'pt' && language !== 'en') continue;
    const q = parameters.find((one) => one.startsWith('q='));
    const weight = q ? Number(q.slice(2)) : 1;
    if (weight > best.weight) best = { language, weight };
  }
  return best.language;
}
