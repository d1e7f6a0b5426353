import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../../../../test/support/malote.ts';
import { openDelivery } from '../../../../test/support/steps.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { indexBatch, indexCentral } from './indexCentral.ts';
import { mergeWords } from './indexStore.ts';
import { startIndexing } from './startIndexing.ts';

const malote = await startMalote();
const { db } = malote;
const { deps } = malote.app;
await db`create extension pgstattuple`;
await indexCentral(deps, 1);

const kept = async (): Promise<number> => {
  const [row] = await db<{ tuples: number }>`
    select pending_tuples::integer as tuples from pgstatginindex('search_entries_words')`;
  return row!.tuples;
};

test('the words of new entries are in the pending list until they are merged', async () => {
  assert.equal(await kept(), 0);
  await openDelivery(malote);
  await indexBatch(deps, 1, { eventIds: [], scans: true });
  assert.ok((await kept()) > 0);
  await mergeWords(db);
  assert.equal(await kept(), 0);
});

test('the indexing merges what it has written', async (t) => {
  const errors: unknown[] = [];
  const { id } = await openDelivery(malote);
  const indexing = startIndexing(deps, (error) => errors.push(error));
  t.after(() => indexing.stop());
  await waitUntil('the delivery is indexed', async () => {
    const rows = await db`
      select from search_entries where central_id = 1 and noun = 'delivery' and id = ${id}`;
    return rows.length === 1;
  });
  await waitUntil('its words are merged', async () => (await kept()) === 0);
  assert.deepEqual(errors, []);
});
