import { useState } from 'react';
import { INTEGRATION, write } from '../../api.ts';
import type { Sheet } from '../../data/deliveries.ts';
import { useOptions } from '../../data/options.ts';
import { Choices } from '../../ui/Choices.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';
import { useRefreshDelivery } from './refresh.ts';

/** Cancels with a reason, and says beforehand what that means. */
export function CancelButton({ delivery }: { delivery: Sheet }) {
  const t = useWords();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        {t('Cancelar', 'Cancel')}
      </button>
      {asking && <CancelDialog delivery={delivery} onClose={() => setAsking(false)} />}
    </>
  );
}

function CancelDialog({ delivery, onClose }: { delivery: Sheet; onClose: () => void }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  const { data: options } = useOptions();
  const [reason, setReason] = useState('');
  const cancel = async () => {
    await write('POST', `${INTEGRATION}/entregas/${delivery.id}/cancelar`, { motivo_id: Number(reason) });
    await refresh(t(`Entrega ${delivery.id} cancelada.`, `Delivery ${delivery.id} cancelled.`));
  };
  const consequences = [
    t(
      `A entrega ${delivery.id} termina agora e não pode ser retomada.`,
      `Delivery ${delivery.id} ends now and cannot be taken up again.`,
    ),
    delivery.condutor &&
      t(`${delivery.condutor.nome} fica livre.`, `${delivery.condutor.nome} becomes free.`),
    delivery.agrupadas.length > 0 &&
      t(
        `As entregas agrupadas nela (${delivery.agrupadas.join(', ')}) são canceladas junto.`,
        `The deliveries grouped into it (${delivery.agrupadas.join(', ')}) are cancelled with it.`,
      ),
    delivery.tipo_pagamento === 'R' &&
      t(
        'O valor reservado volta à carteira da empresa.',
        'What was reserved returns to the company’s wallet.',
      ),
  ].filter(Boolean);
  return (
    <Confirm
      title={t(`Cancelar a entrega ${delivery.id}?`, `Cancel delivery ${delivery.id}?`)}
      what={consequences.join(' ')}
      act={t('Cancelar a entrega', 'Cancel the delivery')}
      danger
      onConfirm={cancel}
      onClose={onClose}
    >
      <SelectField
        label={t('Motivo', 'Reason')}
        required
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      >
        <option value="">{t('Escolha…', 'Choose…')}</option>
        <Choices of={options?.motivos_cancelamento} />
      </SelectField>
    </Confirm>
  );
}
