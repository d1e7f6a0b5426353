import { INTEGRATION } from '../../api.ts';
import type { Statement } from '../../data/wallet.ts';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { Field } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';

export type CreditWay = 'topUp' | 'withdrawal';

/** Contract 4.5, and its opposite. */
export function MoveCreditForm({
  way,
  company,
  onClose,
}: {
  way: CreditWay;
  company: Statement['empresa'];
  onClose: () => void;
}) {
  const t = useWords();
  const { nome, cpf_cnpj } = company;
  const words = {
    topUp: {
      path: 'recargas',
      title: t(`Recarregar ${nome}`, `Top up ${nome}`),
      act: t('Recarregar', 'Top up'),
      done: t('Recarga lançada.', 'Topped up.'),
      hint: undefined,
    },
    withdrawal: {
      path: 'saques',
      title: t(`Sacar de ${nome}`, `Withdraw from ${nome}`),
      act: t('Sacar', 'Withdraw'),
      done: t('Saque lançado.', 'Withdrawn.'),
      hint: t(
        'No máximo o saldo. Uma programada que ficar sem saldo não será disparada.',
        'At most the balance. A scheduled delivery left without credit will not be dispatched.',
      ),
    },
  }[way];
  return (
    <EntryForm
      title={words.title}
      draft={`${words.path}.${company.id}`}
      initial={{ valor: '', observacao: '' }}
      path={`${INTEGRATION}/entregas/empresas/creditos/${words.path}`}
      toBody={({ valor, observacao }) => ({
        valor: toNumber(valor),
        observacao: observacao || null,
        empresa: { tipo_identificacao: cpf_cnpj.length === 11 ? 'F' : 'J', identificacao: cpf_cnpj },
      })}
      act={words.act}
      done={words.done}
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
            hint={words.hint}
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
