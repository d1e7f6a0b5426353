import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadDemoAddresses } from '../../server/src/demo/demoAddresses.ts';
import { startWebhooks } from '../../server/src/webhooks/webhookRounds.ts';
import { formatEvent } from '../../server/src/wire/eventTypes.ts';
import type { Json } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';

const root = join(import.meta.dirname, '../..');
const GUIDES = ['docs/guide.md', 'docs/guia.pt-BR.md'];

/** A block of commands, and the answer that the guide shows below it. */
interface Step {
  commands: string;
  shown: Json;
}

async function stepsOf(guide: string): Promise<Step[]> {
  const text = await readFile(join(root, guide), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g)];
  return blocks.map(([, commands, shown]) => ({
    commands: commands!,
    shown: shown === undefined ? undefined : JSON.parse(shown),
  }));
}

// The guide's dates are relative to the reader's clock, and its demonstration has addresses.
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

for (const guide of GUIDES)
  test(`every command of ${guide} does what it says`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'malote-guide-'));
    t.after(() => rm(folder, { recursive: true }));
    const steps = await stepsOf(guide);
    assert.ok(steps.length > 10);
    const port = await freePort();
    const here = (text: string) =>
      text.replaceAll('http://localhost:3000', malote.url).replaceAll('4000', String(port));
    const script = steps.map(({ commands }, index) => `{\n${here(commands)}} > answer${index}\n`).join('\n');
    await writeFile(
      join(folder, 'guide.sh'),
      `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`,
    );
    await bash('guide.sh', folder);

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
    const events = (await readFile(join(folder, 'eventos.txt'), 'utf8')).trim().split('\n');
    assert.ok(events.some((event) => JSON.parse(event).data.status === 'C'));
  });

test('both guides give the same commands', async () => {
  const [english, portuguese] = await Promise.all(GUIDES.map(stepsOf));
  assert.deepEqual(english, portuguese);
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
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`the guide needs bash and curl: ${error.message}`)));
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
