import { useState } from 'react';
import { formatDocument, formatPhone } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import { ListView } from '../../lists/ListView.tsx';
import type { ListDefinition, ListFilter } from '../../lists/list.ts';
import { go, Link } from '../../router.tsx';
import { IfMay, useSession } from '../../session.tsx';
import { ActiveBadge } from '../../ui/badges.tsx';
import { Empty } from '../../ui/Loaded.tsx';
import { Money } from '../../ui/texts.tsx';
import { CompanyAddresses } from './CompanyAddresses.tsx';
import { CompanyForm } from './CompanyPage.tsx';
import { Wallet } from './Wallet.tsx';

type ListedCompany = Answer<'operacao', 'POST /empresas/consultar'>['data'][number];

/** Users of the central see all companies; a manager sees the wallet and addresses of the own company. */
export function CompaniesPage() {
  const t = useWords();
  const { empresa_id: own } = useSession();
  if (own === null) return <AllCompanies />;
  return (
    <>
      <h1>{t('Carteira da empresa', 'Company wallet')}</h1>
      <Wallet companyId={own} />
      <h2 style={{ marginTop: 16 }}>{t('Endereços da empresa', 'Company’s addresses')}</h2>
      <CompanyAddresses companyId={own} />
    </>
  );
}

function AllCompanies() {
  const t = useWords();
  const [isAdding, setAdding] = useState(false);
  const list = useCompanyList();
  return (
    <>
      <header className="page-head">
        <h1>{t('Empresas', 'Companies')}</h1>
        <IfMay permission="companies">
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            {t('Nova empresa', 'New company')}
          </button>
        </IfMay>
      </header>
      <ListView list={list} />
      {isAdding && (
        <CompanyForm company={null} onClose={() => setAdding(false)} next={({ id }) => `/empresas/${id}`} />
      )}
    </>
  );
}

const filters: readonly ListFilter[] = [
  { name: 'texto', kind: 'text', pt: 'Procurar', en: 'Search' },
  {
    name: 'ativa',
    kind: 'choice',
    pt: 'Estado',
    en: 'State',
    options: [
      { value: 'sim', pt: 'Ativa', en: 'Active' },
      { value: 'nao', pt: 'Inativa', en: 'Inactive' },
    ],
    toBody: (value) => ({ ativa: value === 'sim' }),
  },
];

function useCompanyList(): ListDefinition<ListedCompany> {
  const t = useWords();
  return {
    name: 'empresas',
    label: t('Empresas', 'Companies'),
    topic: 'companies',
    filters,
    orders: [
      { value: 'nome', pt: 'Nome', en: 'Name' },
      { value: 'nome_inverso', pt: 'Nome, do fim', en: 'Name, from the end' },
    ],
    rowKey: ({ id }) => id,
    onOpen: (id) => go(`/empresas/${id}`),
    read: (body) => call('operacao', 'POST /empresas/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /empresas/exportar', { body }),
    empty: (
      <Empty title={t('Nenhuma empresa ainda', 'No company yet')}>
        {t(
          'As empresas que pedem entregas por conta aparecem aqui. Comece com “Nova empresa”.',
          'Companies that order on account appear here. Begin with “New company”.',
        )}
      </Empty>
    ),
    columns: [
      {
        key: 'name',
        header: t('Nome', 'Name'),
        ascending: 'nome',
        descending: 'nome_inverso',
        cell: ({ id, nome }) => <Link to={`/empresas/${id}`}>{nome}</Link>,
      },
      {
        key: 'document',
        header: 'CPF/CNPJ',
        wideOnly: true,
        cell: ({ cpf_cnpj }) => <span className="number">{formatDocument(cpf_cnpj)}</span>,
      },
      {
        key: 'phone',
        header: t('Telefone', 'Phone'),
        wideOnly: true,
        cell: ({ telefone }) => <span className="number">{telefone ? formatPhone(telefone) : '—'}</span>,
      },
      {
        key: 'contract',
        header: t('Contrato', 'Contract'),
        wideOnly: true,
        cell: ({ numero_contrato }) => numero_contrato ?? '—',
      },
      {
        key: 'credit',
        header: t('Créditos', 'Credit'),
        figures: true,
        cell: ({ creditos }) => <Money value={creditos} />,
      },
      {
        key: 'owed',
        header: t('Em aberto', 'Owed'),
        figures: true,
        cell: ({ em_aberto }) => <Money value={em_aberto} />,
      },
      {
        key: 'active',
        header: t('Estado', 'State'),
        cell: ({ ativa }) => <ActiveBadge active={ativa} feminine />,
      },
    ],
  };
}
