import type pg from 'pg';
import { isStorageTrouble, troubleOf } from './databaseErrors.ts';

/** After an error it is not believed sooner that writing works again. */
const TROUBLED_MS = 5_000;
/** So much must find a place on the disk. */
const PROBE_BYTES = 1_000_000;

export interface WriteWatch {
  /** Every error of a statement is told here. */
  note(error: unknown): void;
  canWrite(): Promise<boolean>;
}

/**
 * Knows whether the server keeps what it is given. Reading works while its disk is full, so a ping says nothing; and a
 * small write may find room in a page that is there already. Therefore errors are remembered, and from then on it is
 * tried with a temporary table, which is dropped again by the same transaction, until that works.
 */
export function watchWrites(pool: pg.Pool): WriteWatch {
  let failedAt = Number.NEGATIVE_INFINITY;
  let isTroubled = false;
  const note = (error: unknown) => {
    if (!isStorageTrouble(error)) return;
    isTroubled = true;
    failedAt = performance.now();
  };
  return {
    note,
    async canWrite() {
      if (!isTroubled) return true;
      if (performance.now() - failedAt < TROUBLED_MS) return false;
      try {
        await probe(pool);
        isTroubled = false;
        return true;
      } catch (error) {
        note(error);
        if (troubleOf(error) !== undefined) throw error;
        // It may not make temporary tables: no way to tell but to try again.
        isTroubled = false;
        return true;
      }
    },
  };
}

async function probe(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query(
      `create temporary table malote_write_probe on commit drop as
       select repeat('x', 1000) as filler from generate_series(1, ${PROBE_BYTES / 1_000})`,
    );
  } finally {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    client.release(broken);
  }
}
