import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { failures } from '../../server/src/api/http/failures/failures.ts';
import { neverDocumented, neverProvoked } from './provokedRefusals.ts';

test('a refusal that no process of the run has noted is named', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'malote-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const kinds = Object.keys(failures);
  assert.deepEqual(neverProvoked(folder), kinds);
  const [missing, ...others] = kinds;
  await writeFile(join(folder, '1'), `${others.slice(0, 10).join('\n')}\n`);
  await writeFile(join(folder, '2'), `${others.slice(5).join('\n')}\n`);
  assert.deepEqual(neverProvoked(folder), [missing]);
});

test('a refusal that an endpoint answers with but does not document is named with its endpoint', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'malote-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const base = '/api/v2/integracao/entregas';
  const documented = [
    `delivery-not-found GET ${base}/1`,
    `bad-credentials POST ${base}/consultar`,
    `rate-limited POST ${base}/consultar/`,
    `own-attempt-running POST ${base}/1/cancelar`,
    `invalid-input GET ${base}/bandeiras/areas-atuacao`,
    `route-not-found GET ${base}/1/nada`,
  ];
  await writeFile(join(folder, '1'), `${documented.join('\n')}\n`);
  assert.deepEqual(await neverDocumented(folder), []);
  await writeFile(join(folder, '2'), `webhook-not-found PUT ${base}/1\nlast-stop POST ${base}/consultar\n`);
  assert.deepEqual(await neverDocumented(folder), [
    `last-stop of POST ${base}/consultar`,
    `webhook-not-found of PUT ${base}/{id}`,
  ]);
});
