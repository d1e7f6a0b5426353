import type { Db, Tx } from './database.ts';

/** Rows of one step. */
const STEP = 500;

/** Deletes in small steps, each in its own transaction, so that no other transaction waits long for a lock. */
export async function deleteInSteps(
  db: Db,
  deleteSome: (tx: Tx, limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await db.beginIndependent((tx) => deleteSome(tx, STEP));
    total += deleted;
    if (deleted < STEP) return total;
  }
}
