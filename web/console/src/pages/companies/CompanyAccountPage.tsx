import { ACCOUNT_LINE_LABELS } from '../../../../../server/src/api/json/labels.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import { useCompany } from '../../data/registers.ts';
import { ListView } from '../../lists/ListView.tsx';
import { ledgerOf } from '../../lists/ledger.tsx';
import type { ListDefinition, Words } from '../../lists/list.ts';
import { Link, usePlace } from '../../router.tsx';
import { Money } from '../../ui/texts.tsx';

type CompanyEntry = Answer<'operacao', 'POST /empresas/lancamentos/consultar'>['data'][number];

const { entrega, taxa_cancelamento, pago_com_creditos, recebido_em_dinheiro, pago_no_pedido, pagamento } =
  ACCOUNT_LINE_LABELS;
const kinds: Record<string, Words | undefined> = {
  entrega,
  taxa_cancelamento,
  pago_com_creditos,
  recebido_em_dinheiro,
  pago_no_pedido,
  pagamento,
};

/** The account of a company: the cost of its deliveries and the payments. */
export function CompanyAccountPage() {
  const t = useWords();
  const id = usePlace().path.split('/')[2]!;
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

function useAccountList(companyId: string): ListDefinition<CompanyEntry> {
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
