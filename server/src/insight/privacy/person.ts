import { createHash } from 'node:crypto';
import { passwordDigest } from '../../centrals/passwords.ts';
import { deleteViewsNaming } from '../../centrals/savedViewStore.ts';
import {
  exportDeliveries,
  findDeliveriesOf,
  findStopsOfPhone,
  removePersonalData,
  removeTexts,
  type StopOfPerson,
} from '../../deliveries/deliveries/deliveryPersonalDataStore.ts';
import { removePersonalDataOfStops } from '../../deliveries/orders/stopStore.ts';
import type { ObjectStore } from '../../deliveries/proof/objectStore.ts';
import { deleteProofImages, exportProofImages } from '../../deliveries/proof/proofStore.ts';
import { contentOf } from '../../deliveries/proof/readProof.ts';
import {
  exportScheduled,
  findScheduledOf,
  findScheduledStopsOfPhone,
  lockScheduledOf,
  removeNotesOfScheduled,
  removePersonalDataOfScheduled,
} from '../../deliveries/scheduled/scheduledPersonalDataStore.ts';
import { removeConclusionReasons } from '../../events/record/eventStore.ts';
import { forgetReceiversAnswers } from '../../events/webhooks/messageLogStore.ts';
import { removeDriverNotesNaming } from '../../money/earnings/earningStore.ts';
import { removeNotesNaming } from '../../money/wallet/walletStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import {
  deleteAddressesOfPhone,
  exportAddressesOfPhone,
} from '../../registers/companies/companyAddressStore.ts';
import { findPersons, removePersons, type StoredPerson } from '../../registers/companies/companyStore.ts';
import { forgetSearched } from '../search/forgetSearched.ts';
import { insertAction } from './privacyStore.ts';

/** Identifies a person by one of the two fields, which contain digits only. */
export interface Identifier {
  cpf: string | null;
  phone: string | null;
}

export interface Request {
  id: number;
  ended: boolean;
}

/** All records of a central about one person, as customer or as recipient. */
export interface Traces {
  persons: StoredPerson[];
  deliveries: Request[];
  scheduled: Request[];
  stops: StopOfPerson[];
  scheduledStops: StopOfPerson[];
}

/** Recipients are identified by their phones only. */
async function findTraces(tx: Tx, centralId: number, identifier: Identifier): Promise<Traces> {
  const persons = await findPersons(tx, centralId, identifier);
  const ids = persons.map(({ id }) => id);
  const { phone } = identifier;
  return {
    persons,
    deliveries: await findDeliveriesOf(tx, centralId, ids),
    scheduled: await findScheduledOf(tx, centralId, ids),
    stops: phone === null ? [] : await findStopsOfPhone(tx, centralId, phone),
    scheduledStops: phone === null ? [] : await findScheduledStopsOfPhone(tx, centralId, phone),
  };
}

/** A digest that identifies a person within a central. It is slow, because CPFs and phones are few enough to guess. */
async function personDigest(centralId: number, { cpf, phone }: Identifier): Promise<Buffer> {
  const salt = createHash('sha256').update(`malote privacy ${centralId}`).digest();
  const person = cpf === null ? `phone ${phone}` : `cpf ${cpf}`;
  return Buffer.from(await passwordDigest(person, salt, centralId), 'base64');
}

/** All data of a central about a person, with images in base64. The export is recorded. */
export async function exportPerson(
  { db, clock, objectStore }: Deps & { objectStore: ObjectStore | null },
  centralId: number,
  identifier: Identifier,
  by: string,
): Promise<Record<string, readonly unknown[]>> {
  const traces = await findTraces(db, centralId, identifier);
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  const deliveries = await exportDeliveries(db, centralId, idsOf(traces.deliveries), idsOf(traces.stops));
  const scheduled = await exportScheduled(
    db,
    centralId,
    idsOf(traces.scheduled),
    idsOf(traces.scheduledStops),
  );
  const images = await exportProofImages(
    db,
    centralId,
    deliveries.stops.map(({ id }) => id),
  );
  const exported = {
    persons: traces.persons,
    deliveries: deliveries.requests,
    stops: deliveries.stops,
    scheduled: scheduled.requests,
    scheduledStops: scheduled.stops,
    favourites:
      identifier.phone === null ? [] : await exportAddressesOfPhone(db, centralId, identifier.phone),
    proofImages: await Promise.all(
      images.map(async ({ objectKey, content, sha256, ...image }) => ({
        ...image,
        content: (await contentOf(objectStore, { objectKey, content, sha256 }))?.toString('base64') ?? null,
      })),
    ),
  };
  const counts = Object.fromEntries(Object.entries(exported).map(([name, rows]) => [name, rows.length]));
  const digest = await personDigest(centralId, identifier);
  await db.beginIndependent((tx) =>
    insertAction(tx, centralId, { action: 'export', by, personDigest: digest, counts }, clock.now()),
  );
  return exported;
}

