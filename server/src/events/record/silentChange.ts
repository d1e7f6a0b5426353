import type { Tx } from '../../platform/postgres/database.ts';
import { EVENTS_CHANNEL } from '../../platform/postgres/listen.ts';

/**
 * A change of a delivery without an event: it concerns neither the driver nor integrators, but clients that show the
 * delivery read it again. It is not stored; a reader that was disconnected reads everything again.
 */
export interface SilentChange {
  centralId: number;
  deliveryId: number;
  companyId: number | null;
}

/** Uses the channel of events, because each channel needs a connection. */
export const announceSilentChange = (tx: Tx, { centralId, deliveryId, companyId }: SilentChange): void =>
  tx.notify(EVENTS_CHANNEL, `changed ${centralId} ${deliveryId} ${companyId ?? '-'}`);

const MESSAGE = /^changed (\d{1,16}) (\d{1,16}) (\d{1,16}|-)$/;

export function parseSilentChange(message: string): SilentChange | undefined {
  const [, centralId, deliveryId, companyId] = MESSAGE.exec(message) ?? [];
  if (centralId === undefined) return undefined;
  return {
    centralId: Number(centralId),
    deliveryId: Number(deliveryId),
    companyId: companyId === '-' ? null : Number(companyId),
  };
}
