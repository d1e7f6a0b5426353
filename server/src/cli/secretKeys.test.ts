import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../config.ts';
import { CommandFailed } from './command.ts';
import { openSecrets, SECRET_KEY_FILE } from './secretKeys.ts';

async function aFolder(t: TestContext) {
  const MALOTE_DATA = await mkdtemp(join(tmpdir(), 'malote-keys-'));
  t.after(() => rm(MALOTE_DATA, { recursive: true }));
  const warnings: string[] = [];
  return {
    file: join(MALOTE_DATA, SECRET_KEY_FILE),
    warnings,
    open: (env: Record<string, string> = {}) =>
      openSecrets(readConfig({ MALOTE_DATA, ...env }), {
        warn: (line: unknown) => warnings.push(String(line)),
      }),
  };
}

const aKey = () => randomBytes(32).toString('base64');
const DATABASE_URL = 'postgres://malote@localhost/malote';

test('the embedded database gets a key at the first start, which only its user may read', async (t) => {
  const { open, file, warnings } = await aFolder(t);
  const sealed = (await open()).seal('secret', 'owner');
  assert.match(sealed, /^v1:/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await open()).open(sealed, 'owner'), 'secret', 'the next start reads the same key');
  assert.deepEqual(warnings, []);
});

test('a configured key precedes that of the folder, which still decrypts older values', async (t) => {
  const { open } = await aFolder(t);
  const sealed = (await open()).seal('secret', 'owner');
  const MALOTE_SECRET_KEY = aKey();
  const box = await open({ MALOTE_SECRET_KEY });
  assert.equal(box.open(sealed, 'owner'), 'secret');
  const sealedAnew = box.seal('secret', 'owner');
  const elsewhere = await open({ MALOTE_SECRET_KEY, DATABASE_URL });
  assert.equal(elsewhere.open(sealedAnew, 'owner'), 'secret');
});

test('no key is made if one is configured or with an external database', async (t) => {
  const { open, file } = await aFolder(t);
  await open({ MALOTE_SECRET_KEY: aKey() });
  await open({ DATABASE_URL });
  assert.ok(!existsSync(file));
});

test('without a key an external database stores plain secrets, and a warning says so', async (t) => {
  const { open, warnings } = await aFolder(t);
  assert.equal((await open({ DATABASE_URL })).seal('secret', 'owner'), 'secret');
  assert.match(warnings.join('\n'), /^MALOTE_SECRET_KEY is not set: [^\n]+ unencrypted[^\n]+$/);
});

test('a key file without a valid key is refused, not replaced', async (t) => {
  const { open, file } = await aFolder(t);
  await writeFile(file, 'half a k');
  await assert.rejects(open(), (error) => error instanceof CommandFailed && error.message.includes(file));
});

test('several keys are separated by commas; a mistake is named without its value', () => {
  const keys = [aKey(), aKey()];
  assert.equal(readConfig({ MALOTE_SECRET_KEY: keys.join(', ') }).secretKeys.length, 2);
  assert.throws(
    () => readConfig({ MALOTE_SECRET_KEY: `${keys[0]},too-short` }),
    (error: Error) => /MALOTE_SECRET_KEY/.test(error.message) && !/too-short/.test(error.message),
  );
});
