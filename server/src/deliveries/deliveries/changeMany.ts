import type { Caller } from '../../centrals/caller.ts';
import { type Outcome, outcomeOf } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Db, Tx } from '../../platform/postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { findSomeDeliveries, lockSomeDeliveries } from './deliveryStore.ts';
import { assertStep, type StepName } from './status.ts';
import { assertUngrouped } from './takeSteps.ts';

export const NONE_REFUSED: ReadonlyMap<number, Refusal> = new Map();

interface ManySteps {
  step: StepName;
  /**
   * Whether the step concerns more than the delivery itself, such as its driver. It is then taken by `alone`, in a
   * transaction of its own, because the locks of drivers come before those of deliveries on hold.
   */
  isApart?: (delivery: Delivery) => boolean;
  alone?: (db: Db, id: number) => Promise<void>;
  /** Takes the step for deliveries that are locked and may take it; returns which are refused all the same. */
  together: (tx: Tx, deliveries: readonly Delivery[]) => Promise<ReadonlyMap<number, Refusal>>;
}

/**
 * Takes a step for several deliveries of the caller's scope; returns what became of each, in the order of `ids`, which
 * are distinct. All that concern only themselves change in one transaction. Deliveries that may not take the step are not
 * locked: one on hold would be locked before its driver.
 */
export async function changeMany(
  { db }: { db: Db },
  caller: Caller,
  ids: readonly number[],
  { step, isApart = () => false, alone, together }: ManySteps,
): Promise<Outcome<null>[]> {
  const outcomes = new Map<number, Outcome<null>>();
  await retryOnConflict(async () => {
    const undecided = ids.filter((id) => !outcomes.has(id));
    const ready: number[] = [];
    for (const delivery of await findSomeDeliveries(db, caller, undecided)) {
      const refusal = refusalOf(step, delivery);
      if (refusal) outcomes.set(delivery.id, { error: refusal });
      else if (isApart(delivery) && alone) {
        const taken = alone(db.with({ begin: db.beginIndependent }), delivery.id);
        outcomes.set(delivery.id, await outcomeOf(taken.then(() => null)));
      } else ready.push(delivery.id);
    }
    if (ready.length === 0) return;
    const refused = await db.begin(async (tx) => {
      const locked = await lockSomeDeliveries(tx, caller, ready);
      const isReady = (delivery: Delivery) => !refusalOf(step, delivery) && !isApart(delivery);
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

function refusalOf(step: StepName, delivery: Delivery): Refusal | null {
  try {
    assertUngrouped(delivery);
    assertStep(step, delivery.status);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
