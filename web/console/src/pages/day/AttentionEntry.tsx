import { useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type OpenDelivery, usePositions } from '../../data/deliveries.ts';
import { useAction } from '../../form.ts';
import { Link, withQuery } from '../../router.tsx';
import { useMay } from '../../session.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { Lasting } from '../../ui/Lasting.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { Arrival } from './Arrival.tsx';
import { CheckAddress } from './CheckAddress.tsx';
import { nextStop } from './openStops.ts';

/** A delivery that needs attention, with its actions. Key `r` presses the first button. */
export function AttentionEntry({
  delivery,
  isSelected,
  onGive,
}: {
  delivery: OpenDelivery;
  isSelected: boolean;
  onGive: () => void;
}) {
  const mayDispatch = useMay('dispatch');
  return (
    <li data-delivery={delivery.id}>
      <Link
        to={withQuery({ sel: delivery.id })}
        replace
        aria-current={isSelected ? 'true' : undefined}
        className="attention-entry"
        draggable={false}
      >
        <span className="attention-head">
          <strong>{delivery.id}</strong>
          <span className="line">{delivery.nome_cliente}</span>
          <span className="soft">
            <TimeAgo at={delivery.solicitada_em} only="age" />
          </span>
        </span>
        <StatusBadge status={delivery.status} />
        <Arrival delivery={delivery} />
        <span className="soft line">
          {[delivery.condutor?.nome, nextStop(delivery)?.endereco].filter(Boolean).join(' · ')}
        </span>
      </Link>
      {mayDispatch && <NeedActions delivery={delivery} onGive={onGive} />}
    </li>
  );
}

function NeedActions({ delivery, onGive }: { delivery: OpenDelivery; onGive: () => void }) {
  const t = useWords();
  const { id, status, condutor } = delivery;
  const [isChecking, setChecking] = useState(false);
  const phone = usePositions().data?.find(({ condutor_id }) => condutor_id === condutor?.id)?.telefone;
  const release = useAction(() => call('operacao', 'POST /entregas/{id}/liberar', { id }), {
    done: t(`Entrega ${id} liberada.`, `Delivery ${id} released.`),
    refresh: ['deliveries', 'counts'],
    toastsFailure: true,
  });
  const which = <span className="unseen"> {id}</span>;
  return (
    <span className="actions">
      {status === 'L' && (
        <button type="button" disabled={release.isPending} onClick={() => release.mutate()}>
          {t('Liberar', 'Release')}
          {which}
        </button>
      )}
      {delivery.conferir_endereco && (
        <button type="button" onClick={() => setChecking(true)}>
          {t('Conferir endereço', 'Check address')}
          {which}
        </button>
      )}
      {status !== 'L' && (
        <button type="button" onClick={onGive}>
          {'ASE'.includes(status)
            ? t('Passar para outro', 'Give to another')
            : t('Escolher entregador', 'Choose driver')}
          {which}
        </button>
      )}
      {phone && (
        <a className="button" href={`tel:${phone}`}>
          {t('Ligar', 'Call')}
          <span className="unseen"> {condutor?.nome}</span>
        </a>
      )}
      {isChecking && (
        <Lasting onClose={() => setChecking(false)}>
          {(close) => <CheckAddress delivery={delivery} onClose={close} />}
        </Lasting>
      )}
    </span>
  );
}
