import { useState } from 'react';
import { formatDocument, formatPhone, typedPhone } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import type { FailureDecision } from '../../data/deliveries.ts';
import { type Company, useCategories, useCompany } from '../../data/registers.ts';
import { decisionLabel, FAILURE_REASONS, failureReasonLabel } from '../../failureWords.ts';
import { go, Link, usePlace } from '../../router.tsx';
import { IfMay } from '../../session.tsx';
import { WholeField } from '../../ui/BrazilianFields.tsx';
import { ActiveBadge } from '../../ui/badges.tsx';
import { ConfirmButton } from '../../ui/Dialog.tsx';
import { CheckField, Choices, Field, SelectField } from '../../ui/Field.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { EntryForm } from '../../ui/RegisterSection.tsx';
import { proofDemandWords } from '../settings/settingGroups.ts';
import { CompanyAddresses } from './CompanyAddresses.tsx';
import { Wallet } from './Wallet.tsx';

export function CompanyPage() {
  const t = useWords();
  const id = usePlace().path.split('/')[2]!;
  const query = useCompany(id);
  return (
    <>
      <p>
        <Link to="/empresas">‹ {t('Empresas', 'Companies')}</Link>
      </p>
      <Loaded query={query}>
        {(company) =>
          company ? (
            <Shown company={company} />
          ) : (
            <Empty title={t('Empresa não encontrada', 'Company not found')} />
          )
        }
      </Loaded>
    </>
  );
}

