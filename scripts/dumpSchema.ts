import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts';
import { migrate } from '../server/src/platform/postgres/migrate.ts';
import { describeSchema } from './describeSchema.ts';

// `node scripts/dumpSchema.ts` writes schema.sql, the result of all migrations; `--check` compares it.
const file = join(import.meta.dirname, '../schema.sql');
const HEADER = `-- What all migrations together make, for reading and review. Written by scripts/dumpSchema.ts.\n\n`;
const now = HEADER + (await migratedSchema());

if (process.argv.includes('--check')) {
  const written = await readFile(file, 'utf8').catch(() => '');
  if (written !== now) {
    console.error(
      `schema.sql is not what the migrations make: run "npx node scripts/dumpSchema.ts"\n${firstDifference(written, now)}`,
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(file, now);
}

async function migratedSchema(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-schema-'));
  try {
    const server = await startEmbeddedPostgres({ folder, settings: { fsync: 'off' } });
    const client = new Client(server.connection);
    try {
      await migrate(server.connection);
      await client.connect();
      return await describeSchema(client);
    } finally {
      await client.end();
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function firstDifference(written: string, made: string): string {
  const [before, after] = [written.split('\n'), made.split('\n')];
  const line = after.findIndex((text, index) => text !== before[index]);
  const at = line === -1 ? after.length : line;
  return `line ${at + 1}\n  written: ${before[at] ?? '(end)'}\n  made:    ${after[at] ?? '(end)'}`;
}
