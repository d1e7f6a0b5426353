import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { useAction, useRefresh } from '../../form.ts';
import { Link } from '../../router.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';

const SHOWN_MAX = 20;

const useNotAttended = () =>
  useQuery({
    queryKey: ['deliveries', 'not-attended'],
    queryFn: () => call('operacao', 'GET /nao-atendidas', {}),
  });

type Delivery = NonNullable<ReturnType<typeof useNotAttended>['data']>[number];

/** Deliveries of the last hours that found no driver, until the central orders them again or dismisses them. */
export function NotAttended() {
  const t = useWords();
  const data = useSteady(useNotAttended().data) ?? [];
  if (data.length === 0) return null;
  const title = t('Não atendidas', 'Not attended');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to="/entregas?status=N">{data.length}</Link>
      </h3>
      <ul className="attention-list">
        {data.slice(0, SHOWN_MAX).map((delivery) => (
          <Unattended key={delivery.id_mch} delivery={delivery} />
        ))}
      </ul>
    </section>
  );
}

function Unattended({ delivery: { id_mch: id, nome_cliente, pedida_em } }: { delivery: Delivery }) {
  const t = useWords();
  const order = useAction(() => call('operacao', 'POST /entregas/{id}/pedir-de-novo', { id }), {
    done: ({ nova_entrega }) => t(`Aberta de novo como ${nova_entrega}.`, `Opened again as ${nova_entrega}.`),
    refresh: ['deliveries', 'counts'],
    toastsFailure: true,
  });
  return (
    <li>
      <Link to={`/entregas/${id}`} className="attention-entry">
        <span className="attention-head">
          <StatusBadge status="N" bare />
          <strong>{id}</strong>
          <span className="line">{nome_cliente}</span>
          <span className="soft">
            <TimeAgo at={pedida_em} only="age" />
          </span>
        </span>
      </Link>
      <span className="actions">
        <button type="button" disabled={order.isPending} onClick={() => order.mutate()}>
          {t('Pedir de novo', 'Order again')}
          <span className="unseen"> {id}</span>
        </button>
        <DismissButton id={id} />
      </span>
    </li>
  );
}

/** Takes the delivery off the list, because nothing more is to be done about it. */
function DismissButton({ id }: { id: string }) {
  const t = useWords();
  const refresh = useRefresh('deliveries', 'delivery');
  const dismiss = async (reason: string) => {
    await call('operacao', 'POST /entregas/{id}/dispensar', { id, body: { motivo: reason } });
    await refresh(t(`Entrega ${id} dispensada.`, `Delivery ${id} dismissed.`));
  };
  return (
    <ReasonButton
      label={t('Dispensar', 'Dismiss')}
      title={t(`Dispensar a entrega ${id}?`, `Dismiss delivery ${id}?`)}
      what={t(
        'Ela sai desta lista para todos e continua como não atendida. O histórico guarda quem a dispensou e por quê.',
        'It leaves this list for everybody and stays not attended. The history keeps who dismissed it and why.',
      )}
      onConfirm={dismiss}
    >
      <span className="unseen"> {id}</span>
    </ReasonButton>
  );
}
