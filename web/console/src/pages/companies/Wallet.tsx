import { useState } from 'react';
import { WALLET_ENTRY_LABELS } from '../../../../../server/src/api/json/labels.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import { type Statement, useStatement } from '../../data/registers.ts';
import { ListView } from '../../lists/ListView.tsx';
import { ledgerOf } from '../../lists/ledger.tsx';
import type { ListDefinition } from '../../lists/list.ts';
import { useIsManager, useMay } from '../../session.tsx';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Field } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { EntryForm } from '../../ui/RegisterSection.tsx';
import { Money } from '../../ui/texts.tsx';
import { AwaitedPix, PixDialog } from './PixTopUp.tsx';

export type CreditWay = 'topUp' | 'withdrawal';

/** Top-up (contract 4.5) and withdrawal. */
function MoveCreditForm({
  way,
  company,
  onClose,
}: {
  way: CreditWay;
  company: Statement['empresa'];
  onClose: () => void;
}) {
  const t = useWords();
  const { nome, cpf_cnpj } = company;
  const words = {
    topUp: {
      path: 'recargas' as const,
      title: t(`Adicionar créditos a ${nome}`, `Top up ${nome}`),
      act: t('Adicionar créditos', 'Add credit'),
      done: t('Créditos adicionados.', 'Credit added.'),
      hint: undefined,
    },
    withdrawal: {
      path: 'saques' as const,
      title: t(`Sacar de ${nome}`, `Withdraw from ${nome}`),
      act: t('Sacar', 'Withdraw'),
      done: t('Saque lançado.', 'Withdrawn.'),
      hint: t(
        'No máximo o saldo. Uma programada que ficar sem saldo não sairá.',
        'At most the balance. A scheduled delivery left without credit will not be dispatched.',
      ),
    },
  }[way];
  return (
    <EntryForm
      title={words.title}
      draft={`${words.path}.${company.id}`}
      initial={{ valor: '', observacao: '' }}
      api="integracao"
      path={`entregas/empresas/creditos/${words.path}`}
      toBody={({ valor, observacao }) => ({
        // A text that is not a number is sent as typed, for the server to refuse.
        valor: toNumber(valor) as number,
        observacao: observacao || null,
        empresa: {
          tipo_identificacao: cpf_cnpj.length === 11 ? ('F' as const) : ('J' as const),
          identificacao: cpf_cnpj,
        },
      })}
      act={words.act}
      done={words.done}
      refresh={['wallet']}
      onClose={onClose}
    >
      {({ text, typed }) => (
        <>
          <DecimalField
            label={t('Valor em reais', 'Amount in reais')}
            required
            placeholder="150,00"
            hint={words.hint}
            {...typed('valor')}
          />
          <Field
            label={t('Observação', 'Note')}
            hint={t('Aparece no extrato.', 'Shown in the statement.')}
            {...text('observacao')}
          />
        </>
      )}
    </EntryForm>
  );
}

const toNumber = (text: string): number | string =>
  text === '' || Number.isNaN(Number(text)) ? text : Number(text);

type WalletEntry = Answer<'operacao', 'POST /carteiras/lancamentos/consultar'>['data'][number];

/** The current balance, all its entries, and the buttons that change it for users with the permission. */
export function Wallet({ companyId }: { companyId: string }) {
  const t = useWords();
  const mayWithdraw = useMay('withdraw');
  const mayCredit = !useIsManager();
  const mayAskForPix = useMay('pix-codes');
  const [asksForPix, setAsksForPix] = useState(false);
  const [way, setWay] = useState<CreditWay | null>(null);
  const statement = useStatement(companyId);
  const list = useWalletList(companyId);
  return (
    <Loaded query={statement}>
      {({ empresa, saldo, saldo_programadas, pode_recarregar }) => (
        <>
          <div className="actions">
            {pode_recarregar && (
              <button type="button" className="primary" onClick={() => setWay('topUp')}>
                {t('Adicionar créditos', 'Add credit')}
              </button>
            )}
            {mayAskForPix && (
              <button type="button" onClick={() => setAsksForPix(true)}>
                {t('Pagar por Pix', 'Pay by Pix')}
              </button>
            )}
            {mayWithdraw && (
              <button type="button" onClick={() => setWay('withdrawal')}>
                {t('Sacar', 'Withdraw')}
              </button>
            )}
          </div>
          {way && <MoveCreditForm way={way} company={empresa} onClose={() => setWay(null)} />}
          {asksForPix && <PixDialog company={empresa} onClose={() => setAsksForPix(false)} />}
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
          <AwaitedPix company={empresa} mayCredit={pode_recarregar && mayCredit} />
          <ListView list={list} />
        </>
      )}
    </Loaded>
  );
}

function useWalletList(companyId: string): ListDefinition<WalletEntry> {
  const t = useWords();
  const ledger = ledgerOf<WalletEntry>(
    WALLET_ENTRY_LABELS,
    t(
      'Créditos, saques, reservas e cobranças aparecem aqui.',
      'Top-ups, withdrawals, reserves and charges appear here.',
    ),
    t,
  );
  return {
    name: 'carteiras',
    label: t('Extrato', 'Statement'),
    topic: 'wallet',
    ...ledger.list,
    fixed: { empresa_id: companyId },
    read: (body) => call('operacao', 'POST /carteiras/lancamentos/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /carteiras/lancamentos/exportar', { body }),
    columns: [
      ledger.when,
      ledger.kind,
      ledger.delivery,
      {
        key: 'note',
        header: t('Observação', 'Note'),
        wideOnly: true,
        cell: ({ observacao }) => observacao ?? '—',
      },
      ledger.amount,
      {
        key: 'after',
        header: t('Saldo após', 'Balance after'),
        figures: true,
        cell: ({ saldo_apos }) => <Money value={saldo_apos} />,
      },
    ],
  };
}
