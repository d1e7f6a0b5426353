import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failures } from '../../server/src/api/http/failures/failures.ts';
import { describeApis } from '../../server/src/api/http/openapi.ts';
import { apis } from './everyEndpoint.ts';

interface Note {
  kind: string;
  method: string;
  path: string;
}

/** The notes that the processes of the run have written to this folder (noteRefusals.ts). */
function notesIn(folder: string): Note[] {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return [...new Set(lines)].map((line) => {
    const [kind = '', method = '', path = ''] = line.split(' ');
    return { kind, method, path };
  });
}

/** The refusals of the table that no process noted. */
export function neverProvoked(folder: string): string[] {
  const provoked = new Set(notesIn(folder).map(({ kind }) => kind));
  return Object.keys(failures).filter((kind) => !provoked.has(kind));
}

/** Refusals about the request in general: any endpoint may answer with them. */
const OF_REQUESTS = new Set([
  'invalid-input',
  'route-not-found',
  'host-not-served',
  'method-not-allowed',
  'body-too-large',
]);

/** Refusals that an endpoint answered with but the reference does not describe for it. */
export async function neverDocumented(folder: string): Promise<string[]> {
  const { paths, components } = await describeApis(apis, undefined);
  const { responses } = components as { responses: Record<string, DescribedResponse> };
  // Fixed names take precedence over ids: /entregas/consultar does not match /entregas/{id}.
  const patterns = Object.keys(paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`) }));
  const undocumented = notesIn(folder).flatMap(({ kind, method, path: asked }) => {
    const isIts = ({ path, pattern }: (typeof patterns)[number]) =>
      pattern.test(asked) && method.toLowerCase() in paths[path]!;
    const path = patterns.find(isIts)?.path;
    if (path === undefined || OF_REQUESTS.has(kind)) return [];
    const documented = Object.values(paths[path]![method.toLowerCase()]!.responses).flatMap((response) => {
      const whole = (
        response.$ref ? responses[response.$ref.split('/').at(-1)!] : response
      ) as DescribedResponse;
      return Object.keys(whole.content?.['application/json']?.examples ?? {});
    });
    return documented.includes(kind) ? [] : [`${kind} of ${method} ${path}`];
  });
  return [...new Set(undocumented)].sort();
}

interface DescribedResponse {
  content?: Record<string, { examples?: object }>;
}
