import { answerInfo } from './answerInfo.ts';
import type { CallOptions } from './request.ts';
import { pause } from './retry.ts';

export interface ListOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** How many records are read at once: 1 to 100, and 100 by default. */
  pageSize?: number;
}

interface Page {
  pagina: number;
  limite: number;
}

interface CursorPage {
  cursor: string;
  limite: number;
}

type Read<Row, Asked> = (page: Asked, call: CallOptions) => Promise<readonly Row[]>;

const PAGE_SIZE = 100;
/** The cursor of the first page. */
const START = 'inicio';
/** Records that come in front of a list by page move others to the next page: so many are recognised. */
const RECOGNISED = 1_000;
const POLL_MS = 10_000;

/**
 * The records of a list by page, one by one. The next page is read after the program has taken all of the one before.
 * A record that moved to the next page meanwhile is not given twice.
 */
export async function* recordsOf<Row>(
  readPage: Read<Row, Page>,
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

/** The records of a list by cursor, one by one: each that was there at the beginning comes exactly once. */
export async function* recordsByCursor<Row>(
  readPage: Read<Row, CursorPage>,
  { pageSize: limite = PAGE_SIZE, ...call }: ListOptions,
): AsyncGenerator<Row, void> {
  let cursor: string | null = START;
  while (cursor !== null) {
    const rows: readonly Row[] = await readPage({ cursor, limite }, call);
    yield* rows;
    // A page may be short, or empty, before the last one.
    cursor = cursorAfter(rows);
  }
}

export interface ChangeOptions extends ListOptions {
  /** The cursor that your program stored last. Without it the changes begin at `since`. */
  cursor?: string | null | undefined;
  /** Ends when all changes of this moment are read, instead of waiting for more. */
  untilNow?: boolean;
  /** The pause before more changes are asked for; 10 seconds by default. */
  pollMs?: number;
}

/** Changed records. Store `cursor` together with what you made of them, and go on from there at any time. */
export interface Changes<Row> {
  rows: readonly Row[];
  cursor: string;
}

/** What changed, page by page, in the order of the changes. */
export async function* changesOf<Row>(
  readPage: Read<Row, CursorPage>,
  { pageSize: limite = PAGE_SIZE, cursor: stored, untilNow, pollMs = POLL_MS, ...call }: ChangeOptions,
): AsyncGenerator<Changes<Row>, void> {
  for (let cursor = stored ?? START; ; ) {
    const rows = await readPage({ cursor, limite }, call);
    cursor = cursorAfter(rows) ?? cursor;
    if (rows.length > 0) yield { rows, cursor };
    if (answerInfo(rows)?.hasMore) continue;
    if (untilNow) return;
    await pause(pollMs, call.signal);
  }
}

/** A service that ignores cursors would answer the first page again and again. */
function cursorAfter(rows: readonly unknown[]): string | null {
  const next = answerInfo(rows)?.nextCursor;
  if (next === undefined) throw new Error('the service has no lists by cursor: it is older than this client');
  return next;
}
