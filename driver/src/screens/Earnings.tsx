import { formatMoney } from '../../../console/src/formats.ts';
import { useWords } from '../../../console/src/words.ts';
import type { Earnings as EarningsOf } from '../core/work.ts';
import { useAppState } from '../useApp.ts';

/** Today and this week, and the cash that is to be handed in. */
export function Earnings() {
  const t = useWords();
  const ganhos = useAppState().view?.ganhos;
  if (!ganhos)
    return (
      <main>
        <p className="empty">
          {t(
            'A sua central ainda não mostra ganhos no aplicativo.',
            'Your central does not show earnings in the app yet.',
          )}
        </p>
      </main>
    );
  return (
    <main>
      <Period title={t('Hoje', 'Today')} of={ganhos.hoje} />
      <Period title={t('Esta semana', 'This week')} of={ganhos.semana} />
    </main>
  );
}

function Period({ title, of }: { title: string; of: EarningsOf }) {
  const t = useWords();
  return (
    <section className="card">
      <h2>{title}</h2>
      <p className="amount large">{formatMoney(of.valor)}</p>
      <dl className="figures">
        <div>
          <dt>{t('Entregas', 'Deliveries')}</dt>
          <dd>{of.entregas}</dd>
        </div>
        <div>
          <dt>{t('Dinheiro a entregar', 'Cash to hand in')}</dt>
          <dd>{formatMoney(of.dinheiro_a_entregar)}</dd>
        </div>
      </dl>
    </section>
  );
}
