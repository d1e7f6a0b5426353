import { useState } from 'react';
import { useAction } from '../../action.ts';
import { call } from '../../api.ts';
import { type Company, useCategories, useCompanies } from '../../data/registers.ts';
import { formatPhone } from '../../formats.ts';
import { go, Link, usePlace } from '../../router.tsx';
import { ActiveBadge } from '../../ui/badges.tsx';
import { ConfirmButton } from '../../ui/Confirm.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { useWords } from '../../words.ts';
import { CompanyForm, formatDocument } from './CompanyForm.tsx';
import { Wallet } from './Wallet.tsx';

export function CompanyPage() {
  const t = useWords();
  const id = Number(usePlace().path.split('/')[2]);
  const companies = useCompanies();
  return (
    <>
      <p>
        <Link to="/empresas">‹ {t('Empresas', 'Companies')}</Link>
      </p>
      <Loaded query={companies}>
        {(all) => {
          const company = all.find((one) => one.id === id);
          return company ? (
            <Shown company={company} />
          ) : (
            <Empty title={t('Empresa não encontrada', 'Company not found')} />
          );
        }}
      </Loaded>
    </>
  );
}

function Shown({ company }: { company: Company }) {
  const t = useWords();
  const categories = useCategories();
  const [isEditing, setEditing] = useState(false);
  const remove = useAction(() => call('operacao', 'DELETE /empresas/{id}', { id: company.id }), {
    done: t('Empresa excluída.', 'Company deleted.'),
    refresh: ['companies'],
    onDone: () => go('/empresas'),
  });
  const facts: [string, string | null | undefined][] = [
    ['CPF/CNPJ', formatDocument(company.cpf_cnpj)],
    [t('Telefone', 'Phone'), company.telefone && formatPhone(company.telefone)],
    [t('Contrato', 'Contract'), company.numero_contrato],
    [t('Identificador', 'Identifier'), company.identificador],
    [
      t('Categoria padrão', 'Default category'),
      categories.data?.find(({ id }) => id === company.categoria_padrao_id)?.nome,
    ],
    [
      t('Liberação', 'Release'),
      company.exige_liberacao
        ? t('as entregas aguardam a central', 'deliveries wait for the central')
        : t('não é necessária', 'not needed'),
    ],
  ];
  return (
    <>
      <header className="page-head">
        <h1>{company.nome}</h1>
        <ActiveBadge active={company.ativa} />
        <div className="actions">
          <button type="button" onClick={() => setEditing(true)}>
            {t('Editar', 'Edit')}
          </button>
          <ConfirmButton
            label={t('Excluir', 'Delete')}
            title={t(`Excluir ${company.nome}?`, `Delete ${company.nome}?`)}
            what={t(
              'Só é possível enquanto nada depende dela. Para deixar de atender, desative-a.',
              'Only possible while nothing depends on it. To stop serving it, make it inactive.',
            )}
            act={t('Excluir empresa', 'Delete company')}
            danger
            onConfirm={() => remove.mutateAsync()}
          />
        </div>
      </header>
      <section className="panel" aria-label={t('Cadastro', 'Record')}>
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value || '—'}</dd>
            </div>
          ))}
        </dl>
      </section>
      <h2 style={{ marginTop: 16 }}>{t('Carteira', 'Wallet')}</h2>
      <Wallet companyId={company.id} />
      {isEditing && <CompanyForm company={company} onClose={() => setEditing(false)} />}
    </>
  );
}
