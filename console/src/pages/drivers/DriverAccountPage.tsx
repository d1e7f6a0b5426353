import { useState } from 'react';
import {
  ACCOUNT_LIMIT,
  type AccountEntry,
  useDriverEarnings,
  useDriverStatement,
  useDrivers,
} from '../../data/registers.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { IfMay, useMay } from '../../session.tsx';
import { DateField, isWholeDay } from '../../ui/BrazilianFields.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Fact, Money, TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';
import { AccountForm, type AccountMove, ReverseForm } from './AccountForms.tsx';

/** What the central owes a driver, how that came about, and the forms that change it. */
export function DriverAccountPage() {
  const t = useWords();
  const id = Number(usePlace().path.split('/')[2]);
  const driver = useDrivers().data?.find((each) => each.id === id);
  const [move, setMove] = useState<AccountMove | null>(null);
  const name = driver?.nome ?? `${t('Entregador', 'Driver')} ${id}`;
  return (
    <>
      <p>
        <Link to="/condutores">‹ {t('Entregadores', 'Drivers')}</Link>
      </p>
      <header className="page-head">
        <h1>{name}</h1>
        <IfMay permission="driver-entries">
          <div className="actions">
            <button type="button" className="primary" onClick={() => setMove('pagamento')}>
              {t('Lançar pagamento', 'Enter a payment')}
            </button>
            <button type="button" onClick={() => setMove('dinheiro_entregue')}>
              {t('Receber dinheiro', 'Take cash in')}
            </button>
            <button type="button" onClick={() => setMove('ajuste')}>
              {t('Ajustar', 'Adjust')}
            </button>
          </div>
        </IfMay>
      </header>
      <Figures driverId={id} />
      <h2 style={{ marginTop: 16 }}>{t('Extrato', 'Statement')}</h2>
      <Entries driverId={id} />
      {move && <AccountForm driver={{ id, name }} move={move} onClose={() => setMove(null)} />}
    </>
  );
}

function Figures({ driverId }: { driverId: number }) {
  const t = useWords();
  const earnings = useDriverEarnings(driverId);
  const deliveries = (count: number) =>
    `${count} ${count === 1 ? t('entrega', 'delivery') : t('entregas', 'deliveries')}`;
  return (
    <Loaded query={earnings}>
      {({ saldo, dinheiro_a_entregar, hoje, semana }) => (
        <section className="panel" aria-label={t('Conta', 'Account')}>
          <dl className="facts">
            <Fact
              name={Number(saldo) < 0 ? t('Deve à central', 'Owes the central') : t('A receber', 'Is owed')}
            >
              <strong>
                <Money value={Math.abs(Number(saldo))} />
              </strong>
            </Fact>
            <Fact name={t('Dinheiro a entregar', 'Cash to hand in')}>
              <Money value={dinheiro_a_entregar} />
            </Fact>
            <Fact name={t('Hoje', 'Today')}>
              <Money value={hoje.valor} /> <span className="soft">{deliveries(hoje.entregas)}</span>
            </Fact>
            <Fact name={t('Esta semana', 'This week')}>
              <Money value={semana.valor} /> <span className="soft">{deliveries(semana.entregas)}</span>
            </Fact>
          </dl>
        </section>
      )}
    </Loaded>
  );
}

const accountKinds: Record<AccountEntry['tipo'], { pt: string; en: string }> = {
  repasse: { pt: 'Repasse', en: 'Share' },
  dinheiro_recebido: { pt: 'Dinheiro recebido', en: 'Cash collected' },
  dinheiro_entregue: { pt: 'Dinheiro entregue', en: 'Cash handed in' },
  pagamento: { pt: 'Pagamento', en: 'Payment' },
  ajuste: { pt: 'Ajuste', en: 'Adjustment' },
  estorno: { pt: 'Estorno', en: 'Reversal' },
};

