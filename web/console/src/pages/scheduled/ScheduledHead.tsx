import { useWords } from '../../../../shared/words.ts';
import { Link, usePlace } from '../../router.tsx';
import { useMay } from '../../session.tsx';

/** The head of both views of scheduled deliveries: those that await dispatch, and all of them. */
export function ScheduledHead() {
  const t = useWords();
  const isStaff = useMay('internals');
  const mayOrder = useMay('order');
  const { path } = usePlace();
  const views = [
    { to: '/programadas', words: t('Planejamento', 'Planning') },
    { to: '/programadas/lista', words: t('Todas', 'All') },
  ];
  return (
    <>
      <header className="page-head">
        <h1>{t('Programadas', 'Scheduled')}</h1>
        <div className="actions">
          {isStaff && (
            <Link className="button" to="/programadas/agrupamentos">
              {t('Agrupamentos automáticos', 'Automatic merges')}
            </Link>
          )}
          {mayOrder && (
            <Link className="button primary" to="/nova">
              {t('Nova entrega', 'New delivery')}
            </Link>
          )}
        </div>
      </header>
      <nav className="tabs" aria-label={t('Vista', 'View')}>
        {views.map(({ to, words }) => (
          <Link key={to} to={to} aria-current={to === path ? 'page' : undefined}>
            {words}
          </Link>
        ))}
      </nav>
    </>
  );
}
