import type { Caller } from '../centrals/caller.ts';
import type { Deed } from '../events/deed.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Needs } from '../postgres/needs.ts';
import { countOpenStops } from './concludeStopStore.ts';
import type { Delivery } from './delivery.ts';
import { lockForStep } from './lockForStep.ts';
import { giveBack, settleCredit, unreserve } from './reserveCredit.ts';
import { resumeNext } from './resumeNext.ts';
import { assertStep } from './status.ts';
import { markTravelled } from './stepStore.ts';
import { takeStep } from './takeStep.ts';

/**
 * The driver is back at the pickup. A delivery without return has ended with its last stop: a phone that says so
 * afterwards, or twice, changes nothing.
 */
export async function finishDelivery({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockForStep(tx, caller, id);
    if (delivery.status === 'finished') return;
    assertStep('finish', delivery.status);
    const left = await countOpenStops(tx, caller.centralId, id);
    if (left > 0) throw new Refusal('stops-not-concluded', { count: left });
    await finishLocked(tx, caller.centralId, delivery, { at: clock.now(), by: caller.userId });
  });
}

/**
 * All stops are done: the delivery ends, is paid for, and its driver goes on to the next one. The caller holds its
 * lock, and takes none but wallets' afterwards.
 */
export async function finishLocked(tx: Tx, centralId: number, delivery: Delivery, deed: Deed): Promise<void> {
  const held = await unreserve(tx, centralId, delivery.id);
  await markTravelled(tx, centralId, delivery.id, delivery.plannedMetres);
  await takeStep(tx, centralId, delivery, 'finish', deed);
  await resumeNext(tx, centralId, delivery.driverId!, deed.at);
  await giveBack(tx, centralId, held, deed);
  await settleCredit(tx, centralId, { ...delivery, reservedCents: 0 }, delivery.netCents, deed);
}
