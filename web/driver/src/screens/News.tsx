import { useWords } from '../../../shared/words.ts';
import { changeWords } from '../changeWords.ts';
import { useFocusOn } from '../ui/focus.ts';
import { Icon } from '../ui/Icon.tsx';
import { useApp, useAppState } from '../useApp.ts';

/** The central's changes, until the driver acknowledges them. */
export function News() {
  const t = useWords();
  const app = useApp();
  const { news } = useAppState('news');
  useFocusOn(String(news.length));
  if (news.length === 0) return null;
  return (
    <section className="news" role="alert">
      <h2>
        <Icon name="alert" />
        {t('Mudou', 'Changed')}
      </h2>
      <ul>
        {news.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows until it is read
          <li key={index}>{changeWords(change, t)}</li>
        ))}
      </ul>
      <button type="button" onClick={app.readNews}>
        {t('Entendi', 'Got it')}
      </button>
    </section>
  );
}
