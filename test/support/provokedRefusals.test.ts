import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failures } from '../../server/src/http/failures.ts';
import { neverProvoked } from './provokedRefusals.ts';

test('a refusal that no process of the run has noted is named, whoever noted the others', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'malote-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const kinds = Object.keys(failures);
  assert.deepEqual(neverProvoked(folder), kinds);
  const [missing, ...others] = kinds;
  await writeFile(join(folder, '1'), `${others.slice(0, 10).join('\n')}\n`);
  await writeFile(join(folder, '2'), `${others.slice(5).join('\n')}\n`);
  assert.deepEqual(neverProvoked(folder), [missing]);
});