function Shown({ company }: { company: Company }) {
  const t = useWords();
  const categories = useCategories();
  const [isEditing, setEditing] = useState(false);
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
    [t('Ajuda ao destinatário', 'Help for recipients'), company.texto_ajuda],
  ];
  return (
    <>
      <header className="page-head">
        <h1>{company.nome}</h1>
        <ActiveBadge active={company.ativa} feminine />
        <div className="actions">
          <Link to={`/empresas/${company.id}/conta`} className="button">
            {t('Conta', 'Account')}
          </Link>
          <IfMay permission="companies">
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
              onConfirm={() => call('operacao', 'DELETE /empresas/{id}', { id: company.id })}
              done={t('Empresa excluída.', 'Company deleted.')}
              refresh={['companies']}
              leave={() => go('/empresas')}
            />
          </IfMay>
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
      <IfMay permission="address-book">
        <h2 style={{ marginTop: 16 }}>{t('Endereços', 'Addresses')}</h2>
        <CompanyAddresses companyId={company.id} />
      </IfMay>
      <h2 style={{ marginTop: 16 }}>{t('Carteira', 'Wallet')}</h2>
      <Wallet companyId={company.id} />
      {isEditing && <CompanyForm company={company} onClose={() => setEditing(false)} />}
    </>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The value of a select whose options are the server's values; null for the empty option. */
const chosen = <Value extends string>(value: string): Value | null => (value ? (value as Value) : null);

function Decisions({ of }: { of: readonly FailureDecision[] }) {
  const t = useWords();
  return (
    <>
      <option value="">{t('Como a central', 'As the central')}</option>
      {of.map((decision) => (
        <option key={decision} value={decision}>
          {t(decisionLabel[decision].pt, decisionLabel[decision].en)}
        </option>
      ))}
    </>
  );
}

export function CompanyForm({
  company,
  onClose,
  next,
}: {
  /** Null for a new one. */
  company: Company | null;
  onClose: () => void;
  next?: (saved: Company) => string;
}) {
  const t = useWords();
  const categories = useCategories();
  return (
    <EntryForm
      title={company ? t(`Editar ${company.nome}`, `Edit ${company.nome}`) : t('Nova empresa', 'New company')}
      draft="empresa"
      initial={{
        nome: company?.nome ?? '',
        cpf_cnpj: company ? formatDocument(company.cpf_cnpj) : '',
        telefone: typedPhone(company?.telefone ?? ''),
        numero_contrato: company?.numero_contrato ?? '',
        identificador: company?.identificador ?? '',
        categoria_padrao_id: company?.categoria_padrao_id ?? '',
        exige_liberacao: company?.exige_liberacao ?? false,
        texto_ajuda: company?.texto_ajuda ?? '',
        ausente: company?.falha?.ausente ?? '',
        endereco_errado: company?.falha?.endereco_errado ?? '',
        recusado: company?.falha?.recusado ?? '',
        outro: company?.falha?.outro ?? '',
        tentativas_max: company?.falha?.tentativas_max ? String(company.falha.tentativas_max) : '',
        apos_tentativas: company?.falha?.apos_tentativas ?? '',
        comprovante_foto: company?.comprovante_foto ?? '',
        comprovante_assinatura: company?.comprovante_assinatura ?? '',
        comprovante_nome: company?.comprovante_nome ?? '',
        comprovante_valor: company?.comprovante_valor == null ? '' : String(company.comprovante_valor),
        ativa: company?.ativa ?? true,
      }}
      path="empresas"
      entry={company}
      toBody={({
        ausente,
        endereco_errado,
        recusado,
        outro,
        tentativas_max,
        apos_tentativas,
        texto_ajuda,
        ...form
      }) => ({
        ...form,
        texto_ajuda: texto_ajuda || null,
        falha: {
          ausente: chosen<FailureDecision>(ausente),
          endereco_errado: chosen<FailureDecision>(endereco_errado),
          recusado: chosen<FailureDecision>(recusado),
          outro: chosen<FailureDecision>(outro),
          tentativas_max: tentativas_max ? Number(tentativas_max) : null,
          apos_tentativas: chosen<Exclude<FailureDecision, 'tentar_depois'>>(apos_tentativas),
        },
        telefone: form.telefone || null,
        comprovante_foto: proofDemand(form.comprovante_foto),
        comprovante_assinatura: proofDemand(form.comprovante_assinatura),
        comprovante_nome: proofDemand(form.comprovante_nome),
        comprovante_valor: form.comprovante_valor ? form.comprovante_valor === 'true' : null,
        categoria_padrao_id: form.categoria_padrao_id || null,
      })}
      refresh={['companies']}
      {...(next && { next })}
      onClose={onClose}
    >
      {({ text, typed, check }) => (
        <>
          <Field label={t('Nome', 'Name')} required {...text('nome')} />
          <div className="columns">
            <Field label={t('CPF ou CNPJ', 'CPF or CNPJ')} required {...text('cpf_cnpj')} />
            <Field label={t('Telefone', 'Phone')} type="tel" {...text('telefone')} />
            <Field label={t('Número do contrato', 'Contract number')} {...text('numero_contrato')} />
            <Field label={t('Identificador', 'Identifier')} {...text('identificador')} />
          </div>
          <SelectField label={t('Categoria padrão', 'Default category')} {...text('categoria_padrao_id')}>
            <option value="">{t('Nenhuma', 'None')}</option>
            <Choices of={categories.data} />
          </SelectField>
          <CheckField
            label={t(
              'As entregas aguardam liberação da central',
              'Deliveries wait for release by the central',
            )}
            {...check('exige_liberacao')}
          />
          <Field
            label={t('Como o destinatário pede ajuda', 'How a recipient gets help')}
            hint={t('Telefone ou frase; vazio: o da central', 'Phone or sentence; empty: the central’s')}
            maxLength={200}
            {...text('texto_ajuda')}
          />
          <fieldset>
            <legend>{t('Quando uma parada não é entregue', 'When a stop is not delivered')}</legend>
            <div className="columns">
              {FAILURE_REASONS.map((reason) => (
                <SelectField
                  key={reason}
                  label={capital(t(failureReasonLabel[reason].pt, failureReasonLabel[reason].en))}
                  {...text(reason)}
                >
                  <Decisions of={['tentar_depois', 'retornar', 'deixar_no_fim']} />
                </SelectField>
              ))}
              <WholeField
                label={t('Tentativas por corrida', 'Attempts in a run')}
                hint={t('vazio: como a central; de 1 a 10', 'empty: as the central; 1 to 10')}
                {...typed('tentativas_max')}
              />
              <SelectField
                label={t('Depois da última tentativa', 'After the last attempt')}
                {...text('apos_tentativas')}
              >
                <Decisions of={['retornar', 'deixar_no_fim']} />
              </SelectField>
            </div>
          </fieldset>
          <div className="columns">
            <SelectField
              label={t('Foto da entrega', 'Photo of the handing over')}
              {...text('comprovante_foto')}
            >
              <ProofDemands />
            </SelectField>
            <SelectField label={t('Assinatura', 'Signature')} {...text('comprovante_assinatura')}>
              <ProofDemands />
            </SelectField>
            <SelectField
              label={t('Nome de quem recebe', 'Name of who receives it')}
              {...text('comprovante_nome')}
            >
              <ProofDemands />
            </SelectField>
            <SelectField label={t('Valor recebido', 'Amount received')} {...text('comprovante_valor')}>
              <option value="">{t('como a central', 'as the central')}</option>
              <option value="true">{t('registrar', 'record')}</option>
              <option value="false">{t('não registrar', 'do not record')}</option>
            </SelectField>
          </div>
          <CheckField label={t('Ativa', 'Active')} {...check('ativa')} />
        </>
      )}
    </EntryForm>
  );
}

/** An empty choice (null) follows the central. */
const proofDemand = (chosen: string): Company['comprovante_foto'] =>
  chosen ? (chosen as NonNullable<Company['comprovante_foto']>) : null;

/** Whether a kind of proof is required at this company's stops. */
function ProofDemands() {
  const t = useWords();
  return (
    <>
      <option value="">{t('como a central', 'as the central')}</option>
      {Object.entries(proofDemandWords).map(([code, { pt, en }]) => (
        <option key={code} value={code}>
          {t(pt, en)}
        </option>
      ))}
    </>
  );
}
