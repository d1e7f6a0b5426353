import { createHash } from 'node:crypto';
import { passwordDigest } from '../centrals/passwords.ts';
import { findPersons, type StoredPerson } from '../companies/companyStore.ts';
import { findDeliveriesOf, findStopsOfPhone, type StopOfPerson } from '../deliveries/personalDataStore.ts';
import type { Db, Tx } from '../postgres/database.ts';
import { findScheduledOf, findScheduledStopsOfPhone } from '../scheduled/personalDataStore.ts';

/** By what somebody is known: one of the two. Digits only. */
export interface Identifier {
  cpf: string | null;
  phone: string | null;
}

export interface Request {
  id: number;
  ended: boolean;
}

/** Whatever of a central is about one person, as customer or as recipient. */
export interface Traces {
  persons: StoredPerson[];
  deliveries: Request[];
  scheduled: Request[];
  stops: StopOfPerson[];
  scheduledStops: StopOfPerson[];
}

const STOPS_AT_ONCE = 5_000;

/** Recipients are known by their phones only, and those are in no index: all stops are looked through, in steps. */
export async function findTraces(db: Db, centralId: number, identifier: Identifier): Promise<Traces> {
  const persons = await findPersons(db, centralId, identifier);
  const ids = persons.map(({ id }) => id);
  const { phone } = identifier;
  return {
    persons,
    deliveries: await findDeliveriesOf(db, centralId, ids),
    scheduled: await findScheduledOf(db, centralId, ids),
    stops: phone === null ? [] : await throughAll(db, centralId, phone, findStopsOfPhone),
    scheduledStops: phone === null ? [] : await throughAll(db, centralId, phone, findScheduledStopsOfPhone),
  };
}

async function throughAll(
  db: Tx,
  centralId: number,
  phone: string,
  find: typeof findStopsOfPhone,
): Promise<StopOfPerson[]> {
  const all: StopOfPerson[] = [];
  for (let after = 0; ; ) {
    const { found, last } = await find(db, centralId, phone, after, STOPS_AT_ONCE);
    all.push(...found);
    if (last === null) return all;
    after = last;
  }
}

/** Slow to guess from, as there are few CPFs and phones; the same person gives the same digest in a central. */
export async function personDigest(centralId: number, { cpf, phone }: Identifier): Promise<Buffer> {
  const salt = createHash('sha256').update(`malote privacy ${centralId}`).digest();
  return Buffer.from(await passwordDigest(cpf === null ? `phone ${phone}` : `cpf ${cpf}`, salt), 'base64');
}
