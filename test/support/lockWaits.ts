import type { Db } from '../../server/src/platform/postgres/database.ts';
import { runText } from './runText.ts';

const WAITING = `
  select count(*) as sessions from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * The number of the database's sessions that wait for a lock. A node of Citus knows only its own sessions, so all are
 * queried.
 */
export async function countLockWaits(db: Db): Promise<number> {
  const [row] = db.isDistributed
    ? await db<{ sessions: number }>`
        select sum(result::integer) as sessions from run_command_on_all_nodes(${WAITING})`
    : await runText<{ sessions: number }>(db, WAITING, []);
  return Number(row!.sessions);
}
