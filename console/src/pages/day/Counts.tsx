import type { Summary } from '../../data/deliveries.ts';
import { Link, withQuery } from '../../router.tsx';
import { OPEN_LETTERS } from '../../statuses.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useWords } from '../../words.ts';
import type { DayFilter } from './dayView.ts';

/** How many there are of each; every number leads to its list. */
export function Counts({ summary, filter }: { summary: Summary | undefined; filter: DayFilter }) {
  const t = useWords();
  const all = summary ? Object.values(summary.entregas).reduce((sum, count) => sum + count, 0) : undefined;
  const isAll = filter.status === null && !filter.late;
  return (
    <nav className="counts" aria-label={t('Entregas por status', 'Deliveries by status')}>
      <Link to={withQuery({ status: null, atrasadas: null })} aria-current={isAll ? 'true' : undefined}>
        {t('Todas', 'All')} <strong>{all ?? '–'}</strong>
      </Link>
      <Link
        to={withQuery({ status: null, atrasadas: '1' })}
        aria-current={filter.late ? 'true' : undefined}
        className={summary && summary.atrasadas > 0 ? 'late' : undefined}
      >
        {t('Atrasadas', 'Late')} <strong>{summary?.atrasadas ?? '–'}</strong>
      </Link>
      {OPEN_LETTERS.map((letter) => (
        <Link
          key={letter}
          to={withQuery({ status: letter, atrasadas: null })}
          aria-current={filter.status === letter ? 'true' : undefined}
        >
          {/* What there is none of keeps its place and its letter, quietly. */}
          <StatusBadge status={letter} bare={!summary?.entregas[letter]} />{' '}
          <strong>{summary?.entregas[letter] ?? '–'}</strong>
        </Link>
      ))}
      <Link to="/programadas">
        {t('Programadas', 'Scheduled')} <strong>{summary?.programadas_aguardando ?? '–'}</strong>
      </Link>
    </nav>
  );
}
