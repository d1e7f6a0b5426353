import type { Tx } from './database.ts';
import { type Sql, sql } from './sql.ts';

/*
 * Rows that are marked with the number of the transaction that changed them (`changed_in`) become visible in another
 * order, because transactions end in any order. A reader that has seen everything below the oldest transaction that
 * still runs has missed nothing: nothing else can appear below it.
 */

export interface CommitState {
  /** Numbers of transactions mean something only within one server, and after a fail-over only approximately. */
  server: string;
  at: Temporal.Instant;
  /** All transactions before this one have ended. */
  oldest: number;
  /** No transaction has this number or a higher one yet. */
  next: number;
}

/**
 * The state of the server that holds the central: the statement names it, so that it is sent there. The oldest
 * transaction may be one of another database of the server: a long one delays what readers are told, and loses nothing.
 */
export async function findCommitState(tx: Tx, centralId: number): Promise<CommitState> {
  const row = await tx.row<CommitState & { isUsed: boolean }>`
    select system_identifier || '.' || timeline_id as server, statement_timestamp() as at,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
      exists (select from deliveries where central_id = ${centralId}) as is_used
    from pg_control_system(), pg_control_checkpoint()`;
  return row!;
}

/**
 * Rows whose last change was committed when `state` was read. A number that no transaction has yet comes from another
 * server (a restored backup, a central that moved), and so does that of a row which changed long ago by the clock.
 */
export const isChangedBefore = ({
  at,
  oldest,
}: Pick<CommitState, 'at' | 'oldest'>): Sql => sql`(changed_in < ${oldest}
  or changed_in >= (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  or changed_at < ${at.subtract({ hours: 1 })})`;
