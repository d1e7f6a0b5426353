import type { Tx } from './database.ts';

/**
 * Lookups that are asked for in one turn of the event loop travel to PostgreSQL as one statement. A statement costs
 * as much as the rest of a small request, here and there: its message wakes a process on the other side. Nothing
 * waits longer for it than until the requests that have already arrived are read, and nothing is kept: each is
 * answered by a statement that began after it was asked.
 *
 * `lookUp` answers in the order of the keys. A key carries all that limits what may be seen, its central first.
 */
export function gatherLookups<Key, Found>(
  lookUp: (tx: Tx, keys: readonly Key[]) => Promise<readonly Found[]>,
): (tx: Tx, key: Key) => Promise<Found> {
  const gatherings = new WeakMap<Tx, { keys: Key[]; found: Promise<readonly Found[]> }>();

  const gather = (tx: Tx): { keys: Key[]; found: Promise<readonly Found[]> } => {
    const keys: Key[] = [];
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gatherings.delete(tx);
      return lookUp(tx, keys);
    });
    return { keys, found };
  };

  return async (tx, key) => {
    let gathering = gatherings.get(tx);
    if (!gathering) {
      gathering = gather(tx);
      gatherings.set(tx, gathering);
    }
    const place = gathering.keys.push(key) - 1;
    return (await gathering.found)[place]!;
  };
}
