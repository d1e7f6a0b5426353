import { globSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');

/** A call in the code of the service. */
export interface Call {
  /** File and line. */
  place: string;
  /** The called function. */
  name: string;
  wasMade: boolean;
}

/** Lists the calls of functions whose names match, and which of them this process has made since the start. */
export function watchCalls(names: RegExp): () => Call[] {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => {
    const functions = new Map<string, Covered[]>();
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      for (const script of result) functions.set(script.url, script.functions);
    });
    session.disconnect();
    return globSync('server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
      .toSorted()
      .flatMap((path) => callsIn(path, names, functions.get(pathToFileURL(join(root, path)).href) ?? []));
  };
}

interface Covered {
  ranges: { startOffset: number; endOffset: number; count: number }[];
}

const CALL = /(?<!function |\*.*|\/\/.*)\b([a-z]\w*)(?:<\w+>)?\(/g;

/** Types are replaced by blanks before a module is compiled, so offsets are those of the file. */
function callsIn(path: string, names: RegExp, functions: readonly Covered[]): Call[] {
  const text = readFileSync(join(root, path), 'utf8');
  const ranges = functions.flatMap((each) => each.ranges);
  return [...text.matchAll(CALL)]
    .filter(([, name]) => names.test(name!))
    .map(({ 1: name, index }) => {
      const innermost = ranges
        .filter(({ startOffset, endOffset }) => startOffset <= index && index < endOffset)
        .toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0];
      const line = text.slice(0, index).split('\n').length;
      return { place: `${path}:${line}`, name: name!, wasMade: (innermost?.count ?? 0) > 0 };
    });
}
