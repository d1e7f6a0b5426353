import { useFailedDispatches } from '../../data/scheduled.ts';
import { Link } from '../../router.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useWords } from '../../words.ts';
import { SituationBadge } from '../scheduled/SituationBadge.tsx';

const ALL = '/programadas?situacao=X';

/** Scheduled deliveries that could not leave, and why; each stays here until it is cancelled. */
export function FailedDispatches({ count, limit }: { count: number; limit: number }) {
  const t = useWords();
  const failed = useFailedDispatches(limit, count > 0);
  const title = t('Disparos que falharam', 'Failed dispatches');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to={ALL}>{count}</Link>
      </h3>
      <ul className="needs">
        {failed.data?.map((one) => (
          <li key={one.id_mch_programada}>
            <Link to={`/programadas/${one.id_mch_programada}`} className="need">
              <span className="need-head">
                <SituationBadge situation={one.situacao} bare />
                <strong>#{one.id_mch_programada}</strong>
                <span className="cut">{one.empresa?.nome ?? one.nome_cliente}</span>
                <span className="soft">
                  <TimeAgo at={one.disparo_em} only="age" />
                </span>
              </span>
              <span className="soft">{one.falha}</span>
            </Link>
          </li>
        ))}
      </ul>
      {count > limit && (
        <p>
          <Link to={ALL}>{t(`e mais ${count - limit}`, `and ${count - limit} more`)}</Link>
        </p>
      )}
    </section>
  );
}
