import { formatMoney } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { dayAt } from '../core/days.ts';
import type { Earned } from '../core/work.ts';
import { dayWords, formatAge, weekWords } from '../format.ts';
import { useAppState, useServerNow } from '../useApp.ts';
import { StatementCard } from './StatementCard.tsx';

/** Today, this week, the cash to hand in, and the statement. Without network, the last known figures. */
export function Earnings() {
  const t = useWords();
  const language = useLanguage();
  const now = useServerNow(10_000);
  const { view, isOnline } = useAppState('view', 'isOnline');
  if (!view) return null;
  const { ganhos, agora } = view;
  const [readOn, today] = [dayAt(Date.parse(agora)), dayAt(now)];
  return (
    <main>
      {!isOnline && (
        <p role="status" className="note warn">
          {t('Sem rede. Como estava', 'Offline. As it was')} {formatAge(now - Date.parse(agora), language)}
        </p>
      )}
      <Period title={dayWords(readOn, today, language)} of={ganhos.hoje} />
      <Period title={weekWords(readOn, today, language)} of={ganhos.semana} />
      <section className="card" aria-label={t('Conta com a central', 'Account with the central')}>
        <dl className="figures">
          <div>
            <dt>{t('Dinheiro a entregar', 'Cash to hand in')}</dt>
            <dd>{formatMoney(ganhos.dinheiro_a_entregar)}</dd>
          </div>
          <div>
            <dt>
              {Number(ganhos.saldo) < 0
                ? t('Você deve à central', 'You owe the central')
                : t('A central lhe deve', 'The central owes you')}
            </dt>
            <dd>{formatMoney(Math.abs(Number(ganhos.saldo)))}</dd>
          </div>
        </dl>
      </section>
      <StatementCard />
    </main>
  );
}

function Period({ title, of }: { title: string; of: Earned }) {
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
          <dt>{t('Recebido em dinheiro', 'Received in cash')}</dt>
          <dd>{formatMoney(of.dinheiro_recebido)}</dd>
        </div>
      </dl>
    </section>
  );
}
