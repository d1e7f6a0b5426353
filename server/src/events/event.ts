/** What happened; the names that integrators see are made at the border. */
export const EVENT_TYPES = [
  'delivery.status',
  'delivery.stop_concluded',
  'delivery.position',
  'delivery.grouped',
  'delivery.changed',
  'delivery.stop_removed',
  'scheduled.changed',
  'scheduled.stop_removed',
  'scheduled.dispatched',
  'scheduled.cancelled',
  'wallet.entry',
] as const;

/** What a webhook can be registered for, and the test that anybody may send to their own. */
export type WantedType = (typeof EVENT_TYPES)[number];
export type EventType = WantedType | 'webhook.test';

/**
 * What the one who records an event says of it. Facts about its subject are added when it is written down
 * (recordEvent.ts), so that it can be acted on without a further question. Nothing personal that the
 * integrators did not send themselves belongs in here: no documents, no phones, no recipients.
 */
export type EventPayload = Readonly<Record<string, unknown>>;

/** A stop as its orderer knows it. */
export interface ToldStop {
  id: number;
  order: number;
  orderNumber: string | null;
  externalId: string | null;
  concluded?: boolean;
}

/** Added to every event of a delivery. */
export interface DeliveryFacts {
  status: string;
  driverId: number | null;
  driverName: string | null;
  netCents: number;
  scheduledId: number | null;
  groupedInto: number | null;
  stops: readonly ToldStop[];
}

/** Added to every event of a scheduled delivery. */
export interface ScheduledFacts {
  situation: string;
  /** ISO 8601. */
  dispatchAt: string;
  netCents: number;
  deliveryId: number | null;
  groupedInto: number | null;
  stops: readonly ToldStop[];
}

/** Added to every entry of a wallet. */
export interface WalletFacts {
  balanceCents: number;
}
