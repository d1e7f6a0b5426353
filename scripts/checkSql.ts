import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts';
import { migrate } from '../server/src/platform/postgres/migrate.ts';
import { sqlFaults } from './sql/compare.ts';
import { openDescriber } from './sql/describe.ts';
import { reviewedExceptions } from './sql/exceptions.ts';
import { readStatements, type Statement } from './sql/statements.ts';

// `node scripts/checkSql.ts` prepares every statement of the server against the schema, without running it, and
// compares its columns and parameters with the types that the program claims.
const exceptions = reviewedExceptions();
const statements = readStatements(join(import.meta.dirname, '..'), 'server', exceptions.isUnread);
const faults = [...(await compareWithSchema(statements)), ...exceptions.unused()];
console.log([`${statements.length} statements, variants included`, ...faults].join('\n'));
if (faults.length > 0) process.exitCode = 1;

async function compareWithSchema(read: readonly Statement[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-sql-'));
  try {
    const server = await startEmbeddedPostgres({ folder, settings: { fsync: 'off' } });
    const client = new Client(server.connection);
    try {
      await migrate(server.connection);
      await client.connect();
      return await sqlFaults(read, await openDescriber(client), exceptions.isNeverNull);
    } finally {
      await client.end();
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
