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

const isPartlyDone = (delivery: Sheet): boolean =>
  !delivery.agrupada_em && delivery.paradas.some(({ concluida_em }) => concluida_em !== null);

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
    delivery.agrupada_em &&
      t(
        `As paradas que faltam saem da entrega ${delivery.agrupada_em}, que segue com as suas; as já concluídas ficam nela e são cobradas nela.`,
        `The stops still to be visited leave delivery ${delivery.agrupada_em}, which goes on with its own; those concluded stay there and are charged there.`,
      ),
    delivery.condutor &&
      !delivery.agrupada_em &&
      t(`${delivery.condutor.nome} fica livre.`, `${delivery.condutor.nome} becomes free.`),
    delivery.agrupadas.length > 0 &&
      t(
        `As entregas agrupadas nela (${delivery.agrupadas.join(', ')}) são canceladas junto.`,
        `The deliveries grouped into it (${delivery.agrupadas.join(', ')}) are cancelled with it.`,
      ),
    isPartlyDone(delivery) &&
      t(
        'O que já foi percorrido até as paradas concluídas é cobrado.',
        'The way to the stops that are concluded already is charged.',
      ),
    delivery.tipo_pagamento === 'R' &&
      !delivery.agrupada_em &&
      (isPartlyDone(delivery)
        ? t(
            'O restante do valor reservado volta à carteira da empresa.',
            'The rest of what was reserved returns to the company’s wallet.',
          )
        : t(
            'O valor reservado volta à carteira da empresa.',
            'What was reserved returns to the company’s wallet.',
          )),
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
