/** What happened; the names that integrators see are made at the border. */
export type EventType =
  | 'delivery.status'
  | 'delivery.stop_concluded'
  | 'delivery.grouped'
  | 'delivery.position'
  | 'scheduled.changed'
  | 'scheduled.stop_removed'
  | 'scheduled.dispatched'
  | 'scheduled.cancelled'
  | 'wallet.entry';

export type EventPayload = Readonly<Record<string, unknown>>;
