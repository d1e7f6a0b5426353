import { useState } from 'react';
import { formatMoney } from '../../../../shared/formats.ts';
import { paymentLabel } from '../../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call, isRefusal } from '../../api.ts';
import { type DeliveryDetail, type DetailStop, useRefreshDelivery } from '../../data/deliveries.ts';
import { useOptions } from '../../data/registers.ts';
import { DecimalField } from '../../ui/BrazilianFields.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';

/** The forms of payment at the door. */
const AT_THE_DOOR = ['D', 'X', 'B', 'C'] as const;
type PaymentForm = (typeof AT_THE_DOOR)[number];

/** Concludes a stop on behalf of the driver, with the recipient's code if the central requires it. */
export function ConcludeDialog({
  delivery,
  stop,
  onClose,
}: {
  delivery: DeliveryDetail;
  stop: DetailStop;
  onClose: () => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const refresh = useRefreshDelivery();
  const { data: options } = useOptions();
  const [code, setCode] = useState('');
  const [reason, setReason] = useState('');
  const [receivedBy, setReceivedBy] = useState('');
  const [amount, setAmount] = useState('');
  const [form, setForm] = useState('');
  // Invoice and credits do not say how the recipient paid, and so whether the driver has cash to hand in.
  const isApart = delivery.tipo_pagamento === 'F' || delivery.tipo_pagamento === 'R';
  const [goesWithout, setGoesWithout] = useState(stop.codigo_bloqueado);
  const [lacksProof, setLacksProof] = useState(false);
  const [isAboveDue, setAboveDue] = useState(false);
  const [amountReason, setAmountReason] = useState('');
  const asksForCode = options?.codigo_confirmacao ?? false;
  const asksForReason = (asksForCode && goesWithout) || lacksProof;
  const conclude = async () => {
    const body = {
      recebido_por: receivedBy.trim() || null,
      valor_recebido: amount || null,
      forma_recebimento: amount && form ? (form as PaymentForm) : null,
      valor_recebido_motivo: isAboveDue ? amountReason.trim() || null : null,
      ...(asksForReason && reason.trim()
        ? { sem_codigo_motivo: reason }
        : { codigo_confirmacao: code.trim() ? Number(code) : null }),
    };
    try {
      await call('operacao', 'POST /entregas/{id}/paradas/{parada_id}/concluir', {
        id: delivery.id,
        parada_id: stop.id,
        body,
      });
    } catch (error) {
      if (
        isRefusal(
          error,
          'proof-photo-missing',
          'proof-signature-missing',
          'proof-name-missing',
          'proof-amount-missing',
        )
      )
        setLacksProof(true);
      if (isRefusal(error, 'received-above-due')) setAboveDue(true);
      throw error;
    }
    await refresh(t(`Parada ${stop.ordem + 1} concluída.`, `Stop ${stop.ordem + 1} concluded.`));
  };
  return (
    <Confirm
      title={t(`Concluir a parada ${stop.ordem + 1}?`, `Conclude stop ${stop.ordem + 1}?`)}
      what={t(
        `A parada em ${stop.endereco} fica como entregue agora, e o destinatário vê isso na página de rastreio.`,
        `The stop at ${stop.endereco} counts as delivered now, and its recipient sees that on the tracking page.`,
      )}
      act={t('Concluir parada', 'Conclude stop')}
      onConfirm={conclude}
      onClose={onClose}
    >
      <Field
        label={t('Recebido por', 'Received by')}
        maxLength={100}
        value={receivedBy}
        onChange={({ currentTarget }) => setReceivedBy(currentTarget.value)}
        autoComplete="off"
      />
      {stop.valor_cobrar && (
        <DecimalField
          label={t('Valor recebido', 'Amount received')}
          hint={t(
            `A cobrar: ${formatMoney(stop.valor_cobrar)}`,
            `To collect: ${formatMoney(stop.valor_cobrar)}`,
          )}
          required={isApart}
          value={amount}
          onValue={setAmount}
        />
      )}
      {stop.valor_cobrar && (
        <SelectField
          label={t('Como foi pago', 'How it was paid')}
          required={isApart && Number(amount) !== 0}
          value={form}
          onChange={({ currentTarget }) => setForm(currentTarget.value)}
        >
          <option value="">
            {isApart ? t('Escolha', 'Choose') : t('Como a entrega', 'As the delivery')}
          </option>
          {AT_THE_DOOR.map((each) => (
            <option key={each} value={each}>
              {paymentLabel[each]?.[language]}
            </option>
          ))}
        </SelectField>
      )}
      {isAboveDue && (
        <Field
          label={t('Por que foi recebido mais', 'Why more was received')}
          hint={t(
            'Fica no histórico da entrega e na conta do entregador.',
            'Kept in the delivery’s story and in the driver’s account.',
          )}
          maxLength={300}
          value={amountReason}
          onChange={({ currentTarget }) => setAmountReason(currentTarget.value)}
          autoComplete="off"
        />
      )}
      {asksForCode && stop.codigo_bloqueado && (
        <p className="banner">
          {t(
            'O código foi bloqueado depois de cinco tentativas incorretas.',
            'The code was locked after five wrong attempts.',
          )}
        </p>
      )}
      {asksForCode && !goesWithout && (
        <>
          <Field
            label={t('Código de confirmação', 'Confirmation code')}
            hint={t('O que o destinatário informou.', 'What the recipient said.')}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            inputMode="numeric"
            pattern="[0-9]{4}"
            autoComplete="off"
          />
          <button type="button" className="plain" onClick={() => setGoesWithout(true)}>
            {t('Concluir sem código', 'Conclude without a code')}
          </button>
        </>
      )}
      {asksForReason && (
        <Field
          label={
            lacksProof
              ? t('Por que sem comprovante', 'Why without proof')
              : t('Por que sem código', 'Why without a code')
          }
          hint={t(
            'Fica no histórico da entrega com o seu nome.',
            'Kept in the delivery’s story with your name.',
          )}
          required={!lacksProof}
          maxLength={300}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          autoComplete="off"
        />
      )}
    </Confirm>
  );
}
