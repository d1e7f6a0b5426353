import type { Tx } from '../postgres/database.ts';
import { EVENTS_CHANNEL } from '../postgres/listen.ts';

/**
 * A change of a delivery that is no event: it concerns neither the driver nor integrators, but whoever shows the
 * delivery reads it again. Nothing of it is kept; a reader that was away reads everything again.
 */
export interface Touched {
  centralId: number;
  deliveryId: number;
  companyId: number | null;
}

/** On the channel of events, because each channel takes a connection. */
export const announceTouched = (tx: Tx, { centralId, deliveryId, companyId }: Touched): void =>
  tx.notify(EVENTS_CHANNEL, `touched ${centralId} ${deliveryId} ${companyId ?? '-'}`);

const MESSAGE = /^touched (\d{1,16}) (\d{1,16}) (\d{1,16}|-)$/;

export function parseTouched(message: string): Touched | undefined {
  const [, centralId, deliveryId, companyId] = MESSAGE.exec(message) ?? [];
  if (centralId === undefined) return undefined;
  return {
    centralId: Number(centralId),
    deliveryId: Number(deliveryId),
    companyId: companyId === '-' ? null : Number(companyId),
  };
}
