import type { EventType, WantedType } from '../../events/event.ts';

/** The names that integrators know events by. */
export const eventTypeName = {
  'delivery.status': 'entrega.status',
  'delivery.stop_concluded': 'entrega.parada_concluida',
  'delivery.position': 'entrega.posicao',
  'delivery.grouped': 'entrega.agrupada',
  'delivery.changed': 'entrega.alterada',
  'delivery.stop_removed': 'entrega.parada_removida',
  'scheduled.changed': 'programada.alterada',
  'scheduled.stop_removed': 'programada.parada_removida',
  'scheduled.dispatched': 'programada.disparada',
  'scheduled.cancelled': 'programada.cancelada',
  'wallet.entry': 'credito.lancado',
  'webhook.test': 'webhook.teste',
} as const satisfies Record<EventType, string>;

export type EventTypeName = (typeof eventTypeName)[EventType];

/** Those that a webhook can be registered for. */
export type WantedTypeName = (typeof eventTypeName)[WantedType];

export const eventTypeByName = Object.fromEntries(
  Object.entries(eventTypeName)
    .filter(([type]) => type !== 'webhook.test')
    .map(([type, name]) => [name, type]),
) as Record<WantedTypeName, WantedType>;

export const WANTED_TYPE_NAMES = Object.keys(eventTypeByName) as WantedTypeName[];
