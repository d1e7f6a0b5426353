import { useState } from 'react';
import { call } from '../../api.ts';
import type { OpenDelivery, Summary } from '../../data/deliveries.ts';
import { useFailedDispatches } from '../../data/scheduled.ts';
import { useAction } from '../../form.ts';
import { Link, withQuery } from '../../router.tsx';
import { useIsOperator } from '../../session.tsx';
import { OPEN_LETTERS } from '../../statuses.ts';
import { SituationBadge, StatusBadge } from '../../ui/badges.tsx';
import { Empty } from '../../ui/Loaded.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';
import { CheckAddress } from './CheckAddress.tsx';
import { chooseDeliveries, type DayFilter, nextStop } from './dayView.ts';
import { FailedStops } from './FailedStops.tsx';
import { HelpCalls } from './HelpCalls.tsx';
import { NotAttended } from './NotAttended.tsx';

/** How many there are of each; every number leads to its list. */
export function Counts({ summary, filter }: { summary: Summary | undefined; filter: DayFilter }) {
  const t = useWords();
  const all = summary ? Object.values(summary.entregas).reduce((sum, count) => sum + count, 0) : undefined;
  const isAll = filter.status === null && !filter.late && !filter.unsure;
  return (
    <nav className="counts" aria-label={t('Entregas por status', 'Deliveries by status')}>
      <Link
        to={withQuery({ status: null, atrasadas: null, conferir: null })}
        aria-current={isAll ? 'true' : undefined}
      >
        {t('Todas', 'All')} <strong>{all ?? '–'}</strong>
      </Link>
      <Link
        to={withQuery({ status: null, atrasadas: '1', conferir: null })}
        aria-current={filter.late ? 'true' : undefined}
        className={summary && summary.atrasadas > 0 ? 'late' : undefined}
      >
        {t('Atrasadas', 'Late')} <strong>{summary?.atrasadas ?? '–'}</strong>
      </Link>
      {summary && summary.enderecos_a_conferir > 0 && (
        <Link
          to={withQuery({ status: null, atrasadas: null, conferir: '1' })}
          aria-current={filter.unsure ? 'true' : undefined}
        >
          {t('Endereço a conferir', 'Address to check')} <strong>{summary.enderecos_a_conferir}</strong>
        </Link>
      )}
      {OPEN_LETTERS.map((letter) => (
        <Link
          key={letter}
          to={withQuery({ status: letter, atrasadas: null, conferir: null })}
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

const ALL = '/programadas?situacao=X';

/** Scheduled deliveries that could not leave, and why; each stays here until it is cancelled. */
function FailedDispatches({ count, limit }: { count: number; limit: number }) {
  const t = useWords();
  const failed = useFailedDispatches(limit, count > 0);
  const title = t('Disparos que falharam', 'Failed dispatches');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to={ALL}>{count}</Link>
      </h3>
      <ul className="needs">
        {failed.data?.map((each) => (
          <li key={each.id_mch_programada}>
            <Link to={`/programadas/${each.id_mch_programada}`} className="need">
              <span className="need-head">
                <SituationBadge situation={each.situacao} bare />
                <strong>#{each.id_mch_programada}</strong>
                <span className="cut">{each.empresa?.nome ?? each.nome_cliente}</span>
                <span className="soft">
                  <TimeAgo at={each.disparo_em} only="age" />
                </span>
              </span>
              <span className="soft">{each.falha}</span>
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

/** Of one kind; the list has the rest. */
const SHOWN_MAX = 20;

/** What waits for a person: stops that were not delivered, late ones, those nobody was found for, those to release, rough addresses, failed dispatches, silent webhooks. */
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
      list: { status: null, atrasadas: '1', conferir: null },
      items: sorted.filter(({ atrasada }) => atrasada),
    },
    {
      title: t('Sem entregador', 'Without a driver'),
      list: { status: 'P', atrasadas: null, conferir: null },
      items: sorted.filter(({ atrasada, status }) => !atrasada && status === 'P'),
    },
    {
      title: t('Aguardam liberação', 'Awaiting release'),
      list: { status: 'L', atrasadas: null, conferir: null },
      items: sorted.filter(({ atrasada, status }) => !atrasada && status === 'L'),
    },
    {
      title: t('Endereço a conferir', 'Address to check'),
      list: { status: null, atrasadas: null, conferir: '1' },
      items: sorted.filter(
        ({ atrasada, status, conferir_endereco }) =>
          conferir_endereco && !atrasada && status !== 'P' && status !== 'L',
      ),
    },
  ].filter(({ items }) => items.length > 0);
  const silent = summary?.webhooks_com_problema ?? 0;
  const failed = summary?.programadas_com_falha ?? 0;
  const notDelivered = summary?.paradas_nao_entregues ?? 0;
  const help = summary?.pedidos_ajuda ?? [];
  const isOperator = useIsOperator();
  if (groups.length === 0 && failed === 0 && silent === 0 && help.length === 0 && notDelivered === 0)
    return (
      <>
        {isOperator && <NotAttended />}
        <Empty title={t('Nada precisa de você agora', 'Nothing needs you now')}>
          {t(
            'Pedidos de ajuda, paradas não entregues, atrasos, entregas sem entregador, liberações, endereços a conferir, disparos e webhooks que falham aparecem aqui.',
            'Calls for help, stops that were not delivered, late deliveries, those without a driver, releases, addresses to check, failed dispatches and failing webhooks appear here.',
          )}
        </Empty>
      </>
    );
  return (
    <>
      {help.length > 0 && <HelpCalls calls={help} />}
      {notDelivered > 0 && <FailedStops count={notDelivered} limit={SHOWN_MAX} />}
      {isOperator && <NotAttended />}
      {groups.map(({ title, list, items }) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <Link to={withQuery(list)}>{items.length}</Link>
          </h3>
          <ul className="needs">
            {items.slice(0, SHOWN_MAX).map((item) => (
              <Need key={item.id} delivery={item} isSelected={item.id === selected} />
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
  const [isChecking, setChecking] = useState(false);
  const release = useAction(() => call('operacao', 'POST /entregas/{id}/liberar', { id: delivery.id }), {
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
      {isOperator && delivery.conferir_endereco && (
        <button type="button" onClick={() => setChecking(true)}>
          {t('Conferir endereço', 'Check address')}
        </button>
      )}
      {isChecking && <CheckAddress delivery={delivery} onClose={() => setChecking(false)} />}
      {isOperator && delivery.status === 'L' && (
        <button type="button" disabled={release.isPending} onClick={() => release.mutate()}>
          {t('Liberar', 'Release')}
        </button>
      )}
    </li>
  );
}
