import { INTEGRATION } from '../../api.ts';
import type { Company } from '../../data/companies.ts';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { Field } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';

/** Contract 4.5. */
export function TopUpForm({ company, onClose }: { company: Company; onClose: () => void }) {
  const t = useWords();
  return (
    <EntryForm
      title={t(`Recarregar ${company.nome}`, `Top up ${company.nome}`)}
      draft={`recarga.${company.id}`}
      initial={{ valor: '', observacao: '' }}
      path={`${INTEGRATION}/entregas/empresas/creditos/recargas`}
      toBody={({ valor, observacao }) => ({
        valor: toNumber(valor),
        observacao: observacao || null,
        empresa: {
          tipo_identificacao: company.cpf_cnpj.length === 11 ? 'F' : 'J',
          identificacao: company.cpf_cnpj,
        },
      })}
      act={t('Recarregar', 'Top up')}
      done={t('Recarga lançada.', 'Topped up.')}
      refresh={['wallet']}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          <Field
            label={t('Valor em reais', 'Amount in reais')}
            required
            inputMode="decimal"
            placeholder="150,00"
            {...text('valor')}
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

/** People write 1.234,50 or 1234.50; what is no number is sent as it is, for the server to say so. */
function toNumber(text: string): number | string {
  const plain = text.trim();
  const value = Number(plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain);
  return plain === '' || Number.isNaN(value) ? plain : value;
}
