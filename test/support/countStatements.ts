import pg from 'pg';

// Connections take their method with them when they are made, so this stands before any of them.
let listing: string[] | undefined;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const [asked] = given as [string | { text: string }];
  const text = typeof asked === 'string' ? asked : asked.text;
  // `select` alone only tries a connection.
  if (text !== 'select' && !text.includes('pg_notify')) listing?.push(text.replace(/\s+/g, ' ').trim());
  return query.apply(this, given);
} as typeof pg.Client.prototype.query;

/**
 * The statements that this process sends meanwhile, on all its connections. Beginnings and ends of transactions count,
 * announcements of what was committed do not.
 */
export async function countStatements<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; texts: string[] }> {
  const texts: string[] = [];
  listing = texts;
  try {
    return { result: await work(), texts };
  } finally {
    listing = undefined;
  }
}
