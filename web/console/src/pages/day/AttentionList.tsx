import { useWords } from '../../../../shared/words.ts';
import type { OpenDelivery, Summary } from '../../data/deliveries.ts';
import { Link, withQuery } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { Empty } from '../../ui/Loaded.tsx';
import { AttentionEntry } from './AttentionEntry.tsx';
import { chooseDeliveries } from './dayView.ts';
import { FailedDispatches } from './FailedDispatches.tsx';
import { FailedStops, useShowsOnlyFailed } from './FailedStops.tsx';
import { FailingWebhooks } from './FailingWebhooks.tsx';
import { HelpCalls } from './HelpCalls.tsx';
import { NotAttended } from './NotAttended.tsx';
import { ProposedAddresses } from './ProposedAddresses.tsx';

/** The maximum number of entries of one group. The list of deliveries has the rest. */
const SHOWN_MAX = 20;

/** Turns all filters of the list off. */
const ALL_OFF = { status: null, atrasadas: null, vao_atrasar: null, conferir: null };

/** Whether the status has a group of its own. */
const isWaiting = (status: OpenDelivery['status']): boolean => status === 'P' || status === 'L';

/**
 * Everything that needs attention: calls for help, failed stops, deliveries that were not attended, are late, have no
 * driver or await release, imprecise and proposed addresses, failed dispatches and failing webhooks.
 */
export function AttentionList({
  deliveries,
  summary,
  selected,
  onGive,
}: {
  deliveries: readonly OpenDelivery[];
  summary: Summary | undefined;
  selected: string | null;
  onGive: (delivery: OpenDelivery) => void;
}) {
  const t = useWords();
  const sorted = chooseDeliveries(deliveries, { status: null, late: false, text: '' });
  const groups = [
    {
      title: t('Atrasadas', 'Late'),
      list: { ...ALL_OFF, atrasadas: '1' },
      items: sorted.filter(({ atrasada }) => atrasada),
    },
    {
      title: t('Vão atrasar', 'Will be late'),
      list: { ...ALL_OFF, vao_atrasar: '1' },
      items: sorted.filter(({ vai_atrasar, status }) => vai_atrasar && !isWaiting(status)),
    },
    {
      title: t('Sem entregador', 'Without a driver'),
      list: { ...ALL_OFF, status: 'P' },
      items: sorted.filter(({ atrasada, status }) => !atrasada && status === 'P'),
    },
    {
      title: t('Aguardam liberação', 'Awaiting release'),
      list: { ...ALL_OFF, status: 'L' },
      items: sorted.filter(({ atrasada, status }) => !atrasada && status === 'L'),
    },
    {
      title: t('Endereço a conferir', 'Address to check'),
      list: { ...ALL_OFF, conferir: '1' },
      items: sorted.filter(
        ({ atrasada, vai_atrasar, status, conferir_endereco }) =>
          conferir_endereco && !atrasada && !vai_atrasar && !isWaiting(status),
      ),
    },
  ].filter(({ items }) => items.length > 0);
  const silent = summary?.webhooks_com_problema ?? 0;
  const failed = summary?.programadas_com_falha ?? 0;
  const notDelivered = summary?.paradas_nao_entregues ?? 0;
  const help = summary?.pedidos_ajuda ?? [];
  const isDesk = useMay('desk');
  const showsOnlyFailed = useShowsOnlyFailed();
  if (groups.length === 0 && failed === 0 && silent === 0 && help.length === 0 && notDelivered === 0)
    return (
      <>
        {isDesk && <NotAttended />}
        {isDesk && <ProposedAddresses />}
        <Empty title={t('Nada precisa de você agora', 'Nothing needs you now')}>
          {t(
            'Pedidos de ajuda, paradas não entregues, não atendidas, atrasos, entregas sem entregador, liberações, endereços a conferir, saídas e webhooks que falham aparecem aqui.',
            'Calls for help, stops that were not delivered, late deliveries, those without a driver, releases, addresses to check, failed dispatches and failing webhooks appear here.',
          )}
        </Empty>
      </>
    );
  if (showsOnlyFailed && notDelivered > 0) return <FailedStops count={notDelivered} limit={SHOWN_MAX} />;
  return (
    <>
      {help.length > 0 && <HelpCalls calls={help} />}
      {notDelivered > 0 && <FailedStops count={notDelivered} limit={SHOWN_MAX} />}
      {isDesk && <NotAttended />}
      {groups.map(({ title, list, items }) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <Link to={withQuery(list)}>{items.length}</Link>
          </h3>
          <ul className="attention-list">
            {items.slice(0, SHOWN_MAX).map((item) => (
              <AttentionEntry
                key={item.id}
                delivery={item}
                isSelected={item.id === selected}
                onGive={() => onGive(item)}
              />
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
      {isDesk && <ProposedAddresses />}
      {failed > 0 && <FailedDispatches count={failed} limit={SHOWN_MAX} />}
      {silent > 0 && <FailingWebhooks count={silent} limit={SHOWN_MAX} />}
    </>
  );
}
