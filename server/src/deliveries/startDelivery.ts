import type { Caller } from '../centrals/caller.ts';
import type { Needs } from '../postgres/needs.ts';
import { lockForStep } from './lockForStep.ts';
import { takeStep } from './takeStep.ts';

/** The driver sets off with the goods. */
export async function startDelivery({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockForStep(tx, caller, id);
    await takeStep(tx, caller.centralId, delivery, 'start', { at: clock.now(), by: caller.userId });
  });
}
