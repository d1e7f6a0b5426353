import { useWords } from '../../../shared/words.ts';

export function Optional() {
  const t = useWords();
  return <span className="soft">({t('se quiser', 'optional')})</span>;
}
