import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf } from './cpu.ts';

const root = join(import.meta.dirname, '..');
const ROUNDS = 7;

const PROGRAMS = { source: 'server/src/main.ts', built: 'dist/server/src/main.js' };
type Program = keyof typeof PROGRAMS;

/** `npm run build`, then `npm run bench -- start`: from the start of the process to the console's first page. */
export async function run(): Promise<void> {
  if (!existsSync(join(root, PROGRAMS.built))) {
    console.error('There is no built program beside the source: run "npm run build" first.');
    process.exitCode = 2;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'malote-start-'));
  const taken: Record<Program, number[][]> = { source: [], built: [] };
  try {
    // The first start creates the demonstration, and the first of each program its cache of compiled code.
    for (let round = -1; round < ROUNDS; round += 1)
      for (const program of ['source', 'built'] as const) {
        const times = await startOnce(program, folder);
        if (round >= 0) taken[program].push(times);
      }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(
    `medians of ${ROUNDS} starts in turn, ms: listening, first page with its files, both; processor time`,
  );
  for (const [program, times] of Object.entries(taken))
    console.log(program, ...[0, 1, 2, 3].map((part) => Math.round(median(times.map((each) => each[part]!)))));
}

/** On a database that is there already, as at every start but the first. */
async function startOnce(program: Program, folder: string): Promise<number[]> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=16', join(root, PROGRAMS[program]), 'serve'],
    {
      env: {
        ...process.env,
        MALOTE_DATA: join(folder, 'data'),
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const url = await listening(child);
    const listened = performance.now();
    await firstPage(url);
    const shown = performance.now();
    return [listened - started, shown - listened, shown - started, cpuOf(child.pid) ?? Number.NaN];
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('close', () => reject(new Error(`it ended: ${said}`)));
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /(http:\/\/localhost:\d+)\/console/.exec(said) ?? [];
      if (url) resolve(url);
    });
  });
}

/** As a browser asks for it: the page, then all files that it names. */
async function firstPage(url: string): Promise<void> {
  const headers = { 'accept-encoding': 'br' };
  const page = await (await fetch(`${url}/console`, { headers })).text();
  const files = new Set([...page.matchAll(/"(\/console\/arquivos\/[^"]+)"/g)].map(([, path]) => path!));
  await Promise.all(
    [...files].map(async (path) => {
      const answer = await fetch(url + path, { headers });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
    }),
  );
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
