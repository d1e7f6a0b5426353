import { useSyncExternalStore } from 'react';
import type { Language } from './formats.ts';

export type { Language };

const stored = localStorage.getItem('malote.idioma');
let language: Language =
  stored === 'pt' || stored === 'en'
    ? stored
    : navigator.language.toLowerCase().startsWith('en')
      ? 'en'
      : 'pt';
const readers = new Set<() => void>();
document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en';

export function chooseLanguage(chosen: Language): void {
  language = chosen;
  localStorage.setItem('malote.idioma', chosen);
  document.documentElement.lang = chosen === 'pt' ? 'pt-BR' : 'en';
  for (const notify of readers) notify();
}

export const useLanguage = (): Language =>
  useSyncExternalStore(
    (notify) => {
      readers.add(notify);
      return () => readers.delete(notify);
    },
    () => language,
  );

/** Texts are written where they are used: `const t = useWords(); t('Salvar', 'Save')`. */
export function useWords(): (pt: string, en: string) => string {
  const chosen = useLanguage();
  return (pt, en) => (chosen === 'pt' ? pt : en);
}
