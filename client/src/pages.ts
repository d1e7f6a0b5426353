import { answerInfo } from './answerInfo.ts';
import type { CallOptions } from './request.ts';

export interface ListOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** How many records are read at once: 1 to 100, and 100 by default. */
  pageSize?: number;
}

interface Page {
  pagina: number;
  limite: number;
}

const PAGE_SIZE = 100;
/** Records that come in front of a list move others to the next page: so many are recognised. */
const RECOGNISED = 1_000;

/**
 * The records of a list one by one. The next page is read after the program has taken all of the one before. A record
 * that moved to the next page meanwhile is not given twice.
 */
export async function* recordsOf<Row>(
  readPage: (page: Page, call: CallOptions) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  { pageSize: limite = PAGE_SIZE, ...call }: ListOptions,
): AsyncGenerator<Row, void> {
  const seen = new Set<string>();
  for (let pagina = 1; ; pagina++) {
    const rows = await readPage({ pagina, limite }, call);
    for (const row of rows) {
      const id = idOf(row);
      if (seen.has(id)) continue;
      seen.add(id);
      yield row;
    }
    if (rows.length < limite) return;
    // The oldest come first, as a set keeps the order.
    for (const id of seen) {
      if (seen.size <= RECOGNISED) break;
      seen.delete(id);
    }
  }
}

interface CursorPage {
  cursor: string;
  limite: number;
}

/** The same for a list with cursors, in which nothing moves: each record that was there at the beginning comes once. */
export async function* recordsByCursor<Row>(
  readPage: (page: CursorPage, call: CallOptions) => Promise<readonly Row[]>,
  { pageSize: limite = PAGE_SIZE, ...call }: ListOptions,
): AsyncGenerator<Row, void> {
  for (let cursor: string | null = 'inicio'; cursor !== null; ) {
    const rows = await readPage({ cursor, limite }, call);
    yield* rows;
    cursor = answerInfo(rows)?.nextCursor ?? null;
  }
}
