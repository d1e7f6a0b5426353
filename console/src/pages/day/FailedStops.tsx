import { useFailures } from '../../data/deliveries.ts';
import { decisionLabel, failureReasonLabel } from '../../failureWords.ts';
import { Link } from '../../router.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { useLanguage, useWords } from '../../words.ts';
import { FailedStopActions } from '../delivery/FailedStop.tsx';

/** Stops that were not delivered, until somebody has taken care of them; each with what can be done about it. */
export function FailedStops({ count, limit }: { count: number; limit: number }) {
  const t = useWords();
  const language = useLanguage();
  const failures = useFailures(count > 0).data ?? [];
  const title = t('Não entregues', 'Not delivered');
  return (
    <section aria-label={title}>
      <h3>
        {title} <span>{count}</span>
      </h3>
      <ul className="needs">
        {failures.slice(0, limit).map((failure) => (
          <li key={failure.parada_id}>
            <Link to={`/entregas/${failure.id_mch}`} className="need">
              <span className="need-head">
                <strong>{failure.id_mch}</strong>
                <span className="cut">{failure.destinatario ?? failure.nome_cliente}</span>
                <span className="soft">
                  <TimeAgo at={failure.em} only="age" />
                </span>
              </span>
              <span className="soft cut">{failure.endereco}</span>
              <span>
                {failureReasonLabel[failure.motivo][language]}
                <span className="soft"> · {decisionLabel[failure.decisao][language]}</span>
              </span>
            </Link>
            <FailedStopActions failure={failure} />
          </li>
        ))}
      </ul>
      {count > limit && <p className="soft">{t(`e mais ${count - limit}`, `and ${count - limit} more`)}</p>}
    </section>
  );
}
