import { useState } from 'react';
import { type Company, useCompanies } from '../../data/registers.ts';
import { formatPhone } from '../../formats.ts';
import { useRowKeys } from '../../keys.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { IfMay, useSession } from '../../session.tsx';
import { ActiveBadge } from '../../ui/badges.tsx';
import { Field } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { useWords } from '../../words.ts';
import { CompanyAddresses } from './CompanyAddresses.tsx';
import { CompanyForm, formatDocument } from './CompanyPage.tsx';
import { Wallet } from './Wallet.tsx';

/** Who runs the central sees all companies; a manager the own wallet and addresses. */
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
  const companies = useCompanies();
  const [isAdding, setAdding] = useState(false);
  const wanted = usePlace().query.get('busca') ?? '';
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
      <Loaded query={companies}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('Nenhuma empresa ainda', 'No company yet')}>
              {t(
                'As empresas que pedem entregas por conta aparecem aqui. Comece com “Nova empresa”.',
                'Companies that order on account appear here. Begin with “New company”.',
              )}
            </Empty>
          ) : (
            <>
              <div className="filters">
                <Field
                  label={t('Procurar', 'Search')}
                  type="search"
                  value={wanted}
                  onChange={(event) => go(withQuery({ busca: event.target.value }), { replace: true })}
                />
              </div>
              <CompanyTable companies={all.filter((each) => holds(each, wanted))} />
            </>
          )
        }
      </Loaded>
      {isAdding && (
        <CompanyForm
          company={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => go(`/empresas/${id}`)}
        />
      )}
    </>
  );
}

const holds = ({ nome, cpf_cnpj, identificador, numero_contrato }: Company, wanted: string): boolean =>
  [nome, cpf_cnpj, identificador, numero_contrato].some((text) =>
    text?.toLowerCase().includes(wanted.trim().toLowerCase()),
  );

function CompanyTable({ companies }: { companies: readonly Company[] }) {
  const t = useWords();
  const [selected, setSelected] = useState<string | null>(null);
  useRowKeys({
    rows: companies.map(({ id }) => String(id)),
    selected,
    onSelect: setSelected,
    onOpen: (id) => go(`/empresas/${id}`),
  });
  const columns: Column<Company>[] = [
    {
      key: 'name',
      header: t('Nome', 'Name'),
      cell: ({ id, nome }) => <Link to={`/empresas/${id}`}>{nome}</Link>,
    },
    {
      key: 'document',
      header: 'CPF/CNPJ',
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
      key: 'active',
      header: t('Estado', 'State'),
      cell: ({ ativa }) => <ActiveBadge active={ativa} />,
    },
  ];
  if (companies.length === 0)
    return <Empty title={t('Nenhuma empresa com esse texto', 'No company with that text')} />;
  return (
    <Table
      label={t('Empresas', 'Companies')}
      columns={columns}
      rows={companies}
      rowKey={({ id }) => String(id)}
      selected={selected}
      onSelect={setSelected}
    />
  );
}
