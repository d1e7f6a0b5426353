import { type Answer, call } from '../../api.ts';
import { useCompany } from '../../data/registers.ts';
import { ListView } from '../../lists/ListView.tsx';
import { ledgerOf } from '../../lists/ledger.tsx';
import type { ListDefinition, Words } from '../../lists/list.ts';
import { Link, usePlace } from '../../router.tsx';
import { Money } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';

type CompanyEntry = Answer<'operacao', 'POST /empresas/lancamentos/consultar'>['data'][number];

const kinds: Record<string, Words | undefined> = {
  entrega: { pt: 'Entrega', en: 'Delivery' },
  taxa_cancelamento: { pt: 'Cancelamento', en: 'Cancellation' },
  pago_com_creditos: { pt: 'Pago com créditos', en: 'Paid with credit' },
  recebido_em_dinheiro: { pt: 'Recebido em dinheiro', en: 'Received in cash' },
  pago_no_pedido: { pt: 'Pago no pedido', en: 'Paid with the order' },
  pagamento: { pt: 'Pagamento', en: 'Payment' },
};

/** The account of a company: the cost of its deliveries and the payments. */
export function CompanyAccountPage() {
  const t = useWords();
  const id = Number(usePlace().path.split('/')[2]);
  const company = useCompany(id).data;
  const list = useAccountList(id);
  const name = company?.nome ?? `${t('Empresa', 'Company')} ${id}`;
  return (
    <>
      <p>
        <Link to={`/empresas/${id}`}>‹ {name}</Link>
      </p>
      <h1>{t(`Conta de ${name}`, `Account of ${name}`)}</h1>
      <ListView list={list} />
    </>
  );
}

function useAccountList(companyId: number): ListDefinition<CompanyEntry> {
  const t = useWords();
  const ledger = ledgerOf<CompanyEntry>(
    kinds,
    t(
      'O que cada entrega custou e como foi pago aparece aqui.',
      'What each delivery cost and how it was paid appears here.',
    ),
    t,
  );
  return {
    name: 'contas-empresas',
    label: t('Conta', 'Account'),
    topic: 'company-account',
    ...ledger.list,
    fixed: { empresa_id: companyId },
    read: (body) => call('operacao', 'POST /empresas/lancamentos/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /empresas/lancamentos/exportar', { body }),
    columns: [
      ledger.when,
      ledger.kind,
      ledger.delivery,
      ledger.amount,
      {
        key: 'share',
        header: t('Repasse ao entregador', 'Driver’s share'),
        figures: true,
        wideOnly: true,
        cell: ({ repasse }) => <Money value={repasse} />,
      },
      {
        key: 'after',
        header: t('Em aberto após', 'Owed after'),
        figures: true,
        cell: ({ saldo_apos }) => (saldo_apos === null ? '—' : <Money value={saldo_apos} />),
      },
    ],
  };
}
