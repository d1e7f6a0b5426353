import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

// Connections take their method with them when they are made, so this stands before any of them.
let listing: Statement[] | undefined;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const [asked, more] = given as [string | Partial<Statement>, unknown];
  const { text = '', values = Array.isArray(more) ? more : [] } =
    typeof asked === 'string' ? { text: asked } : asked;
  // `select` alone only tries a connection.
  if (text !== 'select' && !text.includes('pg_notify')) listing?.push({ text, values });
  return query.apply(this, given);
} as typeof pg.Client.prototype.query;

/**
 * The statements that this process sends meanwhile, on all its connections. Beginnings and ends of transactions count,
 * announcements of what was committed do not.
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
