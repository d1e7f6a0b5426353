import type { Role } from '../../centrals/caller.ts';
import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { sql } from '../../platform/postgres/sql.ts';
import type { ChangeAction, ChangeOrigin, Fields, RecordedChange, Subject } from './change.ts';

export interface NewEntry {
  at: Temporal.Instant;
  /** Null for the command line. */
  userId: number | null;
  origin: ChangeOrigin;
  action: ChangeAction;
  subject: Subject;
  subjectId: number | null;
  subjectName: string | null;
  before: Fields;
  after: Fields;
}

/**
 * Stores the current name and role of the user. Each is a subquery: for a change made on the command line, which has no
 * user, a join would make Citus lose the central and ask all nodes.
 */
export async function insertChange(tx: Tx, centralId: number, entry: NewEntry): Promise<void> {
  const id = await newId(tx, centralId, 'audit');
  await tx.rows`
    insert into audit_entries (central_id, id, happened_at, user_id, actor, role, origin, action, subject, subject_id,
      subject_name, before, after)
    select ${centralId}::bigint, ${id}::bigint, ${entry.at}::timestamptz, ${entry.userId}::bigint,
      (select username from users where central_id = ${centralId} and id = ${entry.userId}),
      (select role from users where central_id = ${centralId} and id = ${entry.userId}),
      ${entry.origin}::text, ${entry.action}::text, ${entry.subject}::text, ${entry.subjectId}::bigint,
      ${entry.subjectName}::text, ${entry.before}::jsonb, ${entry.after}::jsonb`;
}

export interface ChangeFilter {
  /** Searched in the name of the subject, the name of the author and the values, ignoring case and accents. */
  text: string | null;
  actor: string | null;
  subject: Subject | null;
  subjectId: number | null;
  from: Temporal.Instant | null;
  /** Excluded. */
  until: Temporal.Instant | null;
  /** Returns the changes before this key. */
  cursor: Cursor | null;
}

export interface Cursor {
  at: Temporal.Instant;
  id: number;
}

/** How many changes of the period one search examines; the cursor continues from there. */
const SEARCHED_MAX = 5_000;

interface ChangeRow extends Omit<RecordedChange, 'role'> {
  role: Role | null;
}

export interface FoundChanges {
  changes: RecordedChange[];
  /** The key after which older changes follow; null when there are none. */
  next: Cursor | null;
}

/** Newest first, through the index by time. The number of rows read is bounded, however long the log is. */
export async function findChanges(
  tx: Tx,
  centralId: number,
  filter: ChangeFilter,
  limit: number,
): Promise<FoundChanges> {
  const { text, actor, subject, subjectId, from, until, cursor } = filter;
  const rows = await tx.rows<ChangeRow>`
    select id, happened_at as at, actor, role, origin, action, subject, subject_id,
      subject_name, before, after
    from (
      select * from audit_entries
      where central_id = ${centralId}
        and happened_at >= coalesce(${from}::timestamptz, '-infinity')
        and happened_at < coalesce(${until}::timestamptz, 'infinity')
        and (happened_at, id) < (coalesce(${cursor?.at ?? null}::timestamptz, 'infinity'),
          coalesce(${cursor?.id ?? null}::bigint, 0))
      order by happened_at desc, id desc limit ${SEARCHED_MAX}) recent
    where (${actor}::text is null or actor = ${actor})
      and (${subject}::text is null or subject = ${subject})
      and (${subjectId}::bigint is null or subject_id = ${subjectId})
      and (${text}::text is null or position(fold_name(${text}) in
        fold_name(concat_ws(' ', subject_name, actor, before::text, after::text))) > 0)
    order by happened_at desc, id desc limit ${limit + 1}`;
  const changes = rows.slice(0, limit);
  const last = changes.at(-1);
  if (rows.length > limit && last) return { changes, next: { at: last.at, id: last.id } };
  const end = await tx.row<Cursor>`
    select happened_at as at, id from audit_entries
    where central_id = ${centralId}
      and happened_at >= coalesce(${from}::timestamptz, '-infinity')
      and happened_at < coalesce(${until}::timestamptz, 'infinity')
      and (happened_at, id) < (coalesce(${cursor?.at ?? null}::timestamptz, 'infinity'),
        coalesce(${cursor?.id ?? null}::bigint, 0))
    order by happened_at desc, id desc offset ${SEARCHED_MAX - 1} limit 1`;
  return { changes, next: end ?? null };
}

export const findCentralsWithOldChanges = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`audit_entries where happened_at < ${before}`);

export async function deleteOldChanges(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    delete from audit_entries where central_id = ${centralId} and id = any(array(
      select id from audit_entries where central_id = ${centralId} and happened_at < ${before}
      order by happened_at, id limit ${limit}))
    returning id`;
  return rows.length;
}
