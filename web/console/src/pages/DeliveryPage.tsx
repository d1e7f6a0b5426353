import { MapView } from '../../../shared/map/MapView.tsx';
import { useWords } from '../../../shared/words.ts';
import {
  type DeliveryDetail,
  type DriverAtWork,
  useDeliveryDetail,
  usePositions,
  useRoute,
} from '../data/deliveries.ts';
import { Link, usePlace } from '../router.tsx';
import { StatusBadge } from '../ui/badges.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { TimeAgo } from '../ui/texts.tsx';
import { Actions } from './delivery/Actions.tsx';
import { DeliveryTimeline } from './delivery/DeliveryTimeline.tsx';
import { Facts } from './delivery/Facts.tsx';
import { Stops } from './delivery/Stops.tsx';
import './delivery/delivery.css';
import { initials, type MapPoint } from '../../../shared/map/mapPoint.ts';

/** All details of a delivery, updated live. */
export function DeliveryPage() {
  const t = useWords();
  const id = usePlace().path.split('/')[2] ?? '';
  const detail = useDeliveryDetail(id);
  return (
    <>
      <p className="trail">
        <Link to="/entregas">{t('Entregas', 'Deliveries')}</Link> / {id}
      </p>
      <Loaded query={detail}>{(delivery) => <DeliveryView key={delivery.id} delivery={delivery} />}</Loaded>
    </>
  );
}

function DeliveryView({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  return (
    <>
      <div className="page-head">
        <h1>
          {t('Entrega', 'Delivery')} {delivery.id}
        </h1>
        <StatusBadge status={delivery.status} />
        {delivery.atrasada && (
          <span className="late">
            ! {t('etapa atrasada, prevista para ', 'step late, due at ')}
            <TimeAgo at={delivery.previsao} />
          </span>
        )}
        <Actions delivery={delivery} />
      </div>
      <Relations delivery={delivery} />
      <div className="delivery-columns">
        <div className="delivery-main">
          <section aria-labelledby="stops">
            <h2 id="stops">{t('Coleta e paradas', 'Pickup and stops')}</h2>
            <Stops delivery={delivery} />
          </section>
          <section aria-labelledby="story">
            <h2 id="story">{t('Histórico', 'History')}</h2>
            <DeliveryTimeline delivery={delivery} />
          </section>
        </div>
        <div className="delivery-side">
          <DeliveryMap delivery={delivery} />
          <Facts delivery={delivery} />
        </div>
      </div>
    </>
  );
}

/** Dismissal, hold, and links to related deliveries. */
function Relations({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  return (
    <>
      {delivery.dispensada && (
        <p className="banner">
          {t('Dispensada pela central: ', 'Dismissed by the central: ')}
          {[delivery.dispensada.motivo, delivery.dispensada.autor].filter(Boolean).join(', ')}{' '}
          <TimeAgo at={delivery.dispensada.em} />
        </p>
      )}
      {delivery.retida && (
        <p className="banner">
          {t('A central segura esta entrega: ', 'The central holds this delivery back: ')}
          {delivery.retida.motivo} <TimeAgo at={delivery.retida.em} />
        </p>
      )}
      {delivery.agrupada_em && (
        <p className="banner">
          {t('Agrupada: as paradas são levadas pela entrega ', 'Grouped: its stops are carried by delivery ')}
          <Link to={`/entregas/${delivery.agrupada_em}`}>{delivery.agrupada_em}</Link>
          {t(', e o status acompanha o dela.', ', whose status it follows.')}
        </p>
      )}
      {delivery.agrupadas.length > 0 && (
        <p>
          {t('Leva também: ', 'Carries also: ')}
          {delivery.agrupadas.map((id) => (
            <Link key={id} to={`/entregas/${id}`} className="spaced">
              {id}
            </Link>
          ))}
        </p>
      )}
      {delivery.id_mch_programada && (
        <p>
          {t('Veio da programada ', 'Came from scheduled delivery ')}
          <Link to={`/programadas/${delivery.id_mch_programada}`}>{delivery.id_mch_programada}</Link>
        </p>
      )}
    </>
  );
}

function DeliveryMap({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const { data: route } = useRoute(delivery.id);
  const positions = usePositions().data ?? [];
  const carrier = delivery.agrupada_em ?? delivery.id;
  const driver = positions.find(({ entregas }) => entregas.includes(carrier));
  const points = deliveryPoints(delivery, driver, t);
  const lines = route
    ? [
        { id: 'whole', line: route.rota.linha, color: '#8a94a0' },
        ...(route.restante ? [{ id: 'left', line: route.restante.linha }] : []),
      ]
    : [];
  return (
    <MapView
      label={t('Mapa da entrega', 'Map of the delivery')}
      points={points}
      lines={lines}
      around={points}
      aroundKey={`${delivery.id} ${driver ? 'driver' : ''}`}
    />
  );
}

/** The pickup, the stops by number, and the driver. */
const deliveryPoints = (
  delivery: DeliveryDetail,
  driver: DriverAtWork | undefined,
  t: ReturnType<typeof useWords>,
): MapPoint[] => [
  {
    id: 'pickup',
    shape: 'pickup',
    letter: t('C', 'P'),
    tone: delivery.status.toLowerCase(),
    label: t(`Coleta: ${delivery.partida.endereco}`, `Pickup: ${delivery.partida.endereco}`),
    lat: delivery.partida.lat,
    lng: delivery.partida.lng,
  },
  ...delivery.paradas.map(
    (stop): MapPoint => ({
      id: stop.id,
      shape: 'stop',
      letter: String(stop.ordem + 1),
      label: `${stop.ordem + 1}. ${stop.endereco}`,
      faded: stop.concluida_em !== null || stop.nao_entregue_em !== null,
      lat: stop.lat,
      lng: stop.lng,
    }),
  ),
  ...(driver?.posicao
    ? [
        {
          id: 'driver',
          shape: 'driver',
          letter: initials(driver.nome),
          tone: delivery.status.toLowerCase(),
          label: driver.nome,
          lat: driver.posicao.lat,
          lng: driver.posicao.lng,
        } satisfies MapPoint,
      ]
    : []),
];
