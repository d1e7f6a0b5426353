import type { Caller } from '../../centrals/caller.ts';
import type { Outcome } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { moveWindows } from '../orders/demandStore.ts';
import { changeMany, NONE_REFUSED } from './changeMany.ts';
import { raiseVersion } from './deliveryStore.ts';
import { fixPromises } from './promiseStore.ts';
import { isOver } from './status.ts';
import { recordDeliveryEvent } from './stepStore.ts';

/** Moves what is promised for the open stops of several deliveries by so many minutes; returns what became of each. */
export const postponeDeliveries = (
  { db, clock }: Deps,
  caller: Caller,
  ids: readonly number[],
  minutes: number,
): Promise<Outcome<null>[]> =>
  changeMany({ db }, caller, ids, {
    assertReady({ status }) {
      if (isOver(status)) throw new Refusal('delivery-over');
    },
    async together(tx, deliveries) {
      const { centralId } = caller;
      const actor = { at: clock.now(), by: caller.userId };
      const locked = deliveries.map(({ id }) => id);
      await moveWindows(tx, centralId, locked, minutes, actor.at);
      await fixPromises(tx, centralId, locked);
      const changed = { type: 'delivery.changed', payload: { change: 'stops_edited' } } as const;
      for (const deliveryId of locked) {
        await raiseVersion(tx, centralId, deliveryId);
        await recordDeliveryEvent(tx, centralId, { ...changed, deliveryId }, actor);
      }
      return NONE_REFUSED;
    },
  });
