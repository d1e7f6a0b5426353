import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { useFailedDispatches } from '../../data/scheduled.ts';
import { useAction, useRefresh } from '../../form.ts';
import { Link } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';

const ALL = '/programadas/lista?situacao=X';

/** Scheduled deliveries whose dispatch failed, with the reason. Each stays until it is dispatched or cancelled. */
export function FailedDispatches({ count, limit }: { count: number; limit: number }) {
  const t = useWords();
  const failed = useSteady(useFailedDispatches(limit, count > 0).data);
  const isDesk = useMay('desk');
  const title = t('Saídas que falharam', 'Failed dispatches');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to={ALL}>{count}</Link>
      </h3>
      <ul className="attention-list">
        {failed?.map((each) => (
          <li key={each.id_mch_programada}>
            <Link to={`/programadas/${each.id_mch_programada}`} className="attention-entry">
              <span className="attention-head">
                <strong>#{each.id_mch_programada}</strong>
                <span className="line">{each.empresa?.nome ?? each.nome_cliente}</span>
                <span className="soft">
                  <TimeAgo at={each.disparo_em} only="age" />
                </span>
              </span>
              <span className="soft">{each.falha}</span>
            </Link>
            {isDesk && <DispatchActions id={each.id_mch_programada} />}
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

function DispatchActions({ id }: { id: string }) {
  const t = useWords();
  const refresh = useRefresh('scheduled', 'counts');
  const retry = useAction(() => call('operacao', 'POST /programadas/{id}/disparar', { id }), {
    done: t(`A programada ${id} sai agora.`, `Scheduled delivery ${id} leaves now.`),
    refresh: ['scheduled', 'counts', 'deliveries'],
    toastsFailure: true,
  });
  return (
    <span className="actions">
      <button type="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
        {t('Tentar agora', 'Try now')}
        <span className="unseen"> {id}</span>
      </button>
      <ConfirmButton
        label={t('Cancelar', 'Cancel')}
        title={t(`Cancelar a programada ${id}?`, `Cancel scheduled delivery ${id}?`)}
        what={t(
          'Ela não sai mais, e deixa esta lista. O que foi pedido fica no histórico.',
          'It does not leave any more and is taken off this list. What was ordered stays in the history.',
        )}
        act={t('Cancelar a programada', 'Cancel the scheduled delivery')}
        danger
        onConfirm={async () => {
          await call('operacao', 'POST /programadas/{id}/cancelar', { id });
          await refresh(t(`Programada ${id} cancelada.`, `Scheduled delivery ${id} cancelled.`));
        }}
      />
    </span>
  );
}
