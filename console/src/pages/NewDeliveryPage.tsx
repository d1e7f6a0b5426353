import { call } from '../api.ts';
import { sendCorrections } from '../data/addresses.ts';
import { useAction, useDraft } from '../form.ts';
import { go } from '../router.tsx';
import { useIsManager, useMay } from '../session.tsx';
import { useWords } from '../words.ts';
import { changedOrder, OrderForm } from './new/OrderForm.tsx';
import { correctionsOf, emptyOrder, type OrderDraft, toDispatch, toOrder } from './new/order.ts';

/** Opens or schedules a delivery. What is typed outlives a reload and a lost connection. */
export function NewDeliveryPage() {
  const t = useWords();
  const isManager = useIsManager();
  const isDesk = useMay('desk');
  const [draft, setDraft, clear] = useDraft<OrderDraft>('nova', emptyOrder());
  const isLater = draft.quando === 'depois';
  const order = useAction(
    () =>
      isLater
        ? call('integracao', 'POST /entregas/programadas', {
            body: { ...toOrder(draft, { isManager }), ...toDispatch(draft) },
          })
        : call('integracao', 'POST /entregas', { body: toOrder(draft, { isManager }) }),
    {
      done: ({ id_mch }) =>
        isLater
          ? t(`Entrega programada: ${id_mch}.`, `Delivery scheduled: ${id_mch}.`)
          : t(`Entrega ${id_mch} aberta.`, `Delivery ${id_mch} opened.`),
      refresh: ['deliveries', 'scheduled', 'counts', 'known-addresses'],
      onDone: ({ id_mch }) => {
        if (isDesk) sendCorrections(correctionsOf([draft.partida, ...draft.paradas]));
        clear();
        go(isLater ? `/programadas/${id_mch}` : `/entregas/${id_mch}`);
      },
    },
  );
  return (
    <OrderForm
      title={t('Nova entrega', 'New delivery')}
      draft={draft}
      onChange={(changes) => setDraft((before) => changedOrder(before, changes))}
      send={isLater ? t('Programar entrega', 'Schedule delivery') : t('Abrir entrega', 'Open delivery')}
      isSending={order.isPending}
      error={order.error}
      onSend={() => order.mutate()}
      reset={t('Limpar', 'Clear')}
      onReset={() => {
        clear();
        order.reset();
      }}
    />
  );
}
