import { useEffect, useState } from 'react';
import { ACCOUNT_LINE_LABELS } from '../../../../server/src/api/json/labels.ts';
import { formatMoney } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import type { KnownStatement } from '../appState.ts';
import { dayAt, daysOf, type Period } from '../core/days.ts';
import type { StatementEntry } from '../core/work.ts';
import { formatAge, formatDay } from '../format.ts';
import { useApp, useServerNow } from '../useApp.ts';

const PERIODS = ['today', 'week', 'month'] as const satisfies Period[];

/** The entries of a period, newest first, each with the balance after it. */
export function StatementCard() {
  const t = useWords();
  const language = useLanguage();
  const app = useApp();
  const now = useServerNow(10_000);
  const today = dayAt(now);
  const [period, setPeriod] = useState<Period>('week');
  const [known, setKnown] = useState<KnownStatement | null | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    setKnown(undefined);
    const { from, to } = daysOf(period, today);
    void app.readStatement(from, to).then((read) => isCurrent && setKnown(read));
    return () => {
      isCurrent = false;
    };
  }, [app, period, today]);
  const periods: Record<Period, string> = {
    today: t('Hoje', 'Today'),
    week: t('Semana', 'Week'),
    month: t('Mês', 'Month'),
  };
  const entries = known?.statement.lancamentos ?? [];
  return (
    <section className="card" aria-label={t('Extrato', 'Statement')}>
      <h2>{t('Extrato', 'Statement')}</h2>
      <div className="choices thirds">
        {PERIODS.map((each) => (
          <button key={each} type="button" aria-pressed={period === each} onClick={() => setPeriod(each)}>
            {periods[each]}
          </button>
        ))}
      </div>
      {known === undefined && <p role="status">{t('Buscando…', 'Fetching…')}</p>}
      {known === null && (
        <p role="status" className="note">
          {t('Sem rede. Este período ainda não foi lido.', 'Offline. This period was not read yet.')}
        </p>
      )}
      {known && now - Date.parse(known.readAt) > 60_000 && (
        <p className="soft">
          {t('Como estava', 'As it was')} {formatAge(now - Date.parse(known.readAt), language)}
        </p>
      )}
      {known && entries.length === 0 && (
        <p className="empty">
          {t(
            'Nada neste período. O que você ganha e recebe aparece aqui.',
            'Nothing in this period. What you earn and collect appears here.',
          )}
        </p>
      )}
      {entries.length > 0 && (
        <ol className="plain-list statement">
          {entries.map((entry) => (
            <EntryLine key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {known && known.statement.proximo !== null && (
        <p className="soft">
          {t(
            'Há lançamentos mais antigos: escolha um período menor ou peça à central.',
            'There are older entries: choose a shorter period or ask the central.',
          )}
        </p>
      )}
    </section>
  );
}

function EntryLine({ entry }: { entry: StatementEntry }) {
  const t = useWords();
  const language = useLanguage();
  const kinds: Record<StatementEntry['tipo'], string> = {
    repasse: t('Entrega', 'Delivery'),
    dinheiro_recebido: ACCOUNT_LINE_LABELS.dinheiro_recebido[language],
    dinheiro_entregue: ACCOUNT_LINE_LABELS.dinheiro_entregue[language],
    pagamento: ACCOUNT_LINE_LABELS.pagamento[language],
    ajuste: ACCOUNT_LINE_LABELS.ajuste[language],
    estorno: t('Estorno', 'Reversal'),
  };
  return (
    <li>
      <span>
        {kinds[entry.tipo]}
        {entry.entrega_id !== null && ` ${entry.entrega_id}`}
        <small className="soft">
          {formatDay(entry.dia, language)}
          {entry.motivo && ` · ${entry.motivo}`}
        </small>
      </span>
      <span className="figure">
        {formatMoney(entry.valor)}
        <small className="soft">
          {t('saldo', 'balance')} {formatMoney(entry.saldo_apos)}
        </small>
      </span>
    </li>
  );
}
