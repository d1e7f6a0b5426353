import { type Company, useCategories } from '../../data/registers.ts';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { CheckField, Choices, Field, SelectField } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';

/** 11222333000181 → 11.222.333/0001-81; letters may stand among a CNPJ's digits. */
export const formatDocument = (text: string): string =>
  text.length === 11
    ? text.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');

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
      draft="empresa"
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
      path="empresas"
      entry={company}
      toBody={(form) => ({
        ...form,
        telefone: form.telefone || null,
        categoria_padrao_id: form.categoria_padrao_id ? Number(form.categoria_padrao_id) : null,
      })}
      refresh={['companies']}
      {...(onSaved && { onSaved })}
      onClose={onClose}
    >
      {({ text, check }) => (
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
          <CheckField label={t('Ativa', 'Active')} {...check('ativa')} />
        </>
      )}
    </EntryForm>
  );
}
