import pg from 'pg';
import { Batch } from '../../server/src/platform/postgres/batch.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

// A connection binds this method when it is made, so this module must be loaded before any connection exists.
let listing: Statement[] | undefined;
/** Connections in a transaction that writes the record of requests, which happens every few seconds. */
const recording = new WeakSet<pg.Client>();
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const { text, values } = read(given);
  if (text.includes('insert into api_request_days')) recording.add(this);
  // A bare `select` only checks a connection.
  if (text !== 'select' && !text.includes('pg_notify') && !recording.has(this))
    listing?.push({ text, values });
  if (/^(commit|rollback)\b/.test(text)) recording.delete(this);
  return query.apply(this, given);
} as typeof pg.Client.prototype.query;

function read([asked, more]: unknown[]): Statement {
  if (asked instanceof Batch)
    return {
      text: asked.statements.map(({ text }) => text).join(';\n'),
      values: asked.statements.flatMap(({ values }) => values),
    };
  const { text, values = [] } =
    typeof asked === 'string' ? { text: asked, values: more as unknown[] } : (asked as Statement);
  return { text, values };
}

/**
 * Returns the statements that this process sends during `work`, on all its connections. The begin and end of
 * transactions count; announcements of committed changes and the record of requests do not.
 */
export async function countStatements<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: Statement[]; texts: string[] }> {
  const statements: Statement[] = [];
  listing = statements;
  try {
    const result = await work();
    return { result, statements, texts: statements.map(({ text }) => text.replace(/\s+/g, ' ').trim()) };
  } finally {
    listing = undefined;
  }
}
