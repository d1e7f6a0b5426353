import { type CommitState, findCommitState } from '../../../platform/postgres/commitOrder.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { RowKey, Slice } from '../../../platform/postgres/keysetPage.ts';
import type { WalkOrder } from './walkStore.ts';

/*
 * A walk over changes begins with a copy of what had changed when it began, and then follows the transactions that ended
 * since. A row that changes during the copy leaves it and comes in the second part.
 *
 * After a move to another server (fail-over, restored backup, another node of Citus) the numbers of transactions mean
 * nothing, so the walk goes back by the clock: it tells what changed in the last hour again and loses nothing, as long as
 * no transaction took longer than that.
 */

/** Kept in the caller's cursor. */
export type ChangeState = {
  server: string;
  /** The key of the last row told. Null: the part has not begun. */
  after: RowKey | null;
  /** The time before which nothing is missing, by the clock. */
  at: string;
} & (
  | { part: 'copy'; since: string; oldest: number }
  /** The first transaction that is not told. */
  | { part: 'follow'; from: number }
);

export interface ChangePage {
  ids: number[];
  state: ChangeState;
  hasMore: boolean;
}

const GOES_BACK = { hours: 1 };

export async function readChanges(
  tx: Tx,
  centralId: number,
  { since, state }: { since: Temporal.Instant; state: ChangeState | null },
  read: (order: WalkOrder, after: RowKey | null) => Promise<Slice<{ id: number }>>,
): Promise<ChangePage> {
  const now = await findCommitState(tx, centralId);
  const known = state && isOf(state, now) ? state : begin(now, since, state);
  if (known.part === 'copy') {
    const { oldest, after } = known;
    const order = { since: Temporal.Instant.from(known.since), at: Temporal.Instant.from(known.at), oldest };
    const { rows, next } = await read({ kind: 'copy', ...order }, after);
    const ids = rows.map(({ id }) => id);
    if (next) return { ids, state: { ...known, after: next }, hasMore: true };
    const { server, at } = known;
    return {
      ids,
      state: { part: 'follow', server, at, from: oldest, after: null },
      hasMore: now.oldest > oldest,
    };
  }
  const { from, after } = known;
  const until = Math.max(from, now.oldest);
  const { rows, next } = await read({ kind: 'follow', from, until }, after);
  const ids = rows.map(({ id }) => id);
  if (next) return { ids, state: { ...known, after: next }, hasMore: true };
  return {
    ids,
    state: { ...known, from: until, at: now.at.toString(), after: null },
    hasMore: false,
  };
}

const isOf = (state: ChangeState, { server, next }: CommitState): boolean =>
  state.server === server && (state.part === 'copy' ? state.oldest : state.from) <= next;

function begin(
  { server, at, oldest }: CommitState,
  since: Temporal.Instant,
  before: ChangeState | null,
): ChangeState {
  const back = before?.part === 'follow' ? Temporal.Instant.from(before.at).subtract(GOES_BACK) : since;
  const first = Temporal.Instant.compare(back, since) < 0 ? since : back;
  return {
    part: 'copy',
    server,
    after: null,
    at: at.toString(),
    since: first.toString(),
    oldest,
  };
}
