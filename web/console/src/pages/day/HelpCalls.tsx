import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type Summary, usePositions } from '../../data/deliveries.ts';
import { pathToDriver } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { Link } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { TimeAgo } from '../../ui/texts.tsx';

/** Drivers who have asked for help, the longest waiting first. Each stays until somebody has dealt with it. */
export function HelpCalls({ calls }: { calls: Summary['pedidos_ajuda'] }) {
  const t = useWords();
  const mayReadDrivers = useMay('registers-read');
  const title = t('Pedem ajuda', 'Ask for help');
  return (
    <section aria-label={title}>
      <h3>
        {title} {mayReadDrivers ? <Link to="/condutores">{calls.length}</Link> : calls.length}
      </h3>
      <ul className="attention-list">
        {calls.map((request) => (
          <HelpCall key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}

function HelpCall({ request }: { request: Summary['pedidos_ajuda'][number] }) {
  const t = useWords();
  const mayDispatch = useMay('dispatch');
  const { condutor, id_mch, texto, em } = request;
  const phone = usePositions().data?.find(({ condutor_id }) => condutor_id === condutor.id)?.telefone;
  const end = useAction(() => call('operacao', 'DELETE /condutores/{id}/ajuda', { id: condutor.id }), {
    done: t(`Pedido de ${condutor.nome} atendido.`, `${condutor.nome} was taken care of.`),
    refresh: ['counts'],
    toastsFailure: true,
  });
  return (
    <li>
      <Link
        to={id_mch ? `/entregas/${id_mch}` : pathToDriver(condutor.id, condutor.nome)}
        className="attention-entry"
      >
        <span className="attention-head">
          <strong>{condutor.nome}</strong>
          {id_mch && <span className="soft">#{id_mch}</span>}
          <span className="late">
            <TimeAgo at={em} only="age" />
          </span>
        </span>
        <span>{texto}</span>
      </Link>
      <span className="actions">
        {phone && (
          <a className="button" href={`tel:${phone}`}>
            {t('Ligar', 'Call')}
            <span className="unseen"> {condutor.nome}</span>
          </a>
        )}
        {mayDispatch && (
          <button type="button" disabled={end.isPending} onClick={() => end.mutate()}>
            {t('Atendido', 'Taken care of')}
            <span className="unseen"> {condutor.nome}</span>
          </button>
        )}
      </span>
    </li>
  );
}
