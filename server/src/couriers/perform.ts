import type { Central } from '../centrals/central.ts';
import { arriveAtPickup } from '../deliveries/arriveAtPickup.ts';
import { cancelDelivery } from '../deliveries/cancelDelivery.ts';
import { concludeStop, NO_PROOF } from '../deliveries/concludeStop.ts';
import { isLocked } from '../deliveries/confirmation.ts';
import { finishDelivery } from '../deliveries/finishDelivery.ts';
import { giveUpDelivery } from '../deliveries/giveUpDelivery.ts';
import { startDelivery } from '../deliveries/startDelivery.ts';
import { giveConfirmationCode } from '../tracking/confirmationCodeStore.ts';
import { actAsDriver, actAsOperator } from './actAs.ts';
import type { NextStop } from './courier.ts';
import type { CourierNeeds } from './courierNeeds.ts';
import type { Act } from './nextAct.ts';

/** All that changes a delivery; driving and waiting do not. */
export type Step = Exclude<Act, { kind: 'drive' | 'wait' }>;

/** Takes a step by the command that a driver's phone or an operator would call. */
export async function perform(
  needs: CourierNeeds,
  central: Central,
  { driverId, deliveryId }: { driverId: number; deliveryId: number },
  step: Step,
): Promise<void> {
  const driver = actAsDriver(central, driverId);
  switch (step.kind) {
    case 'arrive':
      return arriveAtPickup(needs, driver, deliveryId);
    case 'start':
      return startDelivery(needs, driver, deliveryId);
    case 'finish':
      return finishDelivery(needs, driver, deliveryId);
    case 'giveUp':
      return giveUpDelivery(needs, driver, deliveryId);
    case 'cancel':
      return cancelDelivery(needs, actAsOperator(central), deliveryId, step.reasonId);
    case 'conclude':
      return conclude(needs, central, driverId, deliveryId, step.stop);
  }
}

/** The recipient tells the code, as far as codes are asked for; a stop locked by wrong ones is the operator's. */
async function conclude(
  needs: CourierNeeds,
  central: Central,
  driverId: number,
  deliveryId: number,
  stop: NextStop,
): Promise<void> {
  if (!central.settings.confirmationCode) {
    await concludeStop(needs, actAsDriver(central, driverId), deliveryId, stop.id, NO_PROOF);
  } else if (isLocked(stop.wrongCodes)) {
    await concludeStop(needs, actAsOperator(central), deliveryId, stop.id, {
      code: null,
      withoutCodeReason: needs.lockedStopReason,
    });
  } else {
    const code =
      stop.code ?? (await needs.db.beginAside((tx) => giveConfirmationCode(tx, central.id, stop.id)));
    await concludeStop(needs, actAsDriver(central, driverId), deliveryId, stop.id, {
      code: code ?? null,
      withoutCodeReason: null,
    });
  }
}
