import { randomInt } from 'node:crypto';
import type { Caller } from '../../centrals/caller.ts';
import { changeActor, recordChange } from '../../events/audit/recordChange.ts';
import { announceSilentChange } from '../../events/record/silentChange.ts';
import {
  assertNamesStreet,
  findCorrected,
  foundAt,
  saveCorrection,
} from '../../geo/geocoding/correctedGeocoder.ts';
import type { AddressParts, FoundAddress } from '../../geo/geocoding/geocoder.ts';
import { deleteOldestProposals, upsertProposal } from '../../geo/geocoding/proposalStore.ts';
import { haversineMetres, type Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findRecentPosition } from '../../registers/drivers/positionStore.ts';
import type { Stop } from '../orders/request.ts';
import { findStops, markStopChecked } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { isCarried } from './status.ts';
import { lockForStep } from './takeSteps.ts';

/** How far a driver moves an address by itself, and how far from the driver's own position. */
const NEAR_METRES = 300;
/** An older position does not tell where the driver is. */
const POSITION_MINUTES = 5;
/** The maximum of open proposals of a driver. A further one replaces the oldest. */
const PROPOSALS_MAX = 20;
const IDS = 2 ** 47;

export interface CorrectedStop {
  found: FoundAddress;
  /** Whether it has no effect until the central accepts it. */
  isProposal: boolean;
}

/**
 * Records the real position of a stop's address. Later orders for the address, of every company, use it; this delivery
 * keeps its route and price. An operator's takes effect at once. A driver's does if the driver carries the delivery, is
 * there, moves the address a little, and nobody has corrected it before; otherwise it is proposed to the central.
 */
export async function correctStop(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  position: Position,
): Promise<CorrectedStop> {
  const { centralId, userId, driverId } = caller;
  return db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockForStep(tx, caller, id);
    const stop = (await findStops(tx, centralId, 'delivery', [id])).find((each) => each.id === stopId);
    if (!stop) throw new Refusal('stop-not-found');
    const { address, district, city, state } = stop;
    const parts = { line: address, district, city, state };
    announceSilentChange(tx, { centralId, deliveryId: id, companyId: delivery.companyId });
    if (
      driverId === null ||
      (await takesEffect(tx, centralId, driverId, { delivery, stop, parts, position, now }))
    ) {
      await markStopChecked(tx, centralId, stopId);
      const origin = driverId === null ? 'operator' : 'driver';
      const actor = changeActor(caller, now, 'operations');
      const found = await saveCorrection(tx, parts, position, actor, { origin, userId });
      return { found, isProposal: false };
    }
    assertNamesStreet(parts);
    await deleteOldestProposals(tx, centralId, driverId, PROPOSALS_MAX - 1);
    const proposal = { ...parts, deliveryId: id, stopId, driverId, userId, position, at: now };
    const metres = Math.round(haversineMetres(stop.position, position));
    const proposalId = await upsertProposal(tx, centralId, { ...proposal, id: randomInt(1, IDS), metres });
    await recordChange(tx, changeActor(caller, now, 'operations'), {
      subject: 'address_proposal',
      id: proposalId,
      name: address,
      before: null,
      after: { ...position },
    });
    return { found: foundAt(parts, position), isProposal: true };
  });
}

interface Correcting {
  delivery: Delivery;
  stop: Stop;
  parts: AddressParts;
  position: Position;
  now: Temporal.Instant;
}

async function takesEffect(
  tx: Tx,
  centralId: number,
  driverId: number,
  { delivery, stop, parts, position, now }: Correcting,
): Promise<boolean> {
  if (!isCarried(delivery.status) || delivery.driverId !== driverId) return false;
  if (haversineMetres(stop.position, position) > NEAR_METRES) return false;
  const own = await findRecentPosition(tx, centralId, driverId, now.subtract({ minutes: POSITION_MINUTES }));
  if (!own || haversineMetres(own, position) > NEAR_METRES) return false;
  // Otherwise an address could be moved any distance in small steps.
  return (await findCorrected(tx, centralId, parts)) === null;
}
