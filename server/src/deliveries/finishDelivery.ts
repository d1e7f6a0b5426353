import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { countOpenStops } from './concludeStopStore.ts';
import { lockForStep } from './lockForStep.ts';
import { giveBack, settleCredit, unreserve } from './reserveCredit.ts';
import { resumeNext } from './resumeNext.ts';
import { assertStep } from './status.ts';
import { markTravelled } from './stepStore.ts';
import { takeStep } from './takeStep.ts';

/** All stops are done: the delivery ends, is paid for, and its driver goes on to the next one. */
export async function finishDelivery({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const now = clock.now();
    const deed = { at: now, by: caller.userId };
    const delivery = await lockForStep(tx, caller, id);
    assertStep('finish', delivery.status);
    const left = await countOpenStops(tx, centralId, id);
    if (left > 0) throw new Refusal('stops-not-concluded', { count: left });

    const held = await unreserve(tx, centralId, id);
    await markTravelled(tx, centralId, id, delivery.plannedMetres);
    await takeStep(tx, centralId, delivery, 'finish', deed);
    await resumeNext(tx, centralId, delivery.driverId!, now);
    await giveBack(tx, centralId, held, deed);
    await settleCredit(tx, centralId, { ...delivery, reservedCents: 0 }, delivery.netCents, deed);
  });
}
