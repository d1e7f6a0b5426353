import { ORDER_PAYMENTS, paymentLabel } from '../../../../shared/statuses.ts';
import { useWords } from '../../../../shared/words.ts';
import { useOptions } from '../../data/registers.ts';
import type { FieldErrors } from '../../form.ts';
import { useIsManager, useSession } from '../../session.tsx';
import { DateField, TimeField } from '../../ui/BrazilianFields.tsx';
import { CheckField, Choices, Field, SelectField, TextField } from '../../ui/Field.tsx';
import { OrderDemandFields } from './DemandFields.tsx';
import type { OrderDraft } from './order.ts';

interface OrderFieldsProps {
  draft: OrderDraft;
  errors: FieldErrors;
  onChange: (changes: Partial<OrderDraft>) => void;
}

/** The customer. Not shown to managers, who order for their own company only. */
export function WhoFields({ draft, errors, onChange }: OrderFieldsProps) {
  const t = useWords();
  const { data: options } = useOptions();
  const choose = (quem: OrderDraft['quem']) => ({
    type: 'radio',
    name: 'quem',
    checked: draft.quem === quem,
    onChange: () => onChange({ quem }),
  });
  return (
    <fieldset>
      <legend>{t('Para quem', 'For whom')}</legend>
      <div className="either">
        <label>
          <input {...choose('empresa')} /> {t('Empresa', 'Company')}
        </label>
        <label>
          <input {...choose('pessoa')} /> {t('Pessoa', 'Person')}
        </label>
      </div>
      {draft.quem === 'empresa' ? (
        <SelectField
          label={t('Empresa', 'Company')}
          value={draft.empresa_id}
          error={errors.of('empresa_id') ?? errors.of('cliente')}
          onChange={({ currentTarget }) => onChange({ empresa_id: currentTarget.value })}
        >
          <option value="">{t('Escolha…', 'Choose…')}</option>
          <Choices of={options?.empresas} />
        </SelectField>
      ) : (
        <div className="three">
          <Field
            label={t('Nome', 'Name')}
            value={draft.nome}
            error={errors.of('cliente.nome') ?? errors.of('cliente')}
            onChange={({ currentTarget }) => onChange({ nome: currentTarget.value })}
            autoComplete="off"
          />
          <Field
            label="CPF"
            value={draft.cpf}
            error={errors.of('cliente.cpf')}
            inputMode="numeric"
            onChange={({ currentTarget }) => onChange({ cpf: currentTarget.value })}
            autoComplete="off"
          />
          <Field
            label={t('Telefone', 'Phone')}
            value={draft.telefone}
            error={errors.of('cliente.telefone')}
            inputMode="tel"
            onChange={({ currentTarget }) => onChange({ telefone: currentTarget.value })}
            autoComplete="off"
          />
        </div>
      )}
    </fieldset>
  );
}

/** The category, the payment and the further conditions of the order. */
export function HowFields({ draft, errors, onChange }: OrderFieldsProps) {
  const t = useWords();
  const isManager = useIsManager();
  const { data: options } = useOptions();
  const hasDefault = isManager || draft.quem === 'empresa';
  return (
    <fieldset>
      <legend>{t('Como', 'How')}</legend>
      <div className="three">
        <SelectField
          label={t('Categoria', 'Category')}
          value={draft.categoria_id}
          error={errors.of('categoria_id')}
          onChange={({ currentTarget }) => onChange({ categoria_id: currentTarget.value })}
        >
          <option value="">
            {hasDefault ? t('Padrão da empresa', 'Company’s default') : t('Escolha…', 'Choose…')}
          </option>
          <Choices of={options?.categorias} />
        </SelectField>
        <PaymentField draft={draft} errors={errors} onChange={onChange} />
        <Field
          label={t('Cupom', 'Coupon')}
          value={draft.codigo_cupom}
          error={errors.of('codigo_cupom')}
          onChange={({ currentTarget }) => onChange({ codigo_cupom: currentTarget.value })}
          autoComplete="off"
        />
      </div>
      <CheckField
        label={t('Com retorno à coleta', 'Returns to the pickup')}
        checked={draft.com_retorno}
        error={errors.of('com_retorno')}
        onChange={({ currentTarget }) => onChange({ com_retorno: currentTarget.checked })}
      />
      <TextField
        label={t('Observação', 'Note')}
        value={draft.observacao}
        error={errors.of('observacao')}
        onChange={({ currentTarget }) => onChange({ observacao: currentTarget.value })}
      />
      <DemandFields draft={draft} errors={errors} onChange={onChange} />
    </fieldset>
  );
}

/** What the order demands at its pickup and of the driver. */
export function DemandFields({ draft, errors, onChange }: OrderFieldsProps) {
  return (
    <OrderDemandFields
      demands={draft.exigencias}
      errorOf={(field) => errors.of(`exigencias.${field}`)}
      onChange={(exigencias) => onChange({ exigencias })}
    />
  );
}

export function PaymentField({ draft, errors, onChange }: OrderFieldsProps) {
  const t = useWords();
  return (
    <SelectField
      label={t('Pagamento', 'Payment')}
      value={draft.forma_pagamento}
      error={errors.of('forma_pagamento')}
      onChange={({ currentTarget }) => onChange({ forma_pagamento: currentTarget.value })}
    >
      {ORDER_PAYMENTS.map((code) => (
        <option key={code} value={code}>
          {t(paymentLabel[code]!.pt, paymentLabel[code]!.en)}
        </option>
      ))}
    </SelectField>
  );
}

/** The time of the dispatch: at once, or at a time on the central's clock. */
export function WhenFields({
  draft,
  errors,
  onChange,
  isAlwaysLater = false,
}: OrderFieldsProps & { isAlwaysLater?: boolean }) {
  const t = useWords();
  const { fuso_horario: zone } = useSession().central;
  const choose = (quando: OrderDraft['quando']) => ({
    type: 'radio',
    name: 'quando',
    checked: draft.quando === quando,
    onChange: () => onChange({ quando }),
  });
  return (
    <fieldset>
      <legend>{t('Quando', 'When')}</legend>
      {!isAlwaysLater && (
        <div className="either">
          <label>
            <input {...choose('agora')} /> {t('Agora', 'Now')}
          </label>
          <label>
            <input {...choose('depois')} /> {t('Programar', 'Schedule')}
          </label>
        </div>
      )}
      {draft.quando === 'depois' && (
        <div className="three">
          <DateField
            label={t('Data', 'Date')}
            value={draft.data}
            error={errors.of('data')}
            onValue={(data) => onChange({ data })}
          />
          <TimeField
            label={t('Hora', 'Time')}
            value={draft.hora}
            error={errors.of('hora')}
            hint={t(`relógio da central (${zone})`, `the central’s clock (${zone})`)}
            onValue={(hora) => onChange({ hora })}
          />
        </div>
      )}
    </fieldset>
  );
}
