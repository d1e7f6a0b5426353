import { OPEN_LETTERS } from '../../../../shared/statuses.ts';
import { useWords } from '../../../../shared/words.ts';
import type { Summary } from '../../data/deliveries.ts';
import { Link, withQuery } from '../../router.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import type { DayFilter } from './dayView.ts';
import { ONLY_FAILED, useShowsOnlyFailed } from './FailedStops.tsx';

/** The number of deliveries by status. Every number links to its list. */
export function Counts({
  summary,
  filter,
  bare,
}: {
  summary: Summary | undefined;
  filter: DayFilter;
  /** Shows the statuses by their letters, with the words as titles. */
  bare: boolean;
}) {
  const t = useWords();
  const all = summary ? Object.values(summary.entregas).reduce((sum, count) => sum + count, 0) : undefined;
  const isAll = filter.status === null && !filter.late && !filter.soonLate && !filter.unsure;
  const showsOnlyFailed = useShowsOnlyFailed();
  const only = (change: Record<string, string>) =>
    withQuery({ status: null, atrasadas: null, vao_atrasar: null, conferir: null, ...change });
  return (
    <nav className="counts" aria-label={t('Entregas por status', 'Deliveries by status')}>
      <Link to={only({})} aria-current={isAll ? 'true' : undefined}>
        {t('Todas', 'All')} <strong>{all ?? '–'}</strong>
      </Link>
      <Link
        to={only({ atrasadas: '1' })}
        aria-current={filter.late ? 'true' : undefined}
        className={summary && summary.atrasadas > 0 ? 'late' : undefined}
      >
        {t('Atrasadas', 'Late')} <strong>{summary?.atrasadas ?? '–'}</strong>
      </Link>
      {summary && summary.paradas_nao_entregues > 0 && (
        <Link to={withQuery(ONLY_FAILED)} aria-current={showsOnlyFailed ? 'true' : undefined}>
          {t('Não entregues', 'Not delivered')} <strong>{summary.paradas_nao_entregues}</strong>
        </Link>
      )}
      {summary && summary.enderecos_a_conferir > 0 && (
        <Link to={only({ conferir: '1' })} aria-current={filter.unsure ? 'true' : undefined}>
          {t('Endereço a conferir', 'Address to check')} <strong>{summary.enderecos_a_conferir}</strong>
        </Link>
      )}
      {/* Statuses without deliveries are left out. */}
      {OPEN_LETTERS.filter((letter) => summary?.entregas[letter] || filter.status === letter).map(
        (letter) => (
          <Link
            key={letter}
            to={only({ status: letter })}
            aria-current={filter.status === letter ? 'true' : undefined}
          >
            <StatusBadge status={letter} bare={bare} /> <strong>{summary?.entregas[letter] ?? '–'}</strong>
          </Link>
        ),
      )}
      <Link to="/programadas">
        {t('Programadas', 'Scheduled')} <strong>{summary?.programadas_aguardando ?? '–'}</strong>
      </Link>
    </nav>
  );
}
