import { type ReactNode, useState } from 'react';
import { formatMoney } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Body, call } from '../../api.ts';
import { fieldErrors, useAction } from '../../form.ts';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';

export type AccountMove = 'pagamento' | 'dinheiro_entregue' | 'ajuste';
type Move = Body<'operacao', 'POST /condutores/{id}/lancamentos'>;

const REFRESH = ['driver-account', 'driver-statement'];

/** Enters a payment, cash that the driver handed in, or an adjustment. */
export function AccountForm({
  driver,
  move,
  onClose,
}: {
  driver: { id: string; name: string };
  move: AccountMove;
  onClose: () => void;
}) {
  const t = useWords();
  const [amount, setAmount] = useState('');
  const words = {
    pagamento: {
      title: t(`Pagar ${driver.name}`, `Pay ${driver.name}`),
      act: t('Lançar pagamento', 'Enter the payment'),
      hint: t('O que a central pagou ao entregador.', 'What the central paid to the driver.'),
    },
    dinheiro_entregue: {
      title: t(`Dinheiro de ${driver.name}`, `Cash of ${driver.name}`),
      act: t('Lançar entrega', 'Enter the cash'),
      hint: t('No máximo o que o entregador tem a entregar.', 'At most what the driver has to hand in.'),
    },
    ajuste: {
      title: t(`Ajustar a conta de ${driver.name}`, `Adjust the account of ${driver.name}`),
      act: t('Lançar ajuste', 'Enter the adjustment'),
      hint: t(
        'Positivo a favor do entregador; com sinal de menos, um desconto.',
        'Positive in favour of the driver; with a minus sign, a deduction.',
      ),
    },
  }[move];
  return (
    <MoveForm
      driverId={driver.id}
      title={words.title}
      act={words.act}
      toBody={(motivo) => ({ tipo: move, valor: amount, motivo })}
      onClose={onClose}
    >
      {(error) => (
        <DecimalField
          label={t('Valor em reais', 'Amount in reais')}
          required
          placeholder="150,00"
          hint={words.hint}
          value={amount}
          error={error}
          onValue={setAmount}
        />
      )}
    </MoveForm>
  );
}

/** Reverses an entry with a new one. */
export function ReverseForm({
  driverId,
  entry,
  onClose,
}: {
  driverId: string;
  entry: { id: string; valor: string };
  onClose: () => void;
}) {
  const t = useWords();
  return (
    <MoveForm
      driverId={driverId}
      title={t('Estornar lançamento', 'Reverse an entry')}
      act={t('Estornar', 'Reverse')}
      toBody={(motivo) => ({ tipo: 'estorno', lancamento_id: entry.id, motivo })}
      onClose={onClose}
    >
      {() => (
        <p>
          {t(
            `Um novo lançamento desfaz o de ${formatMoney(entry.valor)}. Os dois ficam no extrato.`,
            `A new entry takes back the one of ${formatMoney(entry.valor)}. Both stay in the statement.`,
          )}
        </p>
      )}
    </MoveForm>
  );
}

function MoveForm({
  driverId,
  title,
  act,
  toBody,
  onClose,
  children,
}: {
  driverId: string;
  title: string;
  act: string;
  toBody: (reason: string) => Move;
  onClose: () => void;
  children: (amountError: string | undefined) => ReactNode;
}) {
  const t = useWords();
  const [reason, setReason] = useState('');
  const save = useAction(
    () => call('operacao', 'POST /condutores/{id}/lancamentos', { id: driverId, body: toBody(reason) }),
    { done: t('Lançado.', 'Entered.'), refresh: REFRESH, leave: onClose },
  );
  const errors = fieldErrors(save.error, (field) => field === 'valor' || field === 'motivo');
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {children(errors.of('valor'))}
        <Field
          label={t('Motivo', 'Reason')}
          required
          maxLength={300}
          hint={t('Aparece no extrato do entregador.', 'Shown in the driver’s statement.')}
          value={reason}
          error={errors.of('motivo')}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <ErrorBox error={errors.rest} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={save.isPending}>
            {act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
