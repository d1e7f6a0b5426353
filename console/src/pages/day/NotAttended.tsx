import { useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useAction } from '../../form.ts';
import { Link } from '../../router.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';

const SHOWN_MAX = 20;

const useNotAttended = () =>
  useQuery({
    queryKey: ['deliveries', 'not-attended'],
    queryFn: () => call('operacao', 'GET /nao-atendidas', {}),
  });

type Delivery = NonNullable<ReturnType<typeof useNotAttended>['data']>[number];

/** Deliveries of the last hours for which no driver was found, until somebody of the central orders them again. */
export function NotAttended() {
  const t = useWords();
  const { data = [] } = useNotAttended();
  if (data.length === 0) return null;
  const title = t('Não atendidas', 'Not attended');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to="/entregas?status=N">{data.length}</Link>
      </h3>
      <ul className="needs">
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
    tellsFailure: true,
  });
  return (
    <li>
      <Link to={`/entregas/${id}`} className="need">
        <span className="need-head">
          <StatusBadge status="N" bare />
          <strong>{id}</strong>
          <span className="cut">{nome_cliente}</span>
          <span className="soft">
            <TimeAgo at={pedida_em} only="age" />
          </span>
        </span>
      </Link>
      <button type="button" disabled={order.isPending} onClick={() => order.mutate()}>
        {t('Pedir de novo', 'Order again')}
        <span className="unseen"> {id}</span>
      </button>
    </li>
  );
}
