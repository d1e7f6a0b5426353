import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, mkdirSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';

/**
 * Loaded into every test process by the test runner. Notes each kind of refusal that the process received by `fetch`
 * or by `node:http`, with its endpoint, once. At the end the runner names the kinds that no test provokes and those
 * that the reference does not describe. A test that reads answers from a socket calls `noteRefusal` itself.
 */
const folder = process.env.MALOTE_TEST_REFUSALS;
const fetchPlainly = globalThis.fetch;
const noted = new Set<string>();

export function noteRefusal(kind: string | null | undefined, method: string, path: string): void {
  const note = [kind, method, path.split('?', 1)[0]!.replaceAll(/(?<=\/)\d+/g, '1')].join(' ');
  if (folder === undefined || !kind || noted.has(note)) return;
  noted.add(note);
  // A clean-up of temporary files may have removed the folder.
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, String(process.pid)), `${note}\n`);
}

if (folder !== undefined) {
  globalThis.fetch = async (...given) => {
    const response = await fetchPlainly(...given);
    const [asked, init] = given;
    const { method, url } = asked instanceof Request ? asked : { method: 'GET', url: asked };
    noteRefusal(response.headers.get('x-error-kind'), init?.method ?? method, new URL(url).pathname);
    return response;
  };
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    noteRefusal(response.headers['x-error-kind']?.toString(), request.method, request.path);
  });
}
