import { Link, usePlace, withQuery } from '../router.tsx';
import { useWords } from '../words.ts';

/** The page asked for, from the address. */
export const usePage = (): number => Math.max(1, Math.trunc(Number(usePlace().query.get('pagina'))) || 1);

/** Lists do not say how long they are; a full page may have another behind it. */
export function Pager({ shown, limit }: { shown: number; limit: number }) {
  const t = useWords();
  const page = usePage();
  const at = (number: number) => withQuery({ pagina: number > 1 ? String(number) : null });
  if (page === 1 && shown < limit) return null;
  return (
    <nav className="pager" aria-label={t('Páginas', 'Pages')}>
      {page > 1 && <Link to={at(page - 1)}>← {t('Anteriores', 'Previous')}</Link>}
      <span className="soft">
        {t('Página', 'Page')} {page}
      </span>
      {shown === limit && <Link to={at(page + 1)}>{t('Próximas', 'Next')} →</Link>}
    </nav>
  );
}
