import { useState } from 'react';
import { STATEMENT_LIMIT, useStatement, type WalletEntry } from '../../data/wallet.ts';
import { Link } from '../../router.tsx';
import { useIsOperator } from '../../session.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Money } from '../../ui/Money.tsx';
import { Pager, usePage } from '../../ui/Pager.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useWords } from '../../words.ts';
import { type CreditWay, MoveCreditForm } from './MoveCreditForm.tsx';

const kinds: Record<WalletEntry['tipo'], { pt: string; en: string }> = {
  recarga: { pt: 'Recarga', en: 'Top-up' },
  saque: { pt: 'Saque', en: 'Withdrawal' },
  reserva: { pt: 'Reserva', en: 'Reserve' },
  estorno_reserva: { pt: 'Devolução', en: 'Release' },
  cobranca: { pt: 'Cobrança', en: 'Charge' },
  taxa_cancelamento: { pt: 'Taxa de cancelamento', en: 'Cancellation fee' },
};

/** The balance of now, every entry that made it, and the buttons that change it for those who may. */
export function Wallet({ companyId }: { companyId: number }) {
  const t = useWords();
  const page = usePage();
  const isOperator = useIsOperator();
  const [way, setWay] = useState<CreditWay | null>(null);
  const statement = useStatement(companyId, page);
  const columns: Column<WalletEntry>[] = [
    { key: 'when', header: t('Quando', 'When'), cell: (one) => <TimeAgo at={one.data_hora} /> },
    {
      key: 'kind',
      header: t('Lançamento', 'Entry'),
      cell: ({ tipo }) => t(kinds[tipo].pt, kinds[tipo].en),
    },
    {
      key: 'delivery',
      header: t('Entrega', 'Delivery'),
      wideOnly: true,
      cell: ({ entrega_id: id }) => (id === null ? '—' : <Link to={`/entregas/${id}`}>#{id}</Link>),
    },
    { key: 'note', header: t('Observação', 'Note'), wideOnly: true, cell: (one) => one.observacao ?? '—' },
    {
      key: 'amount',
      header: t('Valor', 'Amount'),
      figures: true,
      cell: (one) => <Money value={one.valor} />,
    },
    {
      key: 'after',
      header: t('Saldo após', 'Balance after'),
      figures: true,
      cell: (one) => <Money value={one.saldo_apos} />,
    },
  ];
  return (
    <Loaded query={statement}>
      {({ empresa, saldo, saldo_programadas, pode_recarregar, lancamentos }) => (
        <>
          <div className="actions">
            {pode_recarregar && (
              <button type="button" className="primary" onClick={() => setWay('topUp')}>
                {t('Recarregar', 'Top up')}
              </button>
            )}
            {isOperator && (
              <button type="button" onClick={() => setWay('withdrawal')}>
                {t('Sacar', 'Withdraw')}
              </button>
            )}
          </div>
          {way && <MoveCreditForm way={way} company={empresa} onClose={() => setWay(null)} />}
          <p>
            {t('Saldo', 'Balance')}{' '}
            <strong style={{ fontSize: 20 }}>
              <Money value={saldo} />
            </strong>{' '}
            <span className="soft">
              {t('o que está reservado já não conta', 'what is reserved no longer counts')}
            </span>
          </p>
          {Number(saldo_programadas) > 0 && (
            <p>
              {t('As programadas que aguardam vão usar', 'Waiting scheduled deliveries will take')}{' '}
              <Money value={saldo_programadas} />
            </p>
          )}
          {lancamentos.length === 0 && page === 1 ? (
            <Empty title={t('Nenhum lançamento ainda', 'No entry yet')}>
              {t(
                'Recargas, saques, reservas e cobranças aparecem aqui.',
                'Top-ups, withdrawals, reserves and charges appear here.',
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
          <Pager shown={lancamentos.length} limit={STATEMENT_LIMIT} />
        </>
      )}
    </Loaded>
  );
}
