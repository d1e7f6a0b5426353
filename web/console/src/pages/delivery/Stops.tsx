import { useState } from 'react';
import { formatPhone } from '../../../../shared/formats.ts';
import { isOverLetter } from '../../../../shared/statuses.ts';
import { useWords } from '../../../../shared/words.ts';
import {
  type DeliveryDetail,
  type DetailStop,
  type FullPlace,
  useTrackingLinks,
} from '../../data/deliveries.ts';
import { useMay } from '../../session.tsx';
import { useStopDemandWords } from '../../ui/DemandTexts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Lasting } from '../../ui/Lasting.tsx';
import { Copy, Money, TimeAgo } from '../../ui/texts.tsx';
import { ConcludeDialog } from './ConcludeDialog.tsx';
import { Attempts, FailDialog, FailedStopActions } from './FailedStop.tsx';
import { Proof } from './Proof.tsx';

/** The pickup and the stops in order, with their states. */
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
          {t('C', 'P')}
        </span>
        <div>
          <p className="stop-title">
            <strong>{t('Coleta', 'Pickup')}</strong> <PlaceText place={delivery.partida} />
          </p>
          {delivery.chegou_em && (
            <p className="soft">
              {t('Entregador chegou ', 'Driver arrived ')}
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
          <p className="stop-title">
            {t('Retorno à coleta', 'Return to the pickup')}
            {delivery.retorno_por_falha && (
              <span className="soft">
                {' '}
                {t('leva de volta o que não foi entregue', 'brings back what was not delivered')}
              </span>
            )}
          </p>
        </li>
      )}
    </ol>
  );
}

function Stop({ delivery, stop }: { delivery: DeliveryDetail; stop: DetailStop }) {
  const t = useWords();
  const mayDrive = useMay('drive');
  const demands = useStopDemandWords()(stop.exigencias);
  const link = useTrackingLinks(delivery.id).data?.find(({ parada_id }) => parada_id === stop.id);
  const [asking, setAsking] = useState<'conclude' | 'fail' | null>(null);
  const isOpen = stop.concluida_em === null && stop.nao_entregue_em === null;
  const mayConclude = mayDrive && delivery.status === 'E' && !delivery.agrupada_em && isOpen;
  return (
    <li className={isOpen ? undefined : 'done'}>
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
        {demands && <p>{demands}</p>}
        {stop.observacao && <p>{stop.observacao}</p>}
        {stop.valor_cobrar && (
          <p>
            {t('Cobrar ', 'Collect ')}
            <Money value={stop.valor_cobrar} />
          </p>
        )}
        <Attempts stop={stop} />
        {stop.concluida_em && (
          <p>
            <Icon shape="yes" /> {t('Concluída ', 'Concluded ')}
            <TimeAgo at={stop.concluida_em} />
            {stop.concluida_por && stop.concluida_por.id !== delivery.condutor?.id && (
              <span className="soft">
                {' '}
                {t('por', 'by')} {stop.concluida_por.nome}
              </span>
            )}
          </p>
        )}
        {stop.previsao && (
          <p className="expected">
            {t('Chega às ', 'Arrives at ')}
            <strong>
              <TimeAgo at={stop.previsao} />
            </strong>
          </p>
        )}
        {needsSomebody(stop) && (
          <FailedStopActions
            failure={{
              id_mch: delivery.agrupada_em ?? delivery.id,
              parada_id: stop.id,
              endereco: stop.endereco,
              status: delivery.status,
            }}
          />
        )}
        <Proof stop={stop} />
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
            <>
              <button type="button" onClick={() => setAsking('conclude')}>
                {t('Concluir parada', 'Conclude stop')}
              </button>
              <button type="button" onClick={() => setAsking('fail')}>
                {t('Não entregue', 'Not delivered')}
              </button>
            </>
          )}
        </div>
      </div>
      {asking && (
        <Lasting onClose={() => setAsking(null)}>
          {(close) =>
            asking === 'conclude' ? (
              <ConcludeDialog delivery={delivery} stop={stop} onClose={close} />
            ) : (
              <FailDialog delivery={delivery} stop={stop} onClose={close} />
            )
          }
        </Lasting>
      )}
    </li>
  );
}

/** Whether a failed stop has not been reopened, ordered again or resolved otherwise. */
const needsSomebody = ({ nao_entregue_em, tentativas }: DetailStop): boolean =>
  nao_entregue_em !== null &&
  tentativas.some(
    ({ decisao, desfeita_em, resolvida_em }) =>
      decisao !== 'tentar_depois' && desfeita_em === null && resolvida_em === null,
  );

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
