import { useState } from 'react';
import { call } from '../../api.ts';
import { useNow } from '../../clock.ts';
import { type DeliveryDetail, type ListedDelivery, useDeliveryList } from '../../data/deliveries.ts';
import { leaveDraft, useAction } from '../../form.ts';
import { go, Link } from '../../router.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';
import { type OrderDraft, orderLike, toOrder } from '../new/order.ts';

const SHOWN_MAX = 20;
const SHOWN_HOURS = 12;
/** What was ordered again from this tab; a delivery itself does not know. */
const AGAIN = 'malote.pedidas-de-novo';

/** Deliveries of the last hours for which no driver was found. They are over; ordering again makes a new one. */
export function NotAttended() {
  const t = useWords();
  const now = useNow();
  const [again, setAgain] = useState<string[]>(
    () => JSON.parse(sessionStorage.getItem(AGAIN) ?? '[]') as string[],
  );
  const { data = [] } = useDeliveryList({ status_solicitacao: 'N', limite: SHOWN_MAX });
  const shown = data.filter(
    ({ id, data_hora_solicitacao_utc: at }) =>
      !again.includes(id) && now - Date.parse(at) < SHOWN_HOURS * 3_600_000,
  );
  if (shown.length === 0) return null;
  const hide = (id: string) => {
    sessionStorage.setItem(AGAIN, JSON.stringify([...again, id]));
    setAgain([...again, id]);
  };
  const title = t('Não atendidas', 'Not attended');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to="/entregas?status=N">{shown.length}</Link>
      </h3>
      <ul className="needs">
        {shown.map((delivery) => (
          <Unattended key={delivery.id} delivery={delivery} onAgain={() => hide(delivery.id)} />
        ))}
      </ul>
    </section>
  );
}

function Unattended({ delivery, onAgain }: { delivery: ListedDelivery; onAgain: () => void }) {
  const t = useWords();
  const order = useAction(() => orderAgain(delivery.id), {
    done: (id) => (id ? t(`Aberta de novo como ${id}.`, `Opened again as ${id}.`) : undefined),
    refresh: ['deliveries', 'counts'],
    tellsFailure: true,
    onDone: onAgain,
  });
  return (
    <li>
      <Link to={`/entregas/${delivery.id}`} className="need">
        <span className="need-head">
          <StatusBadge status="N" bare />
          <strong>{delivery.id}</strong>
          <span className="cut">{delivery.nome_cliente}</span>
          <span className="soft">
            <TimeAgo at={delivery.data_hora_solicitacao_utc} only="age" />
          </span>
        </span>
      </Link>
      <button type="button" disabled={order.isPending} onClick={() => order.mutate()}>
        {t('Pedir de novo', 'Order again')}
        <span className="unseen"> {delivery.id}</span>
      </button>
    </li>
  );
}

/** The same order once more. A person's has a document that is not shown again, so its form is opened instead. */
async function orderAgain(id: string): Promise<string | undefined> {
  const detail = await call('operacao', 'GET /entregas/{id}', { id });
  const draft = sameOrder(detail);
  if (detail.empresa_id !== null) {
    const opened = await call('integracao', 'POST /entregas', { body: toOrder(draft, { isManager: false }) });
    return opened.id_mch;
  }
  leaveDraft('nova', draft);
  go('/nova');
  return undefined;
}

function sameOrder(detail: DeliveryDetail): OrderDraft {
  const draft = orderLike(detail);
  return {
    ...draft,
    paradas: draft.paradas.map((stop, index) => ({
      ...stop,
      numero_pedido: detail.paradas[index]?.numero_pedido ?? '',
      valor_cobrar: detail.paradas[index]?.valor_cobrar ?? '',
    })),
  };
}
