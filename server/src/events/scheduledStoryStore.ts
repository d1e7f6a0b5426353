import type { Tx } from '../postgres/database.ts';
import type { LiveEvent } from './liveStore.ts';

export type StoryEvent = Omit<LiveEvent, 'centralId' | 'id' | 'uid'>;

/** What happened to a scheduled delivery, in order, for as long as events are kept. */
export const findScheduledStory = (tx: Tx, centralId: number, id: number): Promise<StoryEvent[]> =>
  tx<StoryEvent>`
    select type, company_id as "companyId", delivery_id as "deliveryId", scheduled_id as "scheduledId", sequence,
      payload, occurred_at as "occurredAt"
    from events where central_id = ${centralId} and scheduled_id = ${id} order by sequence`;
