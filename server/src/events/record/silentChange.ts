import type { Tx } from '../postgres/database.ts';
import { EVENTS_CHANNEL } from '../postgres/listen.ts';

/**
 * A change of a delivery without an event: it concerns neither the driver nor integrators, but clients that show the
 * delivery read it again. It is not stored; a reader that was disconnected reads everything again.
 */
export interface Touched {
  centralId: number;
  deliveryId: number;
  companyId: number | null;
}

/** Uses the channel of events, because each channel needs a connection. */
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
