import type { Tx } from '../postgres/database.ts';

export interface PushKeys {
  publicKey: string;
  /** Encrypted; see pushKeys.ts. */
  sealedPrivateKey: string;
}

export async function findPushKeys(tx: Tx, centralId: number): Promise<PushKeys | undefined> {
  const [row] = await tx<PushKeys>`
    select public_key as "publicKey", private_key as "sealedPrivateKey" from push_keys
    where central_id = ${centralId}`;
  return row;
}

/** Of several processes that make keys at once, the first one's are kept. */
export async function insertPushKeys(
  tx: Tx,
  centralId: number,
  keys: PushKeys,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into push_keys (central_id, public_key, private_key, created_at)
    values (${centralId}, ${keys.publicKey}, ${keys.sealedPrivateKey}, ${now}) on conflict do nothing`;
}

/** In place of a pair that cannot be decrypted any more. False when another process has replaced it before. */
export async function replacePushKeys(
  tx: Tx,
  centralId: number,
  { unreadable, keys }: { unreadable: PushKeys; keys: PushKeys },
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx`
    update push_keys set public_key = ${keys.publicKey}, private_key = ${keys.sealedPrivateKey}, created_at = ${now}
    where central_id = ${centralId} and private_key = ${unreadable.sealedPrivateKey}
    returning central_id`;
  return rows.length > 0;
}

/** Centrals whose private key is stored plainly or with an older key. */
export async function findCentralsWithOldPushKeys(tx: Tx, currentPrefix: string): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from push_keys where not starts_with(private_key, ${currentPrefix})`;
  return rows.map(({ central_id }) => central_id);
}

/** The same private key, encrypted anew. False when its pair was replaced or renewed meanwhile. */
export async function markPrivateKeyRenewed(
  tx: Tx,
  centralId: number,
  { stored, renewed }: { stored: string; renewed: string },
): Promise<boolean> {
  const rows = await tx`
    update push_keys set private_key = ${renewed} where central_id = ${centralId} and private_key = ${stored}
    returning central_id`;
  return rows.length > 0;
}

/** Where a browser takes messages, and the keys that encrypt them for it. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/**
 * A phone has one; a new one takes its place. The endpoint is the phone's browser: sessions that were open there before
 * lose it, so that their drivers' messages do not reach whoever uses the phone now.
 *
 * The lock of the central's keys, without which no browser subscribes, lets registrations come one after the other: at
 * once, none would see the row of the other.
 */
export async function upsertSubscription(
  tx: Tx,
  centralId: number,
  device: { id: number; driverId: number },
  { endpoint, p256dh, auth }: Subscription,
  now: Temporal.Instant,
): Promise<void> {
  await tx`select from push_keys where central_id = ${centralId} for no key update`;
  await tx`
    with taken_over as (
      delete from push_subscriptions
      where central_id = ${centralId} and endpoint = ${endpoint} and device_id <> ${device.id})
    insert into push_subscriptions (central_id, device_id, driver_id, endpoint, p256dh, auth, created_at)
    values (${centralId}, ${device.id}, ${device.driverId}, ${endpoint}, ${p256dh}, ${auth}, ${now})
    on conflict (central_id, device_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh,
      auth = excluded.auth, created_at = excluded.created_at`;
}

export async function deleteSubscription(tx: Tx, centralId: number, deviceId: number): Promise<void> {
  await tx`
    delete from push_subscriptions where central_id = ${centralId} and device_id = ${deviceId}`;
}

/** Of all phones of a central: a subscription takes messages only from the pair of keys that it was made with. */
export async function deleteAllSubscriptions(tx: Tx, centralId: number): Promise<void> {
  await tx`delete from push_subscriptions where central_id = ${centralId}`;
}

/** The push service does not know it any more; one that took its place meanwhile stays. */
export async function deleteGoneSubscription(
  tx: Tx,
  centralId: number,
  deviceId: number,
  endpoint: string,
): Promise<void> {
  await tx`
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

export async function findCentralsWithPushes(tx: Tx): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`select distinct central_id from push_messages`;
  return rows.map(({ central_id }) => central_id);
}

/** Takes a central's oldest messages; what other processes are taking is skipped. Each is taken once. */
export async function takePushMessages(tx: Tx, centralId: number, limit: number): Promise<PushMessage[]> {
  return tx<PushMessage>`
    with taken as (
      delete from push_messages where central_id = ${centralId} and (device_id, event_id) in (
        select device_id, event_id from push_messages where central_id = ${centralId}
        order by queued_at limit ${limit} for update skip locked)
      returning *)
    select taken.central_id as "centralId", taken.device_id as "deviceId", taken.kind,
      taken.delivery_id as "deliveryId", taken.queued_at as "queuedAt", s.endpoint, s.p256dh, s.auth
    from taken
    join push_subscriptions s on s.central_id = ${centralId} and s.device_id = taken.device_id
    order by taken.queued_at`;
}
