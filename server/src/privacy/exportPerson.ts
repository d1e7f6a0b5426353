import { exportDeliveries } from '../deliveries/personalDataStore.ts';
import type { Deps } from '../postgres/deps.ts';
import { exportScheduled } from '../scheduled/personalDataStore.ts';
import { findTraces, type Identifier, personDigest } from './person.ts';
import { insertAction } from './privacyStore.ts';

/** All that a central holds about a person; that it was asked for is recorded. */
export async function exportPerson(
  { db, clock }: Deps,
  centralId: number,
  identifier: Identifier,
  by: string,
): Promise<Record<string, unknown[]>> {
  const traces = await findTraces(db, centralId, identifier);
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  const deliveries = await exportDeliveries(db, centralId, idsOf(traces.deliveries), idsOf(traces.stops));
  const scheduled = await exportScheduled(
    db,
    centralId,
    idsOf(traces.scheduled),
    idsOf(traces.scheduledStops),
  );
  const exported = {
    persons: traces.persons,
    deliveries: deliveries.requests,
    stops: deliveries.stops,
    scheduled: scheduled.requests,
    scheduledStops: scheduled.stops,
  };
  const counts = Object.fromEntries(Object.entries(exported).map(([name, rows]) => [name, rows.length]));
  const digest = await personDigest(centralId, identifier);
  await db.beginIndependent((tx) =>
    insertAction(tx, centralId, { action: 'export', by, personDigest: digest, counts }, clock.now()),
  );
  return exported;
}
