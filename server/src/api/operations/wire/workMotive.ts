import type { LiveEvent } from '../../../events/record/liveStore.ts';

/** The reason of a change in a driver's work, as the driver's app shows it. */
export const WORK_MOTIVES = [
  'oferta',
  'oferta_encerrada',
  'entrega',
  'parada_agrupada',
  'cancelada',
  'alterada',
  'repassada',
  'disponibilidade',
  'conta',
] as const;
export type WorkMotive = (typeof WORK_MOTIVES)[number];

/**
 * The meaning of an event for a driver; null for none. An event does not name the drivers whose offers it ends, so the
 * deliveries offered to the driver before the event are given.
 */
export function workMotive(
  event: LiveEvent,
  driverId: number,
  offered: ReadonlySet<number>,
): WorkMotive | null {
  if (event.type === 'driver.availability')
    return event.payload.driverId === driverId ? 'disponibilidade' : null;
  if (event.type === 'driver.entry') return event.payload.driverId === driverId ? 'conta' : null;
  const isOffered = event.deliveryId !== null && offered.has(event.deliveryId);
  switch (event.type) {
    case 'delivery.status': {
      const { status, offeredTo, previousDriverId } = event.payload;
      if (status === 'offered' && [offeredTo].flat().includes(driverId)) return 'oferta';
      if (event.payload.driverId === driverId) return status === 'cancelled' ? 'cancelada' : 'entrega';
      if (previousDriverId === driverId) return 'alterada';
      return isOffered ? 'oferta_encerrada' : null;
    }
    case 'delivery.stop_arrived':
    case 'delivery.stop_concluded':
    case 'delivery.stop_failed':
      return event.payload.driverId === driverId ? 'entrega' : null;
    case 'delivery.stop_reopened':
      return event.payload.driverId === driverId ? 'alterada' : null;
    case 'delivery.grouped':
      if (event.payload.driverId !== driverId) return null;
      return event.payload.left?.length ? 'alterada' : 'parada_agrupada';
    case 'delivery.driver_changed':
      if (event.payload.driverId === driverId) return 'entrega';
      return event.payload.previousDriverId === driverId ? 'repassada' : null;
    case 'delivery.changed':
    case 'delivery.stop_removed':
      return event.payload.driverId === driverId || isOffered ? 'alterada' : null;
    case 'delivery.position':
    case 'delivery.proof_received':
    case 'driver.help':
    case 'scheduled.cancelled':
    case 'scheduled.changed':
    case 'scheduled.dispatched':
    case 'scheduled.stop_removed':
    case 'wallet.entry':
    case 'webhook.test':
      return null;
  }
}
