import { useWords } from '../../../shared/words.ts';
import { openAnew } from '../device/serviceWorker.ts';

/**
 * Shown instead of an empty page when a screen could not be rendered. The stored work may be the cause, for example if
 * another version of the app stored it, so the next start reads it from the central. The outbox is kept.
 */
export function Broken({ forgetWork }: { forgetWork: () => Promise<void> }) {
  const t = useWords();
  return (
    <main className="sign-in">
      <h1>{t('O aplicativo parou', 'The app has stopped')}</h1>
      <p role="alert">
        {t(
          'O que você fez está guardado neste aparelho e será enviado à central. Abra de novo para continuar; se parar outra vez, ligue para a central.',
          'What you did is kept on this phone and will be sent to the central. Open it again to go on; if it stops once more, call the central.',
        )}
      </p>
      <button type="button" className="big" onClick={() => void forgetWork().then(openAnew)}>
        {t('Abrir de novo', 'Open again')}
      </button>
    </main>
  );
}
