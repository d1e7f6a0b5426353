import type { PushMessage } from '../push/pushStore.ts';

const kindName = {
  offer: 'oferta',
  cancellation: 'cancelada',
  received: 'recebida',
  taken_away: 'repassada',
  change: 'alterada',
} as const satisfies Record<PushMessage['kind'], string>;

/** What a phone is told: enough to wake and read its work, and nothing about anybody. */
export const formatPush = ({ kind, deliveryId }: PushMessage) => ({
  tipo: kindName[kind],
  id_mch: String(deliveryId),
});
