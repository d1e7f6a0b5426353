import type { Caller } from '../../centrals/caller.ts';
import { type Outcome, outcomeOf } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Db, Tx } from '../../platform/postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { findSomeDeliveries, lockSomeDeliveries } from './deliveryStore.ts';
import { assertUngrouped } from './takeSteps.ts';

export const NONE_REFUSED: ReadonlyMap<number, Refusal> = new Map();

interface ManySteps {
  /** Throws why a delivery may not change so. */
  assertReady: (delivery: Delivery) => void;
  /**
   * Whether the change concerns more than the delivery itself, such as its driver. It is then made by `alone`, in a
   * transaction of its own, because the locks of drivers come before those of deliveries on hold.
   */
  isApart?: (delivery: Delivery) => boolean;
  alone?: (db: Db, id: number) => Promise<void>;
  /** Changes deliveries that are locked and ready; returns which are refused all the same. */
  together: (tx: Tx, deliveries: readonly Delivery[]) => Promise<ReadonlyMap<number, Refusal>>;
}

/**
 * Changes several deliveries of the caller's scope; returns what became of each, in the order of `ids`, which
 * are distinct. All that concern only themselves change in one transaction. Deliveries that are not ready are not
 * locked: one on hold would be locked before its driver.
 */
export async function changeMany(
  { db }: { db: Db },
  caller: Caller,
  ids: readonly number[],
  { assertReady, isApart = () => false, alone, together }: ManySteps,
): Promise<Outcome<null>[]> {
  const outcomes = new Map<number, Outcome<null>>();
  await retryOnConflict(async () => {
    const undecided = ids.filter((id) => !outcomes.has(id));
    const ready: number[] = [];
    for (const delivery of await findSomeDeliveries(db, caller, undecided)) {
      const refusal = refusalOf(assertReady, delivery);
      if (refusal) outcomes.set(delivery.id, { error: refusal });
      else if (isApart(delivery) && alone) {
        const taken = alone(db.with({ begin: db.beginIndependent }), delivery.id);
        outcomes.set(delivery.id, await outcomeOf(taken.then(() => null)));
      } else ready.push(delivery.id);
    }
    if (ready.length === 0) return;
    const refused = await db.begin(async (tx) => {
      const locked = await lockSomeDeliveries(tx, caller, ready);
      const isReady = (delivery: Delivery) => !refusalOf(assertReady, delivery) && !isApart(delivery);
      if (locked.length < ready.length || !locked.every(isReady)) throw new ChangedMeanwhile();
      return together(tx, locked);
    });
    for (const id of ready) {
      const refusal = refused.get(id);
      outcomes.set(id, refusal ? { error: refusal } : { value: null });
    }
  });
  return ids.map((id) => outcomes.get(id) ?? { error: new Refusal('delivery-not-found') });
}

function refusalOf(assertReady: ManySteps['assertReady'], delivery: Delivery): Refusal | null {
  try {
    assertUngrouped(delivery);
    assertReady(delivery);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
