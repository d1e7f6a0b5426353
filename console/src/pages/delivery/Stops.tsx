import { useState } from 'react';
import {
  type DeliveryDetail,
  type DetailStop,
  type FullPlace,
  useTrackingLinks,
} from '../../data/deliveries.ts';
import { formatPhone } from '../../formats.ts';
import { useIsOperator } from '../../session.tsx';
import { isOverLetter } from '../../statuses.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Copy, Money, TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';
import { ConcludeDialog } from './Actions.tsx';

/** Where it goes, in order, and what is done of it. */
export function Stops({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  return (
    <ol className="stops">
      <li>
        <span
          className="stop-mark pickup"
          aria-hidden="true"
          style={{ background: `var(--state-${delivery.status.toLowerCase()})` }}
        >
          {delivery.status}
        </span>
        <div>
          <p className="stop-title">
            <strong>{t('Partida', 'Pickup')}</strong> <PlaceText place={delivery.partida} />
          </p>
          {delivery.chegou_em && (
            <p className="soft">
              {t('Condutor chegou ', 'Driver arrived ')}
              <TimeAgo at={delivery.chegou_em} />
            </p>
          )}
        </div>
      </li>
      {delivery.paradas.map((stop) => (
        <Stop key={stop.id} delivery={delivery} stop={stop} />
      ))}
      {delivery.com_retorno && (
        <li>
          <span className="stop-mark pickup" aria-hidden="true">
            <Icon shape="back" />
          </span>
          <p className="stop-title">{t('Retorno à partida', 'Return to the pickup')}</p>
        </li>
      )}
    </ol>
  );
}

function Stop({ delivery, stop }: { delivery: DeliveryDetail; stop: DetailStop }) {
  const t = useWords();
  const isOperator = useIsOperator();
  const link = useTrackingLinks(delivery.id).data?.find(({ parada_id }) => parada_id === stop.id);
  const [asking, setAsking] = useState(false);
  const mayConclude =
    isOperator && delivery.status === 'E' && !delivery.agrupada_em && stop.concluida_em === null;
  return (
    <li className={stop.concluida_em ? 'done' : undefined}>
      <span className="stop-mark stop" aria-hidden="true">
        {stop.ordem + 1}
      </span>
      <div>
        <p className="stop-title">
          <span className="unseen">{t('Parada ', 'Stop ')}</span>
          <PlaceText place={stop} />
        </p>
        <p className="soft">
          {[
            stop.nome_cliente,
            stop.telefone_cliente && formatPhone(stop.telefone_cliente),
            stop.numero_pedido && `${t('pedido', 'order')} ${stop.numero_pedido}`,
            stop.pedida_com !== delivery.id && `${t('da entrega', 'of delivery')} ${stop.pedida_com}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {stop.observacao && <p>{stop.observacao}</p>}
        {stop.valor_cobrar && (
          <p>
            {t('Cobrar ', 'Collect ')}
            <Money value={stop.valor_cobrar} />
          </p>
        )}
        {stop.concluida_em && (
          <p>
            <Icon shape="yes" /> {t('Concluída ', 'Concluded ')}
            <TimeAgo at={stop.concluida_em} />
          </p>
        )}
        <div className="actions">
          {link && (
            <>
              <a href={link.link_rastreio} target="_blank" rel="noreferrer">
                {t('Página de rastreio', 'Tracking page')}
              </a>
              <Copy text={link.link_rastreio} label={t('Copiar link', 'Copy link')} />
            </>
          )}
          {link && link.codigo_confirmacao !== null && !isOverLetter(delivery.status) && (
            <span>
              {t('Código ', 'Code ')}
              <strong>{String(link.codigo_confirmacao).padStart(4, '0')}</strong>
            </span>
          )}
          {mayConclude && (
            <button type="button" onClick={() => setAsking(true)}>
              {t('Concluir parada', 'Conclude stop')}
            </button>
          )}
        </div>
      </div>
      {asking && <ConcludeDialog delivery={delivery} stop={stop} onClose={() => setAsking(false)} />}
    </li>
  );
}

function PlaceText({ place }: { place: FullPlace }) {
  return (
    <>
      {place.endereco}
      {place.complemento && `, ${place.complemento}`}
      <span className="soft">
        {' '}
        {[place.bairro, place.cidade, place.referencia].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}
