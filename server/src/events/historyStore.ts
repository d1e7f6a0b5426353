import type { Role } from '../centrals/caller.ts';
import type { Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import type { RecordedEvent } from './event.ts';
import type { LiveEvent } from './liveStore.ts';

/** The author of an event. A driver's login has the driver's name, every other login its username. */
export interface Author {
  name: string;
  role: Role;
  /** The company of a manager. */
  companyId: number | null;
}

export interface Authored {
  /** Null: the service itself. */
  author: Author | null;
}

/** The author of the event `e`, with the user's current role. */
const AUTHOR_COLUMNS = `
  case when u.id is not null then jsonb_build_object(
    'name', coalesce(driver.name, u.username), 'role', u.role, 'companyId', u.company_id) end as author`;
const AUTHOR_JOINS = `left join users u on u.central_id = $1 and u.id = e.user_id
  left join drivers driver on driver.central_id = $1 and driver.id = u.driver_id`;

export type PastEvent = LiveEvent & Authored;

const HISTORY = `
  select e.central_id as "centralId", e.id, e.uid, e.type, e.company_id as "companyId", e.delivery_id as "deliveryId",
    e.scheduled_id as "scheduledId", e.sequence, e.payload, e.occurred_at as "occurredAt",
    e.happened_at as "happenedAt", ${AUTHOR_COLUMNS}
  from (
    select * from events where central_id = $1 and delivery_id = $2 and sequence is not null
    union all
    select * from events where central_id = $1 and scheduled_id = $3) e
  ${AUTHOR_JOINS}
  order by coalesce(e.happened_at, e.occurred_at), e.delivery_id is not null, e.sequence limit $4 offset $5`;

/**
 * The events of a delivery and of the scheduled delivery it came from, in order, without positions. Found through the
 * two indexes that number the events of each.
 */
export async function listHistory(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  scheduledId: number | null,
  { limit, offset }: Page,
): Promise<PastEvent[]> {
  return tx.run<PastEvent>(HISTORY, [centralId, deliveryId, scheduledId, limit, offset]);
}

export type StoryEvent = RecordedEvent & Authored;

/** Limits the history of a scheduled delivery that a program edits very often. */
const STORY_MAX = 200;

const STORY = `
  select e.type, e.company_id as "companyId", e.delivery_id as "deliveryId", e.scheduled_id as "scheduledId",
    e.sequence, e.payload, e.occurred_at as "occurredAt", ${AUTHOR_COLUMNS}
  from events e ${AUTHOR_JOINS}
  where e.central_id = $1 and e.scheduled_id = $2 order by e.sequence desc limit ${STORY_MAX}`;

/** The latest events of a scheduled delivery, in order, as far as events are kept. */
export const findScheduledStory = (tx: Tx, centralId: number, id: number): Promise<StoryEvent[]> =>
  tx.run<StoryEvent>(STORY, [centralId, id]).then((events) => events.reverse());
