import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';

export interface PushKeys {
  publicKey: string;
  /** Encrypted; see pushKeys.ts. */
  sealedPrivateKey: string;
}

export async function findPushKeys(tx: Tx, centralId: number): Promise<PushKeys | undefined> {
  const row = await tx.row<PushKeys>`
    select public_key, private_key as sealed_private_key from push_keys
    where central_id = ${centralId}`;
  return row;
}

/** If several processes make keys at once, those of the first one are kept. */
export async function insertPushKeys(
  tx: Tx,
  centralId: number,
  keys: PushKeys,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    insert into push_keys (central_id, public_key, private_key, created_at)
    values (${centralId}, ${keys.publicKey}, ${keys.sealedPrivateKey}, ${now}) on conflict do nothing`;
}

/** Replaces a pair that cannot be decrypted any more. False when another process has already replaced it. */
export async function replacePushKeys(
  tx: Tx,
  centralId: number,
  { unreadable, keys }: { unreadable: PushKeys; keys: PushKeys },
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx.rows`
    update push_keys set public_key = ${keys.publicKey}, private_key = ${keys.sealedPrivateKey}, created_at = ${now}
    where central_id = ${centralId} and private_key = ${unreadable.sealedPrivateKey}
    returning central_id`;
  return rows.length > 0;
}

/** Centrals whose private key is stored plainly or with an older key. */
export const findCentralsWithOldPushKeys = (tx: Tx, currentPrefix: string): Promise<number[]> =>
  findCentralsWith(tx, sql`push_keys where not starts_with(private_key, ${currentPrefix})`);

/** Stores the same private key with a new encryption. False when its pair was replaced or renewed meanwhile. */
export async function markPrivateKeyRenewed(
  tx: Tx,
  centralId: number,
  { stored, renewed }: { stored: string; renewed: string },
): Promise<boolean> {
  const rows = await tx.rows`
    update push_keys set private_key = ${renewed} where central_id = ${centralId} and private_key = ${stored}
    returning central_id`;
  return rows.length > 0;
}

/** The endpoint of a browser, and the keys that encrypt messages for it. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/**
 * A phone has one subscription; a new one replaces it. The endpoint identifies the phone's browser: earlier sessions in
 * the same browser lose it, so that messages for their drivers do not reach the current user of the phone.
 *
 * The lock of the central's keys, which every subscription takes, serialises registrations: concurrent ones would not
 * see each other's rows.
 */
export async function upsertSubscription(
  tx: Tx,
  centralId: number,
  device: { id: number; driverId: number },
  { endpoint, p256dh, auth }: Subscription,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`select from push_keys where central_id = ${centralId} for no key update`;
  await tx.rows`
    with taken_over as (
      delete from push_subscriptions
      where central_id = ${centralId} and endpoint = ${endpoint} and device_id <> ${device.id})
    insert into push_subscriptions (central_id, device_id, driver_id, endpoint, p256dh, auth, created_at)
    values (${centralId}, ${device.id}, ${device.driverId}, ${endpoint}, ${p256dh}, ${auth}, ${now})
    on conflict (central_id, device_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh,
      auth = excluded.auth, created_at = excluded.created_at`;
}

export async function deleteSubscription(tx: Tx, centralId: number, deviceId: number): Promise<void> {
  await tx.rows`
    delete from push_subscriptions where central_id = ${centralId} and device_id = ${deviceId}`;
}

/** Deletes the subscriptions of all phones of a central, which accept only the key pair they were made with. */
export async function deleteAllSubscriptions(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`delete from push_subscriptions where central_id = ${centralId}`;
}

/** Deletes a subscription that the push service does not know any more, unless it was replaced meanwhile. */
export async function deleteGoneSubscription(
  tx: Tx,
  centralId: number,
  deviceId: number,
  endpoint: string,
): Promise<void> {
  await tx.rows`
    delete from push_subscriptions
    where central_id = ${centralId} and device_id = ${deviceId} and endpoint = ${endpoint}`;
}

export interface PushMessage extends Subscription {
  centralId: number;
  deviceId: number;
  kind: 'offer' | 'cancellation' | 'received' | 'taken_away' | 'change';
  deliveryId: number;
  queuedAt: Temporal.Instant;
}

export const findCentralsWithPushes = (tx: Tx): Promise<number[]> => findCentralsWith(tx, sql`push_messages`);

/** Takes a central's oldest messages, each once; skips those that other processes are taking. */
export async function takePushMessages(tx: Tx, centralId: number, limit: number): Promise<PushMessage[]> {
  return tx.rows<PushMessage>`
    with taken as (
      delete from push_messages where central_id = ${centralId} and (device_id, event_id) in (
        select device_id, event_id from push_messages where central_id = ${centralId}
        order by queued_at limit ${limit} for update skip locked)
      returning *)
    select taken.central_id, taken.device_id, taken.kind,
      taken.delivery_id, taken.queued_at, s.endpoint, s.p256dh, s.auth
    from taken
    join push_subscriptions s on s.central_id = ${centralId} and s.device_id = taken.device_id
    order by taken.queued_at`;
}
