import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loaded into every test process by the test runner. Notes each kind of refusal that the process received, with its
 * endpoint, once. At the end the runner names the kinds that no test provokes and those that the reference does not
 * describe.
 */
const folder = process.env.MALOTE_TEST_REFUSALS;
const fetchPlainly = globalThis.fetch;
const noted = new Set<string>();

if (folder !== undefined)
  globalThis.fetch = async (...given) => {
    const response = await fetchPlainly(...given);
    const kind = response.headers.get('x-error-kind');
    if (kind === null) return response;
    const [asked, { method = 'GET' } = {}] = given;
    const url = URL.parse(String(asked instanceof Request ? asked.url : asked));
    const note = [kind, method, url?.pathname.replaceAll(/(?<=\/)\d+/g, '1')].join(' ');
    if (!noted.has(note)) {
      noted.add(note);
      // A clean-up of temporary files may have removed the folder.
      mkdirSync(folder, { recursive: true });
      appendFileSync(join(folder, String(process.pid)), `${note}\n`);
    }
    return response;
  };
