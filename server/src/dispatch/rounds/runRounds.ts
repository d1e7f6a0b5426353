import { type Clock, inCentral } from '../../platform/kernel/clock.ts';
import { forEachIsolated, startRounds, workPerCentral } from '../../platform/kernel/rounds.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type LimitedDb, limitConnections } from '../../platform/postgres/limitConnections.ts';

/** Work that is done in every central in which something is due. */
export interface Round<Deps, Due = unknown, Result = unknown> {
  /** The pause between two rounds. */
  everyMs: number;
  /** The maximum for all centrals together, because requests need connections too. */
  connectionsMax: number;
  /** Whether its statements may take minutes. */
  isUnhurried?: boolean;
  /**
   * The centrals in which something is due, and what: a few queries, whatever the number of centrals. Where the clock of
   * a sandbox is ahead, something to do may count as due: the work has the clock of its central and decides.
   */
  findDue(deps: Deps): Promise<readonly number[] | ReadonlyMap<number, Due>>;
  work(deps: Deps, centralId: number, due: Due): Promise<Result>;
}

type Limited<Deps> = Deps & { db: LimitedDb };

const limited = <Deps extends { db: Db }>(
  deps: Deps,
  { connectionsMax }: { connectionsMax: number },
): Limited<Deps> => ({ ...deps, db: limitConnections(deps.db, connectionsMax) });

async function findDue<Deps, Due>(round: Round<Deps, Due>, deps: Deps): Promise<ReadonlyMap<number, Due>> {
  const due = await round.findDue(deps);
  return due instanceof Map
    ? due
    : new Map((due as readonly number[]).map((centralId) => [centralId, undefined as Due]));
}

/** One round. A central that fails stops no other; its error is thrown after all of them. */
export async function runRound<Deps extends { db: Db; clock?: Clock }, Due, Result>(
  round: Round<Deps, Due, Result>,
  deps: Deps,
): Promise<Result[]> {
  const own = limited(deps, round);
  const due = await findDue(round, own);
  const results: Result[] = [];
  const workIn = async ([centralId, what]: readonly [number, Due]) => {
    results.push(await round.work(inCentral(own, centralId), centralId, what));
  };
  await forEachIsolated([...due], workIn, due.size);
  return results;
}

/**
 * Repeats a round until it is stopped. A central is skipped while its last work is still running, and does not delay
 * others.
 */
export function startRound<Deps extends { db: Db; clock?: Clock }, Due>(
  round: Round<Deps, Due>,
  deps: Deps,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const own = limited(deps, round);
  let due: ReadonlyMap<number, Due> = new Map();
  let isStopped = false;
  const work = workPerCentral(
    (centralId) => round.work(inCentral(own, centralId), centralId, due.get(centralId)!),
    // The database is closed when a stop takes too long: then the error of unfinished work is expected.
    (error) => isStopped || onError(error),
    { isCrowded: own.db.isCrowded },
  );
  const rounds = startRounds({
    everyMs: round.everyMs,
    async round() {
      due = await findDue(round, own);
      await work.begin(due.keys());
    },
    onError,
  });
  return {
    async stop() {
      await rounds.stop();
      await work.end();
      isStopped = true;
    },
  };
}
