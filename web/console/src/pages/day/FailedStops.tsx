import { useLanguage, useWords } from '../../../../shared/words.ts';
import { useFailures } from '../../data/deliveries.ts';
import { decisionLabel, failureReasonLabel } from '../../failureWords.ts';
import { Link, usePlace, withQuery } from '../../router.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';
import { FailedStopActions } from '../delivery/FailedStop.tsx';

/** The query that limits the attention list to failed stops and shows all of them. */
export const ONLY_FAILED = { precisa: 'nao_entregues' } as const;

export const useShowsOnlyFailed = (): boolean => usePlace().query.get('precisa') === ONLY_FAILED.precisa;

/** Stops that were not delivered, with their actions, until they are resolved. */
export function FailedStops({ count, limit }: { count: number; limit: number }) {
  const t = useWords();
  const showsOnly = useShowsOnlyFailed();
  const language = useLanguage();
  const failures = useSteady(useFailures(count > 0).data) ?? [];
  const title = t('Não entregues', 'Not delivered');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to={withQuery(showsOnly ? { precisa: null } : ONLY_FAILED)}>{count}</Link>
      </h3>
      <ul className="attention-list">
        {failures.slice(0, showsOnly ? undefined : limit).map((failure) => (
          <li key={failure.parada_id}>
            <Link to={`/entregas/${failure.id_mch}`} className="attention-entry">
              <span className="attention-head">
                <strong>{failure.id_mch}</strong>
                <span className="line">{failure.destinatario ?? failure.nome_cliente}</span>
                <span className="soft">
                  <TimeAgo at={failure.em} only="age" />
                </span>
              </span>
              <span className="soft line">{failure.endereco}</span>
              <span>
                {failureReasonLabel[failure.motivo][language]}
                <span className="soft"> · {decisionLabel[failure.decisao][language]}</span>
              </span>
            </Link>
            <FailedStopActions failure={failure} />
          </li>
        ))}
      </ul>
      {showsOnly ? (
        <p>
          <Link to={withQuery({ precisa: null })}>
            {t('Mostrar tudo o que precisa de você', 'Show all that needs you')}
          </Link>
        </p>
      ) : (
        count > limit && (
          <p>
            <Link to={withQuery(ONLY_FAILED)}>
              {t(`e mais ${count - limit}`, `and ${count - limit} more`)}
            </Link>
          </p>
        )
      )}
    </section>
  );
}
