import type { Central } from '../centrals/central.ts';
import { acceptDelivery } from '../deliveries/acceptDelivery.ts';
import { refuseDelivery } from '../deliveries/refuseDelivery.ts';
import { secondsBetween } from '../kernel/clock.ts';
import { actAsDriver } from './actAs.ts';
import { attempt, type CourierNeeds } from './courierNeeds.ts';
import { findOpenOffers, type OpenOffer } from './courierStore.ts';
import { simulatedSeconds, type Time } from './nextAct.ts';
import { pauseSeconds } from './pauses.ts';

/** Couriers answer what they are offered, each after a moment's thought. */
export async function answerOffers(needs: CourierNeeds, central: Central, time: Time): Promise<void> {
  const declined = new Set<number>();
  for (const offer of await findOpenOffers(needs.db, central.id)) {
    const script = needs.readScript(offer.note);
    if (script === 'no_driver' || !isThoughtOver(offer, time)) continue;
    const { deliveryId, driverId } = offer;
    const driver = actAsDriver(central, driverId);
    const isFirst = !offer.wasDeclined && !declined.has(deliveryId);
    await attempt(needs, { centralId: central.id, driverId, deliveryId }, async () => {
      if (script === 'refusal' && isFirst) {
        declined.add(deliveryId);
        await refuseDelivery(needs, driver, deliveryId, driverId);
      } else await acceptDelivery(needs, driver, deliveryId, driverId);
    });
  }
}

/** However slow time runs, an offer is answered before half of its time is over. */
function isThoughtOver({ id, offeredAt, expiresAt }: OpenOffer, time: Time): boolean {
  if (simulatedSeconds(offeredAt, time) >= pauseSeconds('answering', id)) return true;
  return (
    expiresAt !== null && secondsBetween(offeredAt, time.now) >= secondsBetween(offeredAt, expiresAt) / 2
  );
}
