import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';

/** The reassignment of a carried delivery to another driver by an operator. */
export interface Handover {
  deliveryId: number;
  fromDriverId: number;
  toDriverId: number;
  /** The operator's text, visible to the central only. */
  reason: string;
}

export async function insertHandover(
  tx: Tx,
  centralId: number,
  { deliveryId, fromDriverId, toDriverId, reason }: Handover,
  { at, by }: { at: Temporal.Instant; by: number | null },
): Promise<void> {
  const id = await newId(tx, centralId, 'handover');
  await tx`
    insert into handovers
      (central_id, id, delivery_id, from_driver_id, to_driver_id, reason, handed_over_at, user_id)
    values (${centralId}, ${id}, ${deliveryId}, ${fromDriverId}, ${toDriverId}, ${reason}, ${at}, ${by})`;
}

/** Whether the driver carried the delivery until an operator reassigned it. */
export async function wasHandedOver(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
): Promise<boolean> {
  const rows = await tx`
    select 1 from handovers
    where central_id = ${centralId} and delivery_id = ${deliveryId} and from_driver_id = ${driverId} limit 1`;
  return rows.length > 0;
}

/** Removes operators' texts, which may name people. */
export async function removeReasonsOfHandovers(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx`
    update handovers set reason = ''
    where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[])`;
}
