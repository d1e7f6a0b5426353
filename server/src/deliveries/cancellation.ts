import { type Scope, wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { ChangedMeanwhile } from '../kernel/retryOnConflict.ts';
import type { Tx } from '../postgres/database.ts';
import { isConcluded } from '../requests/request.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery } from './deliveryStore.ts';
import { priceOfDone } from './priceOfDone.ts';
import { isOver } from './status.ts';
import { planStopDeparture, type StopDeparture } from './stopDeparture.ts';

/** What it takes to cancel a delivery, as far as the router must be asked for it. */
export interface Cancellation {
  /** As it was when this was planned. */
  delivery: Delivery;
  /** Of one that was grouped: the delivery that carries its stops, without those that are not concluded. */
  departure: StopDeparture | null;
  /**
   * The price of what was carried out, null when nothing was. Of one that was grouped nothing either: its concluded
   * stops stay with the delivery that carries them, and are paid for there.
   */
  doneCents: number | null;
}

/** Asks the router, so it runs before any lock is taken. */
export async function planCancellation(
  deps: EstimateDeps,
  central: Central,
  delivery: Delivery,
): Promise<Cancellation> {
  if (delivery.groupedInto === null || isOver(delivery.status))
    return {
      delivery,
      departure: null,
      doneCents: delivery.status === 'in_progress' ? await priceOfDone(deps, central, delivery) : null,
    };
  const carrier = await findDelivery(deps.db, wholeCentral(central.id), delivery.groupedInto);
  const departure = await planStopDeparture(
    deps,
    central,
    carrier,
    (stop) => stop.orderedWith === delivery.id && !isConcluded(stop),
    { optimise: true },
  );
  return { delivery, departure, doneCents: null };
}

/**
 * Locks the delivery, after the one that carries its stops, as every step and grouping does; throws ChangedMeanwhile
 * unless both are what was planned with. Concluding a stop, grouping, and every step raise the version.
 */
export async function lockCancelled(
  tx: Tx,
  scope: Scope,
  { delivery, departure }: Cancellation,
): Promise<void> {
  const planned = departure ? [departure.carrier, delivery] : [delivery];
  for (const { id, version } of planned)
    if ((await lockDelivery(tx, scope, id)).version !== version) throw new ChangedMeanwhile();
}
