import { useWords } from '../../../shared/words.ts';

/** Shown instead of the app when the browser provides no storage, because actions could then be lost. */
export function NoStorage() {
  const t = useWords();
  return (
    <main className="sign-in">
      <h1>{t('O aplicativo não abriu', 'The app did not open')}</h1>
      <p role="alert">
        {t(
          'O navegador não deixou guardar dados neste aparelho. Saia da navegação anônima, permita dados deste site nas configurações do navegador ou libere espaço, e tente de novo.',
          'The browser did not let the app keep data on this phone. Leave private browsing, allow data of this site in the browser’s settings or free some space, and try again.',
        )}
      </p>
      <button type="button" className="big" onClick={() => location.reload()}>
        {t('Tentar de novo', 'Try again')}
      </button>
    </main>
  );
}
