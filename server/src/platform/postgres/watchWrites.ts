import type pg from 'pg';
import { isStorageTrouble, troubleOf } from './databaseErrors.ts';

/** How long after an error writing counts as impossible without another probe. */
const TROUBLED_MS = 5_000;
/** The size of the probe, which must fit on the disk. */
const PROBE_BYTES = 1_000_000;

export interface WriteWatch {
  /** Called with every error of a statement. */
  note(error: unknown): void;
  canWrite(): Promise<boolean>;
}

/**
 * Determines whether the server can store data. Reading works while its disk is full, so a ping proves nothing, and a
 * small write may fit into an existing page. Therefore errors are remembered, and after an error a probe with a
 * temporary table, which the same transaction drops again, is repeated until it succeeds.
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
        // The user may not create temporary tables, so only the next write shows whether the server accepts writes.
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
