import type { Caller } from '../../centrals/caller.ts';
import { assertRoom } from '../../centrals/centralStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { WantedType } from '../record/event.ts';
import { insertTest, type ReplayRange, replayMessage, replayRange } from './messageLogStore.ts';
import { makeDue, wakeSenders } from './messageStore.ts';
import { SECRET_OVERLAP_HOURS, secretOwner, WEBHOOKS_MAX, type Webhook, webhookState } from './webhook.ts';
import { newWebhookSecret } from './webhookSecrets.ts';
import {
  countWebhooks,
  findStoredSecret,
  findWebhook,
  insertWebhook,
  lockWebhook,
  markAwake,
  markDeleted,
  markRotated,
  markWebhook,
} from './webhookStore.ts';

/**
 * Registers an endpoint; returns it and, only this time, its secret. The endpoint of a company manager receives events
 * of that company only. The caller has checked that the address may be called (publicAddress.ts).
 */
export async function registerWebhook(
  { db, clock, secrets }: Deps & { secrets: SecretBox },
  caller: Caller,
  { url, types }: { url: string; types: readonly WantedType[] },
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = newWebhookSecret();
  return db.begin(async (tx) => {
    // Locks the central, so that the count below also holds for simultaneous registrations.
    await assertRoom(tx, caller.centralId, 'webhooks');
    if ((await countWebhooks(tx, caller)) >= WEBHOOKS_MAX)
      throw new Refusal('too-many-webhooks', { max: WEBHOOKS_MAX });
    const id = await insertWebhook(tx, secrets, caller, { url, types, secret }, clock.now());
    return { webhook: await findWebhook(tx, caller, id), secret };
  });
}

export interface WebhookChange {
  url?: string | undefined;
  types?: readonly WantedType[] | undefined;
  active?: boolean | undefined;
}

/**
 * Fields that are not given keep their values. Setting it active wakes a paused or failing webhook, and so does a new
 * address: waiting messages are sent at once.
 */
export async function changeWebhook(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  { url, types, active }: WebhookChange,
): Promise<Webhook> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    const before = await lockWebhook(tx, caller, id);
    const after = {
      id,
      url: url ?? before.url,
      types: types ?? before.types,
      active: active ?? before.active,
    };
    await markWebhook(tx, centralId, after);
    if (active === true || after.url !== before.url) {
      await markAwake(tx, centralId, id);
      await makeDue(tx, centralId, id, clock.now());
      wakeSenders(tx, caller.centralId);
    }
    return findWebhook(tx, caller, id);
  });
}

/** Stops all messages to it. The row and its messages are deleted later (webhookRounds.ts). */
export async function removeWebhook({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    await lockWebhook(tx, caller, id);
    await markDeleted(tx, caller.centralId, id, clock.now());
  });
}

/**
 * Gives a webhook a new secret, which only this answer shows. The previous secret also signs for a while; the one
 * before that no longer does. If the previous secret cannot be decrypted, nothing could be signed until now: it ends at
 * once, and the waiting messages are sent.
 */
export async function rotateSecret(
  { db, clock, secrets: box }: Deps & { secrets: SecretBox },
  caller: Caller,
  id: number,
): Promise<{ secret: string; previousUntil: Temporal.Instant }> {
  const { centralId } = caller;
  const secret = newWebhookSecret();
  const now = clock.now();
  const owner = secretOwner(centralId, id);
  return db.begin(async (tx) => {
    await lockWebhook(tx, caller, id);
    const previous = box.open(await findStoredSecret(tx, centralId, id), owner);
    const isReadable = previous !== undefined;
    const previousUntil = isReadable ? now.add({ hours: SECRET_OVERLAP_HOURS }) : now;
    const previousSecret = isReadable ? box.seal(previous, owner) : null;
    await markRotated(tx, centralId, { id, secret: box.seal(secret, owner), previousSecret }, previousUntil);
    if (!isReadable) {
      await markAwake(tx, centralId, id);
      await makeDue(tx, centralId, id, now);
      wakeSenders(tx, centralId);
    }
    return { secret, previousUntil };
  });
}

/**
 * Sends a test message to one endpoint in the usual way: the plain test event, or the example of a type, whichever types
 * the endpoint wants. Returns the id of its message.
 */
export async function testWebhook(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  sampleOf?: WantedType,
): Promise<number> {
  return db.begin(async (tx) => {
    const webhook = await lockWebhook(tx, caller, id);
    const state = webhookState(webhook);
    if (state === 'inactive' || state === 'paused') throw new Refusal('webhook-asleep');
    return insertTest(tx, caller.centralId, webhook, sampleOf, { at: clock.now(), by: caller.userId });
  });
}

/** The maximum number of messages replayed by one request. */
export const REPLAYS_MAX = 5_000;

/** Sends one message again, under its own event id. */
export async function replayOne({ db, clock }: Deps, caller: Caller, messageId: number): Promise<void> {
  await db.begin(async (tx) => {
    await replayMessage(tx, caller, messageId, clock.now());
    wakeSenders(tx, caller.centralId);
  });
}

/** Sends the messages of a time range again; refuses when there are too many for one request. */
export async function replayMany(
  { db, clock }: Deps,
  caller: Caller,
  webhookId: number,
  range: ReplayRange,
): Promise<number> {
  return db.begin(async (tx) => {
    await lockWebhook(tx, caller, webhookId);
    const count = await replayRange(tx, caller.centralId, webhookId, range, REPLAYS_MAX + 1, clock.now());
    if (count > REPLAYS_MAX) throw new Refusal('replay-too-large', { max: REPLAYS_MAX });
    wakeSenders(tx, caller.centralId);
    return count;
  });
}