function Entries({ driverId }: { driverId: number }) {
  const t = useWords();
  const { query } = usePlace();
  const [from, to, cursor] = [query.get('de'), query.get('ate'), query.get('cursor')];
  const mayEnter = useMay('driver-entries');
  const [reversing, setReversing] = useState<AccountEntry | null>(null);
  const statement = useDriverStatement(driverId, { from, to, cursor });
  const reversed = new Set(statement.data?.lancamentos.map(({ estorna_id }) => estorna_id));
  const columns: Column<AccountEntry>[] = [
    { key: 'when', header: t('Quando', 'When'), cell: ({ data_hora }) => <TimeAgo at={data_hora} /> },
    {
      key: 'kind',
      header: t('Lançamento', 'Entry'),
      cell: ({ tipo, motivo }) => (
        <>
          {t(accountKinds[tipo].pt, accountKinds[tipo].en)}
          {motivo && <span className="second soft">{motivo}</span>}
        </>
      ),
    },
    {
      key: 'delivery',
      header: t('Entrega', 'Delivery'),
      wideOnly: true,
      cell: ({ entrega_id }) =>
        entrega_id === null ? '—' : <Link to={`/entregas/${entrega_id}`}>{entrega_id}</Link>,
    },
    {
      key: 'amount',
      header: t('Valor', 'Amount'),
      figures: true,
      cell: ({ valor }) => <Money value={valor} />,
    },
    {
      key: 'after',
      header: t('Saldo após', 'Balance after'),
      figures: true,
      cell: ({ saldo_apos }) => <Money value={saldo_apos} />,
    },
    {
      key: 'reverse',
      header: <span className="unseen">{t('Ações', 'Actions')}</span>,
      cell: (entry) =>
        mayEnter &&
        entry.tipo !== 'estorno' &&
        !reversed.has(entry.id) && (
          <button
            type="button"
            className="plain"
            aria-label={`${t('Estornar o lançamento', 'Reverse entry')} ${entry.numero}`}
            onClick={() => setReversing(entry)}
          >
            {t('Estornar', 'Reverse')}
          </button>
        ),
    },
  ];
  const filter = (name: 'de' | 'ate', value: string) => {
    if (isWholeDay(value)) go(withQuery({ [name]: value, cursor: null }), { replace: true });
  };
  return (
    <>
      <div className="filters">
        <DateField label={t('De', 'From')} value={from ?? ''} onValue={(day) => filter('de', day)} />
        <DateField label={t('Até', 'Until')} value={to ?? ''} onValue={(day) => filter('ate', day)} />
      </div>
      <Loaded query={statement}>
        {({ lancamentos, proximo }) => (
          <>
            {lancamentos.length === 0 ? (
              <Empty title={t('Nenhum lançamento neste período', 'No entry in this period')}>
                {t(
                  'Repasses de entregas, dinheiro recebido, ajustes e pagamentos aparecem aqui.',
                  'Shares of deliveries, collected cash, adjustments and payments appear here.',
                )}
              </Empty>
            ) : (
              <Table
                label={t('Extrato', 'Statement')}
                columns={columns}
                rows={lancamentos}
                rowKey={({ id }) => String(id)}
              />
            )}
            {(cursor !== null || proximo !== null) && (
              <nav className="pager" aria-label={t('Páginas', 'Pages')}>
                {cursor !== null && (
                  <Link to={withQuery({ cursor: null })}>← {t('Mais novos', 'Newest')}</Link>
                )}
                {proximo !== null && (
                  <Link to={withQuery({ cursor: String(proximo) })}>
                    {t(`${ACCOUNT_LIMIT} mais antigos`, `${ACCOUNT_LIMIT} older`)} →
                  </Link>
                )}
              </nav>
            )}
          </>
        )}
      </Loaded>
      {reversing && <ReverseForm driverId={driverId} entry={reversing} onClose={() => setReversing(null)} />}
    </>
  );
}
