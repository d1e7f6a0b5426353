import type { Payment } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';

/** The recorded receiver and collected amount. */
export interface Received {
  by: string | null;
  cents: number | null;
  payment: Payment | null;
}

/** The caller holds the lock of the delivery that carries the stop. */
export async function markStopReceived(
  tx: Tx,
  centralId: number,
  stopId: number,
  { by, cents, payment }: Received,
): Promise<void> {
  await tx.defer`
    update stops set received_by = ${by}, received_cents = ${cents}, received_payment = ${payment}
    where central_id = ${centralId} and id = ${stopId}`;
}
