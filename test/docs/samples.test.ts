import assert from 'node:assert/strict';
import { execFile, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDemoDay } from '../../server/simulation/demo/makeDemoDay.ts';
import type { OpenApiDocument, Operation } from '../../server/src/api/http/openapi.ts';
import { REFUSED_AT_FIRST } from '../../server/src/api/http/postmanPreparations.ts';
import type { CodeSample } from '../../server/src/api/http/samples/codeSamples.ts';
import { findProgram } from '../support/findProgram.ts';
import { startMalote } from '../support/malote.ts';
import { type PreparedRequest, postmanRun, type SentRequest } from '../support/postman.ts';

const root = join(import.meta.dirname, '../..');
const malote = await startMalote({ demonstration: true });
await makeDemoDay(malote);
const document = (await (await fetch(`${malote.url}/openapi.json`)).json()) as OpenApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);
const folder = mkdtempSync(join(tmpdir(), 'malote-samples-'));
after(() => rmSync(folder, { recursive: true }));

function sampleOf({ 'x-codeSamples': samples = [] }: Operation, lang: string): string {
  const found: CodeSample | undefined = samples.find((sample) => sample.lang === lang);
  assert.ok(found, lang);
  return found.source;
}

/** Writes the samples of all operations in a language into a folder of their own. */
function written(lang: string, extension: string): { name: string; file: string }[] {
  const place = join(folder, lang);
  mkdirSync(place);
  return operations.map(({ name, operation }) => {
    const file = join(place, `${operation.operationId}${extension}`);
    writeFileSync(file, sampleOf(operation, lang));
    return { name, file };
  });
}

const check = (command: string, args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });

test('every operation has a sample in each language', () => {
  for (const { name, operation } of operations)
    assert.deepEqual(
      operation['x-codeSamples']?.map(({ label }) => label),
      ['curl', 'TypeScript', 'Python', 'PHP'],
      name,
    );
});

/** The address and body of the example, replaced by those of the prepared request. */
function filledIn(source: string, { address, body }: PreparedRequest): string {
  const addressed = source.replace(/"\$MALOTE_URL[^"]*"/, () => `"${new URL(address).href}"`);
  return body === undefined ? addressed : addressed.replace(/-d '[\s\S]*'$/, () => `-d '${body}'`);
}

const { requests, prepared, keep } = postmanRun(await (await fetch(`${malote.url}/postman.json`)).json());

/** Runs the command of a sample as a person does who has set the environment. */
async function curl(item: SentRequest, source: string) {
  const request = await prepared(item);
  const { login } = request;
  const isLive = source.startsWith('curl -N');
  const { promise, resolve } = Promise.withResolvers<string>();
  writeFileSync(join(folder, 'arquivo'), Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
  execFile(
    'bash',
    ['-c', `${filledIn(source, request)} --silent --include ${isLive ? '--max-time 1' : ''}`],
    {
      cwd: folder,
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        MALOTE_URL: malote.url,
        MALOTE_API_KEY: login.key,
        MALOTE_USER: login.user,
        MALOTE_PASSWORD: login.password,
      },
    },
    (_, stdout) => resolve(stdout),
  );
  const printed = await promise;
  const [head = '', ...rest] = printed.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') };
}

test('run from top to bottom on a fresh demonstration, every curl command is answered as its example', async () => {
  const faults: string[] = [];
  for (const item of requests) {
    const [, path = ''] = item.request.url.raw.split(/\{\{url\}\}|\?/);
    const name = `${item.request.method} ${path.replace(/:(\w+)/g, '{$1}')}`;
    const { operation } = operations.find((each) => each.name === name)!;
    const { status, head, text } = await curl(item, sampleOf(operation, 'Shell'));
    const expected = REFUSED_AT_FIRST[name.replace('/api/v2', '')]?.status ?? 200;
    if (status !== expected) faults.push(`${name}: ${head} ${text}`);
    if (/x-ignored-fields/i.test(head)) faults.push(`${name}: ${head}`);
    const isJson = /content-type: application\/json/i.test(head);
    if (isJson) keep(item, { status, text, body: JSON.parse(text), headers: new Headers() });
  }
  assert.deepEqual(faults, []);
});

test('the TypeScript samples compile with the typed client', () => {
  written('TypeScript', '.ts');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: { 'malote-client': [join(root, 'client/src/index.ts')] },
        typeRoots: [join(root, 'node_modules/@types')],
        lib: ['esnext', 'dom'],
        moduleDetection: 'force',
      },
      include: ['TypeScript'],
    }),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const { status, stdout } = check(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--noEmit']);
  assert.equal(status, 0, stdout);
});

test('the Python samples compile', () => {
  written('Python', '.py');
  const python = findProgram('python3', 'the Python samples');
  if (!python) return;
  const { status, stdout } = check(python, ['-m', 'compileall', '-q', join(folder, 'Python')]);
  assert.equal(status, 0, stdout);
});

test('the PHP samples compile', () => {
  const samples = written('PHP', '.php');
  const php = findProgram('php', 'the PHP samples');
  if (!php) return;
  for (const { name, file } of samples) {
    const { status, stdout } = check(php, ['-l', file]);
    assert.equal(status, 0, `${name}: ${stdout}`);
  }
});
