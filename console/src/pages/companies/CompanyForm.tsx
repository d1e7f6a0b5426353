import { OPERATION } from '../../api.ts';
import { useCategories } from '../../data/categories.ts';
import type { Company } from '../../data/companies.ts';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { CheckField, Field, SelectField } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';

/** 11222333000181 → 11.222.333/0001-81; letters may stand among a CNPJ's digits. */
export const formatDocument = (text: string): string =>
  text.length === 11
    ? text.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');

const FIELDS = ['nome', 'cpf_cnpj', 'telefone', 'numero_contrato', 'identificador', 'categoria_padrao_id'];

export function CompanyForm({
  company,
  onClose,
  onSaved,
}: {
  /** Null for a new one. */
  company: Company | null;
  onClose: () => void;
  onSaved?: (saved: Company) => void;
}) {
  const t = useWords();
  const categories = useCategories();
  return (
    <EntryForm
      title={company ? t(`Editar ${company.nome}`, `Edit ${company.nome}`) : t('Nova empresa', 'New company')}
      draft={`empresa.${company?.id ?? 'nova'}`}
      initial={{
        nome: company?.nome ?? '',
        cpf_cnpj: company ? formatDocument(company.cpf_cnpj) : '',
        telefone: company?.telefone ?? '',
        numero_contrato: company?.numero_contrato ?? '',
        identificador: company?.identificador ?? '',
        categoria_padrao_id: company?.categoria_padrao_id ? String(company.categoria_padrao_id) : '',
        exige_liberacao: company?.exige_liberacao ?? false,
        ativa: company?.ativa ?? true,
      }}
      method={company ? 'PUT' : 'POST'}
      path={`${OPERATION}/empresas${company ? `/${company.id}` : ''}`}
      toBody={(form) => ({
        ...form,
        telefone: form.telefone || null,
        categoria_padrao_id: form.categoria_padrao_id ? Number(form.categoria_padrao_id) : null,
      })}
      refresh={['companies']}
      {...(onSaved && { onSaved })}
      onClose={onClose}
      fields={FIELDS}
    >
      {({ form, change, errors }) => (
        <>
          <Field
            label={t('Nome', 'Name')}
            required
            value={form.nome}
            error={errors.of('nome')}
            onChange={(event) => change({ nome: event.target.value })}
          />
          <div className="columns">
            <Field
              label={t('CPF ou CNPJ', 'CPF or CNPJ')}
              required
              value={form.cpf_cnpj}
              error={errors.of('cpf_cnpj')}
              onChange={(event) => change({ cpf_cnpj: event.target.value })}
            />
            <Field
              label={t('Telefone', 'Phone')}
              type="tel"
              value={form.telefone}
              error={errors.of('telefone')}
              onChange={(event) => change({ telefone: event.target.value })}
            />
            <Field
              label={t('Número do contrato', 'Contract number')}
              value={form.numero_contrato}
              error={errors.of('numero_contrato')}
              onChange={(event) => change({ numero_contrato: event.target.value })}
            />
            <Field
              label={t('Identificador', 'Identifier')}
              value={form.identificador}
              error={errors.of('identificador')}
              onChange={(event) => change({ identificador: event.target.value })}
            />
          </div>
          <SelectField
            label={t('Categoria padrão', 'Default category')}
            value={form.categoria_padrao_id}
            error={errors.of('categoria_padrao_id')}
            onChange={(event) => change({ categoria_padrao_id: event.target.value })}
          >
            <option value="">{t('Nenhuma', 'None')}</option>
            {categories.data?.map(({ id, nome }) => (
              <option key={id} value={id}>
                {nome}
              </option>
            ))}
          </SelectField>
          <CheckField
            label={t(
              'As entregas aguardam liberação da central',
              'Deliveries wait for release by the central',
            )}
            checked={form.exige_liberacao}
            onChange={(event) => change({ exige_liberacao: event.target.checked })}
          />
          <CheckField
            label={t('Ativa', 'Active')}
            checked={form.ativa}
            onChange={(event) => change({ ativa: event.target.checked })}
          />
        </>
      )}
    </EntryForm>
  );
}
