import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadDemoAddresses } from '../../server/simulation/demo/demoAddresses.ts';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import type { Json } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { databaseUrlOf } from '../support/maloteProcess.ts';

const root = join(import.meta.dirname, '../..');

/** Documents with commands to run, each with its translation, which has the same commands. */
const DOCUMENTS = {
  'README.md': 'README.pt-BR.md',
  'docs/guide.md': 'docs/guia.pt-BR.md',
  'docs/operations.md': 'docs/administracao.pt-BR.md',
};
/** Commands that need files, a new folder, another server or minutes. */
const NOT_RUN =
  /npm (?:ci|start|test|run)|docker compose|\b(?:roads|addresses) import|\brestore\b|\bconformance integration\b/;
const PASSWORD = 'longa o bastante\n';

/** A block of commands, and the answer that the document shows below it. */
interface Step {
  commands: string;
  shown: Json;
}

async function stepsOf(page: string): Promise<Step[]> {
  const text = await readFile(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/ *```sh run\n([\s\S]*?) *```(?:\n\n```json\n([\s\S]*?)```)?/g)];
  return blocks.map(([, commands, shown]) => ({
    commands: commands!,
    shown: shown === undefined ? undefined : JSON.parse(shown),
  }));
}

// Dates in the guide are relative to the reader's clock, and its demonstration has addresses.
const malote = await startMalote({
  allowPrivateWebhooks: true,
  clock: testClock(Temporal.Now.instant().toString()),
});
await loadDemoAddresses(malote.db, malote.clock);
await malote.app.deps.geocoders.refresh();
const sending = startWebhooks(malote.app.deps, {
  formatEvent,
  allowPrivate: true,
  onError: (error) => assert.fail(String(error)),
});
after(() => sending.stop());

for (const [page, translation] of Object.entries(DOCUMENTS)) {
  test(`every command of ${page} does what it says`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'malote-commands-'));
    t.after(() => rm(folder, { recursive: true }));
    const steps = await stepsOf(page);
    assert.ok(steps.length > 0);
    const port = await freePort();
    const here = (text: string) =>
      text.replaceAll('http://localhost:3000', malote.url).replaceAll('4000', String(port));
    const script = steps.map(({ commands }, index) => `{\n${here(commands)}} > answer${index}\n`).join('\n');
    await writeFile(join(folder, 'password'), PASSWORD);
    await writeFile(
      join(folder, 'commands.sh'),
      `set -euo pipefail
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
npx() { shift; node '${join(root, 'bin/malote.mjs')}' "$@" < password; }
${script}`,
    );
    await bash('commands.sh', folder);

    for (const [index, { commands, shown }] of steps.entries()) {
      const printed = await readFile(join(folder, `answer${index}`), 'utf8');
      // Some steps print several answers in a row.
      const answers: Json[] = printed
        .split(/(?=\{"(?:success|type)":)/)
        .filter((text) => text.startsWith('{"success"'))
        .map((text) => JSON.parse(text));
      if (shown === undefined)
        for (const answer of answers) assert.equal(answer.success, true, `${commands}${printed}`);
      else assert.deepEqual(shapeOf(answers.at(-1)), shapeOf(shown), `${commands}${printed}`);
    }
    if (page !== 'docs/guide.md') return;
    const events = (await readFile(join(folder, 'eventos.txt'), 'utf8')).trim().split('\n');
    assert.ok(events.some((event) => JSON.parse(event).data.status === 'C'));
  });

  test(`${translation} gives the same commands as ${page}`, async () => {
    assert.deepEqual(await stepsOf(translation), await stepsOf(page));
  });
}

test('no document has commands for a running service that no test runs', () => {
  const unmarked = globSync('{*.md,docs/*.md}', { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
      .map(([, commands]) => commands!)
      .filter((commands) => /\bcurl |\bnpx malote /.test(commands) && !NOT_RUN.test(commands))
      .map((commands) => `${page}: ${commands}`),
  );
  assert.deepEqual(unmarked, []);
});

/**
 * Keeps names, kinds and messages; all other values differ from day to day. A list is represented by its first item.
 */
function shapeOf(value: Json, name = ''): unknown {
  if (Array.isArray(value))
    return (name === 'errors' ? value : value.slice(0, 1)).map((item) => shapeOf(item));
  if (name === 'message') return value.replace(/\d+/g, '0');
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shapeOf(field, key)]));
}

function bash(script: string, folder: string): Promise<void> {
  const child = spawn('bash', [script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      DATABASE_URL: databaseUrlOf(malote.connection),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`these commands need bash and curl: ${error.message}`)));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${code}: ${said}`))));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
