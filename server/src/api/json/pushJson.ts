import type { PushMessage } from '../../events/push/pushStore.ts';

const kindName = {
  offer: 'oferta',
  cancellation: 'cancelada',
  received: 'recebida',
  taken_away: 'repassada',
  change: 'alterada',
} as const satisfies Record<PushMessage['kind'], string>;

/** The payload of a push message: enough to wake and read the work, without personal data. */
export const formatPush = ({ kind, deliveryId }: PushMessage) => ({
  tipo: kindName[kind],
  id_mch: String(deliveryId),
});
