import { countForEach } from '../kernel/rounds.ts';
import { troubleOf } from '../postgres/databaseErrors.ts';

/** Batches of one central at a time; each holds a connection. */
const AT_ONCE = 4;

/**
 * Does work that counts something in batches, each in a transaction of its own; answers with the sum. A batch that ends
 * in an error is done again item by item: something is wrong with one of them, and the others must not suffer for it.
 * When the database is gone nothing is tried again.
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
