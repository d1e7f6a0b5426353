import { countForEach } from '../../platform/kernel/rounds.ts';
import { troubleOf } from '../../platform/postgres/databaseErrors.ts';

/** Batches of one central at a time; each holds a connection. */
const AT_ONCE = 4;

/**
 * Does work in batches, each in a transaction of its own, and returns the sum of what they count. A batch that fails is
 * repeated item by item, so that a faulty item does not affect the others. Nothing is repeated while the database is
 * not available.
 */
export async function countForEachBatch<Item>(
  items: readonly Item[],
  size: number,
  work: (batch: readonly Item[]) => Promise<number>,
): Promise<number> {
  const batches = Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
  const attempt = async (batch: readonly Item[]): Promise<number> => {
    try {
      return await work(batch);
    } catch (error) {
      if (batch.length === 1 || troubleOf(error) === 'outage') throw error;
      return countForEach(batch, (item) => work([item]));
    }
  };
  return countForEach(batches, attempt, AT_ONCE);
}
