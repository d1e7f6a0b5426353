import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { copySearched } from '../support/states.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const LIMIT = 1_000;
const malote = await startMalote();
const { operator } = malote;
const { id } = await openDelivery(malote);

const list = async (body: Json): Promise<Json> =>
  assertOk(await operator.post('/entregas/consultar', { contar: true, ...body })).body;

/** Reads all parts of a file. */
async function file(body: Json): Promise<Json[]> {
  const parts: Json[] = [];
  do
    parts.push(
      assertOk(
        await operator.post('/entregas/exportar', {
          ...body,
          ...(parts.length > 0 && { cursor: parts.at(-1).proximo }),
        }),
      ).body.data,
    );
  while (parts.at(-1).proximo !== null);
  return parts;
}

test('a text in exactly as many records as are examined is reported as complete', async () => {
  const ids = await copySearched(malote, id, 'Serafina Completa', LIMIT);
  assert.equal(ids.length, LIMIT);
  const { total } = await list({ texto: 'serafina completa' });
  assert.deepEqual(total, { numero: LIMIT, exato: true });
  const last = (await file({ texto: 'serafina completa' })).at(-1);
  assert.deepEqual([last.linhas, last.limitado], [LIMIT, false]);
});

test('a text that more records contain limits the file, and the count says that there are more', async () => {
  await copySearched(malote, id, 'Serafina Demais', LIMIT + 1);
  const { total } = await list({ texto: 'serafina demais' });
  assert.deepEqual(total, { numero: LIMIT, exato: false });
  const parts = await file({ texto: 'serafina demais' });
  assert.deepEqual([parts.at(-1).linhas, parts.at(-1).limitado], [LIMIT, true]);
  for (const part of parts.slice(0, -1)) assert.equal(part.limitado, false, 'only the end says it');
  const [none] = await file({ texto: 'serafina demais', status: ['F'] });
  assert.deepEqual([none.linhas, none.limitado], [0, true], 'older ones may fit the other filters');
  const [all] = await file({ status: ['C'] });
  assert.equal(all.limitado, false, 'without a text nothing is left out');
});
