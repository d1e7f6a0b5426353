import type { Caller } from '../../centrals/caller.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { EVENTS_CHANNEL, formatAnnouncement } from '../../platform/postgres/listen.ts';
import type { WantedType } from './event.ts';
import { insertTestEvent } from './testEventStore.ts';

/**
 * Sends a test event to the live streams of the caller's own login, in any process: the plain test event, or the example
 * of a type. Webhooks and other logins do not get it. Returns the `webhook-id` of the event.
 */
export async function testStreams(
  { db, clock }: Deps,
  { centralId, companyId, userId }: Caller,
  sampleOf?: WantedType,
): Promise<string> {
  return db.begin(async (tx) => {
    const payload = { webhookId: null, listenerId: userId, ...(sampleOf && { sampleOf }) };
    const { id, uid } = await insertTestEvent(
      tx,
      centralId,
      { companyId, payload },
      { at: clock.now(), by: userId },
    );
    // The trigger announces only events that have a number.
    for (const message of formatAnnouncement({ centralId, toSend: false, eventIds: [id] }))
      tx.notify(EVENTS_CHANNEL, message);
    return uid;
  });
}
