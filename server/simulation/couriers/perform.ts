import type { Caller } from '../../src/centrals/caller.ts';
import type { Central } from '../../src/centrals/central.ts';
import { acceptDelivery } from '../../src/deliveries/deliveries/acceptDelivery.ts';
import { cancelDelivery } from '../../src/deliveries/deliveries/cancelDelivery.ts';
import { concludeStop, isLocked, NO_PROOF } from '../../src/deliveries/deliveries/concludeStop.ts';
import { failStop } from '../../src/deliveries/deliveries/failStop.ts';
import {
  arriveAtPickup,
  finishDelivery,
  giveUpDelivery,
  refuseDelivery,
  startDelivery,
} from '../../src/deliveries/deliveries/steps.ts';
import { giveConfirmationCode } from '../../src/deliveries/orders/stopStore.ts';
import { secondsBetween } from '../../src/platform/kernel/clock.ts';
import { Refusal, type RefusalKind } from '../../src/platform/kernel/refusal.ts';
import { attempt, type CourierDeps, type NextStop, pauseSeconds } from './courier.ts';
import { findOpenOffers, type OpenOffer } from './courierStore.ts';
import { type Act, simulatedSeconds, type Time } from './journey.ts';

/** A courier has no login; it may do what its driver's login may, and nothing else. */
const actAsDriver = (central: Central, driverId: number): Caller => ({
  central,
  centralId: central.id,
  companyId: null,
  userId: null,
  role: 'driver',
  driverId,
});

/** For decisions that only the central makes about a courier's delivery. */
const actAsOperator = (central: Central): Caller => ({
  central,
  centralId: central.id,
  companyId: null,
  userId: null,
  role: 'operator',
  driverId: null,
});

/** Couriers answer their offers, each after a short pause. */
export async function answerOffers(deps: CourierDeps, central: Central, time: Time): Promise<void> {
  const declined = new Set<number>();
  for (const offer of await findOpenOffers(deps.db, central.id)) {
    const script = deps.readScript(offer.note);
    if (script === 'no_driver' || !isThoughtOver(offer, time)) continue;
    const { deliveryId, driverId } = offer;
    const driver = actAsDriver(central, driverId);
    const isFirst = !offer.wasDeclined && !declined.has(deliveryId);
    await attempt(deps, { centralId: central.id, driverId, deliveryId }, async () => {
      if (script === 'refusal' && isFirst) {
        declined.add(deliveryId);
        await refuseDelivery(deps, driver, deliveryId, driverId);
      } else await acceptDelivery(deps, driver, deliveryId, driverId);
    });
  }
}

/** Even in a slow simulation, an offer is answered before half of its time is over. */
function isThoughtOver({ id, offeredAt, expiresAt }: OpenOffer, time: Time): boolean {
  if (simulatedSeconds(offeredAt, time) >= pauseSeconds('answering', id)) return true;
  return (
    expiresAt !== null && secondsBetween(offeredAt, time.now) >= secondsBetween(offeredAt, expiresAt) / 2
  );
}

/** The actions that change a delivery; driving and waiting do not. */
export type Step = Exclude<Act, { kind: 'drive' | 'wait' }>;

/** Takes a step through the command that a driver's phone or an operator would call. */
export async function perform(
  deps: CourierDeps,
  central: Central,
  { driverId, deliveryId }: { driverId: number; deliveryId: number },
  step: Step,
): Promise<void> {
  const driver = actAsDriver(central, driverId);
  switch (step.kind) {
    case 'arrive':
      return arriveAtPickup(deps, driver, deliveryId);
    case 'start':
      return startDelivery(deps, driver, deliveryId);
    case 'finish':
      return finishDelivery(deps, driver, deliveryId);
    case 'giveUp':
      return giveUpDelivery(deps, driver, deliveryId);
    case 'cancel':
      return cancelDelivery(deps, actAsOperator(central), deliveryId, step.reasonId);
    case 'fail': {
      const failure = { reason: 'absent', note: deps.failureNote } as const;
      await failStop(deps, driver, deliveryId, step.stop.id, failure);
      return;
    }
    case 'conclude':
      return conclude(deps, central, driverId, deliveryId, step.stop);
  }
}

/**
 * Concludes a stop with the recipient's code where one is required. The operator concludes a stop that is locked by
 * wrong codes, or that requires proof, which a simulation cannot give.
 */
async function conclude(
  deps: CourierDeps,
  central: Central,
  driverId: number,
  deliveryId: number,
  stop: NextStop,
): Promise<void> {
  const override = { ...NO_PROOF, withoutCodeReason: deps.lockedStopReason };
  const concludeByOperator = () => concludeStop(deps, actAsOperator(central), deliveryId, stop.id, override);
  const { confirmationCode } = central.settings;
  if (confirmationCode && isLocked(stop.wrongCodes)) return void (await concludeByOperator());
  const code = confirmationCode
    ? (stop.code ?? (await deps.db.beginIndependent((tx) => giveConfirmationCode(tx, central.id, stop.id))))
    : null;
  const proof = { ...NO_PROOF, code: code ?? null };
  try {
    await concludeStop(deps, actAsDriver(central, driverId), deliveryId, stop.id, proof);
  } catch (error) {
    if (!(error instanceof Refusal && MISSING_PROOF.includes(error.kind))) throw error;
    await concludeByOperator();
  }
}

const MISSING_PROOF: readonly RefusalKind[] = [
  'proof-photo-missing',
  'proof-signature-missing',
  'proof-name-missing',
  'proof-amount-missing',
];
