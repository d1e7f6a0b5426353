import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { clientSource, eventsSource } from './clientSource.ts';
import { integrationDocument } from './integrationDocument.ts';
import { writeOrCheck } from './writeOrCheck.ts';

// `node scripts/generateClient.ts` writes what of the client follows from the OpenAPI document; `--check` compares it.
const root = join(import.meta.dirname, '..');
const document = integrationDocument();

await writeOrCheck('scripts/generateClient.ts', {
  'client/src/operations.ts': formatted('operations.ts', clientSource(document)),
  'client/src/events.ts': formatted('events.ts', eventsSource(document)),
});

/** In the house's own style, so that whoever reads it cannot tell. */
function formatted(name: string, source: string): string {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['format', `--stdin-file-path=client/src/${name}`],
    { input: source, encoding: 'utf8', cwd: root },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
