import { useAction } from '../../action.ts';
import { OPERATION, write } from '../../api.ts';
import type { OpenDelivery, Summary } from '../../data/deliveries.ts';
import { Link, withQuery } from '../../router.tsx';
import { useIsOperator } from '../../session.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useWords } from '../../words.ts';
import { chooseDeliveries, nextStop } from './dayView.ts';
import { FailedDispatches } from './FailedDispatches.tsx';

/** Of one kind; the list has the rest. */
const SHOWN_MAX = 20;

/** What waits for a person: late ones, those nobody was found for, those to release, failed dispatches, silent webhooks. */
export function NeedsMe({
  deliveries,
  summary,
  selected,
}: {
  deliveries: readonly OpenDelivery[];
  summary: Summary | undefined;
  selected: string | null;
}) {
  const t = useWords();
  const sorted = chooseDeliveries(deliveries, { status: null, late: false, text: '' });
  const groups = [
    {
      title: t('Atrasadas', 'Late'),
      list: { status: null, atrasadas: '1' },
      items: sorted.filter(({ atrasada }) => atrasada),
    },
    {
      title: t('Sem condutor', 'Without a driver'),
      list: { status: 'P', atrasadas: null },
      items: sorted.filter(({ atrasada, status }) => !atrasada && status === 'P'),
    },
    {
      title: t('Aguardam liberação', 'Awaiting release'),
      list: { status: 'L', atrasadas: null },
      items: sorted.filter(({ atrasada, status }) => !atrasada && status === 'L'),
    },
  ].filter(({ items }) => items.length > 0);
  const silent = summary?.webhooks_com_problema ?? 0;
  const failed = summary?.programadas_com_falha ?? 0;
  if (groups.length === 0 && failed === 0 && silent === 0)
    return (
      <Empty title={t('Nada precisa de você agora', 'Nothing needs you now')}>
        {t(
          'Atrasos, entregas sem condutor, liberações, disparos e webhooks que falham aparecem aqui.',
          'Late deliveries, those without a driver, releases, failed dispatches and failing webhooks appear here.',
        )}
      </Empty>
    );
  return (
    <>
      {groups.map(({ title, list, items }) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <Link to={withQuery(list)}>{items.length}</Link>
          </h3>
          <ul className="needs">
            {items.slice(0, SHOWN_MAX).map((one) => (
              <Need key={one.id} delivery={one} isSelected={one.id === selected} />
            ))}
          </ul>
          {items.length > SHOWN_MAX && (
            <p>
              <Link to={withQuery(list)}>
                {t(`e mais ${items.length - SHOWN_MAX}`, `and ${items.length - SHOWN_MAX} more`)}
              </Link>
            </p>
          )}
        </section>
      ))}
      {failed > 0 && <FailedDispatches count={failed} limit={SHOWN_MAX} />}
      {silent > 0 && (
        <section aria-label="Webhooks">
          <h3>
            {t('Webhooks que falham', 'Failing webhooks')} <Link to="/webhooks">{silent}</Link>
          </h3>
        </section>
      )}
    </>
  );
}

function Need({ delivery, isSelected }: { delivery: OpenDelivery; isSelected: boolean }) {
  const t = useWords();
  const isOperator = useIsOperator();
  const release = useAction(() => write('POST', `${OPERATION}/entregas/${delivery.id}/liberar`, {}), {
    done: t(`Entrega ${delivery.id} liberada.`, `Delivery ${delivery.id} released.`),
    refresh: ['deliveries', 'counts'],
    tellsFailure: true,
  });
  return (
    <li>
      <Link
        to={withQuery({ sel: delivery.id })}
        replace
        aria-current={isSelected ? 'true' : undefined}
        className="need"
      >
        <span className="need-head">
          <StatusBadge status={delivery.status} bare />
          <strong>{delivery.id}</strong>
          <span className="cut">{delivery.nome_cliente}</span>
          <span className={delivery.atrasada ? 'late' : 'soft'}>
            <TimeAgo at={delivery.atrasada ? delivery.previsao : delivery.solicitada_em} only="age" />
          </span>
        </span>
        <span className="soft cut">
          {[delivery.condutor?.nome, nextStop(delivery)?.endereco].filter(Boolean).join(' · ')}
        </span>
      </Link>
      {isOperator && delivery.status === 'L' && (
        <button type="button" disabled={release.isPending} onClick={() => release.mutate()}>
          {t('Liberar', 'Release')}
        </button>
      )}
    </li>
  );
}