export interface Erased extends Record<string, number> {
  deliveries: number;
  scheduled: number;
  stops: number;
  notes: number;
  persons: number;
  /** Addresses that companies saved with the person's phone. */
  favourites: number;
  /** Saved views of lists that search for the person. */
  views: number;
  /** Open requests, which were not changed. */
  underWay: number;
}

/**
 * Removes a person's data from everything that has ended, and records the removal, in one transaction. Open requests
 * still need the data: they are counted and left unchanged, and a later call removes their data.
 */
export async function erasePerson(
  { db, clock }: Deps,
  centralId: number,
  identifier: Identifier,
  by: string,
): Promise<Erased> {
  const digest = await personDigest(centralId, identifier);
  const now = clock.now();
  const endedIds = (some: readonly { id: number; ended: boolean }[]) =>
    some.filter(({ ended }) => ended).map(({ id }) => id);
  const requestsOf = (some: readonly StopOfPerson[]) =>
    some.filter(({ ended }) => ended).flatMap(({ requestId, orderedWith }) => [requestId, orderedWith]);

  return db.begin(async (tx) => {
    // A scheduled delivery whose dispatch failed has ended, but an operator may retry it. What else has ended stays so.
    await lockScheduledOf(tx, centralId, identifier);
    const traces = await findTraces(tx, centralId, identifier);
    const deliveries = endedIds(traces.deliveries);
    const scheduled = endedIds(traces.scheduled);
    const stops = endedIds(traces.stops);
    const scheduledStops = endedIds(traces.scheduledStops);
    await removePersonalData(tx, centralId, deliveries, now);
    await removePersonalDataOfScheduled(tx, centralId, scheduled, now);
    await removePersonalDataOfStops(tx, centralId, 'delivery', stops);
    await removeConclusionReasons(tx, centralId, stops);
    await removeTexts(tx, centralId, requestsOf(traces.stops));
    await deleteProofImages(tx, centralId, stops);
    await removePersonalDataOfStops(tx, centralId, 'scheduled', scheduledStops);
    await removeNotesOfScheduled(tx, centralId, requestsOf(traces.scheduledStops));
    await forgetReceiversAnswers(tx, centralId, {
      deliveries: [...deliveries, ...requestsOf(traces.stops)],
      scheduled: [...scheduled, ...requestsOf(traces.scheduledStops)],
    });
    const customers = traces.persons.map(({ id }) => id);
    const searched = { deliveries, scheduled, stops, scheduledStops, customers };
    await forgetSearched(tx, centralId, searched, now);
    const erased: Erased = {
      deliveries: deliveries.length,
      scheduled: scheduled.length,
      stops: stops.length + scheduledStops.length,
      notes:
        (await removeNotesNaming(tx, centralId, (identifier.cpf ?? identifier.phone)!)) +
        (await removeDriverNotesNaming(tx, centralId, (identifier.cpf ?? identifier.phone)!)),
      persons: await removePersons(
        tx,
        centralId,
        traces.persons.map(({ id }) => id),
      ),
      favourites:
        identifier.phone === null ? 0 : await deleteAddressesOfPhone(tx, centralId, identifier.phone),
      views: await deleteViewsNaming(tx, centralId, (identifier.cpf ?? identifier.phone)!),
      underWay: Object.values(traces)
        .flat()
        .filter((each) => 'ended' in each && !each.ended).length,
    };
    await insertAction(tx, centralId, { action: 'erase', by, personDigest: digest, counts: erased }, now);
    return erased;
  });
}
