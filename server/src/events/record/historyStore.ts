import type { Role } from '../../centrals/caller.ts';
import type { Page } from '../../platform/kernel/page.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { RecordedEvent } from './event.ts';
import type { StoredEvent } from './liveStore.ts';

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
const AUTHOR = sql`
  case when u.id is not null then jsonb_build_object(
    'name', coalesce(driver.name, u.username), 'role', u.role, 'companyId', u.company_id) end as author`;
const joinAuthor = (centralId: number): Sql => sql`
  left join users u on u.central_id = ${centralId} and u.id = e.user_id
  left join drivers driver on driver.central_id = ${centralId} and driver.id = u.driver_id`;

export type PastEvent = StoredEvent & Authored;

/**
 * The events of a delivery and of the scheduled delivery it came from, in order, without positions. Found through the
 * two indexes that number the events of each.
 */
export const listHistory = (
  tx: Tx,
  centralId: number,
  deliveryId: number,
  scheduledId: number | null,
  { limit, offset }: Page,
): Promise<PastEvent[]> =>
  tx.rows<PastEvent>`
    select e.central_id, e.id, e.uid, e.type, e.company_id, e.delivery_id, e.scheduled_id, e.sequence, e.payload,
      e.occurred_at, e.happened_at, ${AUTHOR}
    from (
      select * from events where central_id = ${centralId} and delivery_id = ${deliveryId} and sequence is not null
      union all
      select * from events where central_id = ${centralId} and scheduled_id = ${scheduledId}) e
    ${joinAuthor(centralId)}
    order by coalesce(e.happened_at, e.occurred_at), e.delivery_id is not null, e.sequence
    limit ${limit} offset ${offset}`;

export type StoryEvent = RecordedEvent & Authored;

/** Limits the history of a scheduled delivery that a program edits very often. */
const STORY_MAX = 200;
const LATEST = raw(`limit ${STORY_MAX}`);

/** The latest events of a scheduled delivery, in order, as far as events are kept. */
export async function findScheduledStory(tx: Tx, centralId: number, id: number): Promise<StoryEvent[]> {
  const events = await tx.rows<StoryEvent>`
    select e.type, e.company_id, e.delivery_id, e.scheduled_id, e.sequence, e.payload, e.occurred_at, ${AUTHOR}
    from events e ${joinAuthor(centralId)}
    where e.central_id = ${centralId} and e.scheduled_id = ${id} order by e.sequence desc ${LATEST}`;
  return events.reverse();
}
