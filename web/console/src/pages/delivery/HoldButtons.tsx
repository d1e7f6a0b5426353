import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type DeliveryDetail, useRefreshDelivery } from '../../data/deliveries.ts';
import { Lasting } from '../../ui/Lasting.tsx';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { ReassignDialog } from './ReassignDialog.tsx';

/** Holds back a delivery that has not started. */
export function HoldButton({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const refresh = useRefreshDelivery();
  const hold = async (reason: string) => {
    await call('operacao', 'POST /entregas/{id}/segurar', { id: delivery.id, body: { motivo: reason } });
    await refresh(t(`Entrega ${delivery.id} segurada.`, `Delivery ${delivery.id} held back.`));
  };
  return (
    <ReasonButton
      label={t('Segurar', 'Hold back')}
      title={t(`Segurar a entrega ${delivery.id}?`, `Hold delivery ${delivery.id} back?`)}
      what={t(
        'Ninguém a recebe até que você a retome. Ofertas são retiradas, e o entregador que a aceitou fica livre.',
        'Nobody gets it until you resume it. Offers are withdrawn, and the driver who accepted it is freed.',
      )}
      onConfirm={hold}
    />
  );
}

export function ReassignButton({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {t('Passar para outro', 'Give to another')}
      </button>
      {asking && (
        <Lasting onClose={() => setAsking(false)}>
          {(close) => <ReassignDialog delivery={delivery} onClose={close} />}
        </Lasting>
      )}
    </>
  );
}
