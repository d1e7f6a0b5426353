import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

// A connection binds this method when it is made, so this module must be loaded before any connection exists.
let listing: Statement[] | undefined;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const [asked, more] = given as [string | Partial<Statement>, unknown];
  const { text = '', values = Array.isArray(more) ? more : [] } =
    typeof asked === 'string' ? { text: asked } : asked;
  // A bare `select` only checks a connection.
  if (text !== 'select' && !text.includes('pg_notify')) listing?.push({ text, values });
  return query.apply(this, given);
} as typeof pg.Client.prototype.query;

/**
 * Returns the statements that this process sends during `work`, on all its connections. The begin and end of
 * transactions count; announcements of committed changes do not.
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
