import type { EventType } from './event.ts';

type EventColumn =
  | 'central_id'
  | 'type'
  | 'company_id'
  | 'delivery_id'
  | 'scheduled_id'
  | 'sequence'
  | 'payload'
  | 'occurred_at'
  | 'user_id';

/**
 * SQL that inserts an event for each row of a select, with ids in the order of its rows. The columns of the select
 * are those named, in that order; its parameters carry their types.
 *
 * Stores nest it into the statement that makes the change, so that an event exists if and only if the change does.
 * The owner of the row takes the sequence from the row, whose lock the change holds: sequences are dense, and their
 * order is the order of the commits.
 */
export const insertEventsSql = (columns: readonly EventColumn[], select: string): string => {
  const names = columns.join(', ');
  return `insert into events (id, ${names})
  select next_id(event.central_id, 'event'), event.* from (${select}) event (${names})`;
};

/** An event type as an SQL literal, spelled as the compiler knows it. */
export const eventTypeSql = (type: EventType): string => `'${type}'`;
