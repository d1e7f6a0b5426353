import { removePersons } from '../companies/companyStore.ts';
import { removePersonalData } from '../deliveries/personalDataStore.ts';
import type { Deps } from '../postgres/deps.ts';
import { removePersonalDataOfStops } from '../requests/stopStore.ts';
import { removePersonalDataOfScheduled } from '../scheduled/personalDataStore.ts';
import { removeNotesNaming } from '../wallet/walletStore.ts';
import { forgetReceiversAnswers } from '../webhooks/messageLogStore.ts';
import { findTraces, type Identifier, personDigest } from './person.ts';
import { insertAction } from './privacyStore.ts';

export interface Erased extends Record<string, number> {
  deliveries: number;
  scheduled: number;
  stops: number;
  notes: number;
  persons: number;
  /** Requests that are under way, and were left as they are. */
  underWay: number;
}

/**
 * Removes a person's data from everything that has ended, and records that it was done, in one transaction. What is
 * under way needs the data to be delivered: it is left alone and counted, and goes with a later call.
 */
export async function erasePerson(
  { db, clock }: Deps,
  centralId: number,
  identifier: Identifier,
  by: string,
): Promise<Erased> {
  const digest = await personDigest(centralId, identifier);
  const traces = await findTraces(db, centralId, identifier);
  const now = clock.now();
  const endedIds = (some: readonly { id: number; ended: boolean }[]) =>
    some.filter(({ ended }) => ended).map(({ id }) => id);
  const deliveries = endedIds(traces.deliveries);
  const scheduled = endedIds(traces.scheduled);
  const stops = endedIds(traces.stops);
  const scheduledStops = endedIds(traces.scheduledStops);
  const requestsOf = (some: readonly { requestId: number; ended: boolean }[]) =>
    some.filter(({ ended }) => ended).map(({ requestId }) => requestId);

  return db.begin(async (tx) => {
    await removePersonalData(tx, centralId, deliveries, now);
    await removePersonalDataOfScheduled(tx, centralId, scheduled, now);
    await removePersonalDataOfStops(tx, centralId, 'delivery', stops);
    await removePersonalDataOfStops(tx, centralId, 'scheduled', scheduledStops);
    await forgetReceiversAnswers(tx, centralId, {
      deliveries: [...deliveries, ...requestsOf(traces.stops)],
      scheduled: [...scheduled, ...requestsOf(traces.scheduledStops)],
    });
    const erased: Erased = {
      deliveries: deliveries.length,
      scheduled: scheduled.length,
      stops: stops.length + scheduledStops.length,
      notes: await removeNotesNaming(tx, centralId, (identifier.cpf ?? identifier.phone)!),
      persons: await removePersons(
        tx,
        centralId,
        traces.persons.map(({ id }) => id),
      ),
      underWay: Object.values(traces)
        .flat()
        .filter((one) => 'ended' in one && !one.ended).length,
    };
    await insertAction(tx, centralId, { action: 'erase', by, personDigest: digest, counts: erased }, now);
    return erased;
  });
}
