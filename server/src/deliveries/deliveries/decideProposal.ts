import type { Caller } from '../../centrals/caller.ts';
import { changeActor, recordChange } from '../../events/audit/recordChange.ts';
import { announceSilentChange } from '../../events/record/silentChange.ts';
import { saveCorrection } from '../../geo/geocoding/correctedGeocoder.ts';
import type { FoundAddress } from '../../geo/geocoding/geocoder.ts';
import { type AddressProposal, takeProposal } from '../../geo/geocoding/proposalStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { markStopChecked } from '../orders/stopStore.ts';

/** Lets a driver's proposal take effect for later orders. The driver stays its author. */
export async function acceptProposal({ db, clock }: Deps, caller: Caller, id: number): Promise<FoundAddress> {
  return db.begin(async (tx) => {
    const proposal = await take(tx, caller, id);
    await markStopChecked(tx, caller.centralId, proposal.stopId);
    const author = { origin: 'driver', userId: proposal.userId } as const;
    const actor = changeActor(caller, clock.now(), 'operations');
    return saveCorrection(tx, proposal, proposal.position, actor, author);
  });
}

export async function rejectProposal({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const { line, position } = await take(tx, caller, id);
    await recordChange(tx, changeActor(caller, clock.now(), 'operations'), {
      subject: 'address_proposal',
      id,
      name: line,
      before: { ...position },
      after: null,
    });
  });
}

async function take(tx: Tx, { centralId }: Caller, id: number): Promise<AddressProposal> {
  const proposal = await takeProposal(tx, centralId, id);
  if (!proposal) throw new Refusal('record-not-found');
  // Other consoles show it too. Only the central's staff sees proposals, so no event is sent to the company.
  announceSilentChange(tx, { centralId, deliveryId: proposal.deliveryId, companyId: null });
  return proposal;
}
