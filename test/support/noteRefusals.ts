import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loaded into every test process by the test runner. Notes the kinds of the refusals that the process was answered
 * with, each once, so that the runner can tell at the end which ones no test provokes.
 */
const folder = process.env.MALOTE_TEST_REFUSALS;
const fetchPlainly = globalThis.fetch;
const noted = new Set<string>();

if (folder !== undefined)
  globalThis.fetch = async (...given) => {
    const response = await fetchPlainly(...given);
    const kind = response.headers.get('x-error-kind');
    if (kind !== null && !noted.has(kind)) {
      noted.add(kind);
      // Somebody may have tidied up the folder of temporary files.
      mkdirSync(folder, { recursive: true });
      appendFileSync(join(folder, String(process.pid)), `${kind}\n`);
    }
    return response;
  };
