import { useState } from 'react';
import { ACCOUNT_LINE_LABELS } from '../../../../../server/src/api/json/labels.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import { useDriverEarnings, useDrivers } from '../../data/registers.ts';
import { ListView } from '../../lists/ListView.tsx';
import { ledgerOf } from '../../lists/ledger.tsx';
import type { ListDefinition, Words } from '../../lists/list.ts';
import { Link, usePlace } from '../../router.tsx';
import { IfMay, useMay } from '../../session.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Fact, Money } from '../../ui/texts.tsx';
import { AccountForm, type AccountMove, ReverseForm } from './AccountForms.tsx';

type AccountEntry = Answer<'operacao', 'POST /condutores/lancamentos/consultar'>['data'][number];

/** The account of a driver: the balance, its entries, and the forms that change it. */
export function DriverAccountPage() {
  const t = useWords();
  const id = usePlace().path.split('/')[2]!;
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

function Figures({ driverId }: { driverId: string }) {
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

const { repasse, dinheiro_recebido, dinheiro_entregue, pagamento, ajuste } = ACCOUNT_LINE_LABELS;
const kinds: Record<string, Words | undefined> = {
  repasse,
  dinheiro_recebido,
  dinheiro_entregue,
  pagamento,
  ajuste,
};

function Entries({ driverId }: { driverId: string }) {
  const t = useWords();
  const mayEnter = useMay('driver-entries');
  const [reversing, setReversing] = useState<AccountEntry | null>(null);
  const ledger = ledgerOf<AccountEntry>(
    kinds,
    t(
      'Repasses de entregas, dinheiro recebido, ajustes e pagamentos aparecem aqui.',
      'Shares of deliveries, collected cash, adjustments and payments appear here.',
    ),
    t,
  );
  const list: ListDefinition<AccountEntry> = {
    name: 'contas-entregadores',
    label: t('Extrato', 'Statement'),
    topic: 'driver-statement',
    ...ledger.list,
    fixed: { condutor_id: driverId },
    read: (body) => call('operacao', 'POST /condutores/lancamentos/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /condutores/lancamentos/exportar', { body }),
    columns: [
      ledger.when,
      {
        key: 'kind',
        header: t('Lançamento', 'Entry'),
        cell: ({ tipo, motivo, estorno }) => (
          <>
            {estorno && `${t('Estorno', 'Reversal')}: `}
            {t(kinds[tipo]?.pt ?? tipo, kinds[tipo]?.en ?? tipo)}
            {motivo && <span className="second soft">{motivo}</span>}
          </>
        ),
      },
      ledger.delivery,
      ledger.amount,
      {
        key: 'after',
        header: t('Saldo após', 'Balance after'),
        figures: true,
        wideOnly: true,
        cell: ({ saldo_apos }) => <Money value={saldo_apos} />,
      },
      {
        key: 'reverse',
        header: <span className="unseen">{t('Ações', 'Actions')}</span>,
        cell: (entry) =>
          mayEnter &&
          !entry.estorno &&
          !entry.estornado && (
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
    ],
  };
  return (
    <>
      <ListView list={list} />
      {reversing && <ReverseForm driverId={driverId} entry={reversing} onClose={() => setReversing(null)} />}
    </>
  );
}
