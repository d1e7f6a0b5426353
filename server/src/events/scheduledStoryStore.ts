import type { Tx } from '../postgres/database.ts';
import { AUTHOR_COLUMNS, AUTHOR_JOINS, type Authored } from './author.ts';
import type { RecordedEvent } from './event.ts';

export type StoryEvent = RecordedEvent & Authored;

/** One that is edited by a program all day has more than anybody reads. */
const STORY_MAX = 200;

const STORY = `
  select e.type, e.company_id as "companyId", e.delivery_id as "deliveryId", e.scheduled_id as "scheduledId",
    e.sequence, e.payload, e.occurred_at as "occurredAt", ${AUTHOR_COLUMNS}
  from events e ${AUTHOR_JOINS}
  where e.central_id = $1 and e.scheduled_id = $2 order by e.sequence desc limit ${STORY_MAX}`;

/** The last things that happened to a scheduled delivery, in order, for as long as events are kept. */
export const findScheduledStory = (tx: Tx, centralId: number, id: number): Promise<StoryEvent[]> =>
  tx.run<StoryEvent>(STORY, [centralId, id]).then((events) => events.reverse());
