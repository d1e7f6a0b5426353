import { useWords } from '../../../shared/words.ts';
import { call } from '../api.ts';
import { sendCorrections } from '../data/addresses.ts';
import { useOptions } from '../data/registers.ts';
import { useAction, useDraft } from '../form.ts';
import { go, Link } from '../router.tsx';
import { useIsManager, useMay, useSession } from '../session.tsx';
import { changedOrder, OrderForm } from './new/OrderForm.tsx';
import { correctionsOf, emptyOrder, type OrderDraft, toDispatch, toOrder } from './new/order.ts';

/** Opens or schedules a delivery. The draft survives a reload and a lost connection. */
export function NewDeliveryPage() {
  const t = useWords();
  const isManager = useIsManager();
  const isDesk = useMay('desk');
  const { fuso_horario: zone } = useSession().central;
  const [draft, setDraft, clear] = useDraft<OrderDraft>('nova', emptyOrder());
  const isLater = draft.quando === 'depois';
  const order = useAction(
    () =>
      isLater
        ? call('integracao', 'POST /entregas/programadas', {
            body: { ...toOrder(draft, { isManager, zone }), ...toDispatch(draft) },
          })
        : call('integracao', 'POST /entregas', { body: toOrder(draft, { isManager, zone }) }),
    {
      done: ({ id_mch }) =>
        isLater
          ? t(`Entrega programada: ${id_mch}.`, `Delivery scheduled: ${id_mch}.`)
          : t(`Entrega ${id_mch} aberta.`, `Delivery ${id_mch} opened.`),
      refresh: ['deliveries', 'scheduled', 'counts', 'known-addresses'],
      onDone: () => {
        if (isDesk) sendCorrections(correctionsOf([draft.partida, ...draft.paradas]));
        clear();
      },
      leave: ({ id_mch }) => go(isLater ? `/programadas/${id_mch}` : `/entregas/${id_mch}`),
    },
  );
  return (
    <>
      <NotReady />
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
    </>
  );
}

/** Says what a new central lacks to take orders, before somebody types a whole order. */
function NotReady() {
  const t = useWords();
  const { data: options } = useOptions();
  const maySetUp = useMay('settings');
  if (!options) return null;
  const missing = [
    !options.limites && { to: '/areas', what: t('uma área de atuação', 'an operating area') },
    options.categorias.length === 0 && {
      to: '/tarifas',
      what: t('uma categoria com tarifa', 'a category with a tariff'),
    },
  ].filter((each) => each !== false);
  if (missing.length === 0) return null;
  return (
    <p className="banner" role="status">
      {t('Para receber pedidos a central precisa de ', 'To take orders the central needs ')}
      {missing.map(({ to, what }, index) => (
        <span key={to}>
          {index > 0 && t(' e de ', ' and ')}
          {maySetUp ? <Link to={to}>{what}</Link> : what}
        </span>
      ))}
      .
    </p>
  );
}
