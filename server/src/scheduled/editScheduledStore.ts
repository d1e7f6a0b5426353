import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Tx } from '../postgres/database.ts';
import type { Replacement } from './editScheduled.ts';

/** Everything that an edit replaces, except the stops; it awaits its dispatch, also where an earlier one failed. The caller holds the row's lock. */
export async function replaceScheduled(
  tx: Tx,
  centralId: number,
  id: number,
  { dispatchAt, payment, pickup }: Replacement,
  estimate: Estimate,
): Promise<void> {
  await tx`
    update scheduled set situation = 'awaiting', failure = null, dispatch_at = ${dispatchAt}, payment = ${payment}, pickup_address = ${pickup.address},
      pickup_complement = ${pickup.complement}, pickup_reference = ${pickup.reference},
      pickup_district = ${pickup.district}, pickup_city = ${pickup.city}, pickup_state = ${pickup.state},
      pickup_lat = ${pickup.position.lat}, pickup_lng = ${pickup.position.lng},
      tariff_id = ${estimate.tariff.id}, planned_metres = ${estimate.metres},
      planned_seconds = ${estimate.seconds}, gross_cents = ${estimate.grossCents},
      net_cents = ${estimate.netCents}, estimate_outdated = false, dispatch_attempts = 0, retry_at = null,
      version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}
