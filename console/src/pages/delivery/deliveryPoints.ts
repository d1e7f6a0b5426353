import type { DeliveryDetail } from '../../data/deliveries.ts';
import type { DriverAtWork } from '../../data/positions.ts';
import { initials, type MapPoint } from '../../ui/map/mapPoint.ts';

/** The pickup, the stops by number, and the driver. */
export const deliveryPoints = (delivery: DeliveryDetail, driver: DriverAtWork | undefined): MapPoint[] => [
  {
    id: 'pickup',
    shape: 'pickup',
    letter: delivery.status,
    tone: delivery.status.toLowerCase(),
    label: delivery.partida.endereco,
    lat: delivery.partida.lat,
    lng: delivery.partida.lng,
  },
  ...delivery.paradas.map(
    (stop): MapPoint => ({
      id: stop.id,
      shape: 'stop',
      letter: String(stop.ordem + 1),
      label: `${stop.ordem + 1}. ${stop.endereco}`,
      faded: stop.concluida_em !== null,
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
