import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from './malote.ts';
import { runText } from './runText.ts';
import { marksOf } from './written.ts';

const { db } = await startMalote();
const marks = () => marksOf(db, ['claims', 'companies']);

const WRITES = {
  'a row that is inserted': `insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (1, 'delivery', 7, 'grouping', gen_random_uuid(), now())`,
  'a row that is changed': `update claims set target_id = 8`,
  'a row that is written as it was': `update claims set target_id = target_id`,
  'a row that is deleted': `delete from claims`,
};

for (const [what, sql] of Object.entries(WRITES))
  test(`a table’s mark shows ${what}, and the mark of another table stays`, async () => {
    const before = await marks();
    await runText(db, sql, []);
    const after = await marks();
    assert.notEqual(after.claims, before.claims);
    assert.equal(after.companies, before.companies);
  });

test('a mark stays when rows are read, locked, or written by a transaction that fails', async () => {
  const before = await marks();
  await db.begin(async (tx) => runText(tx, 'select * from companies for update', []));
  await assert.rejects(
    db.begin(async (tx) => {
      await runText(tx, `update companies set name = 'Outra'`, []);
      throw new Error('undone');
    }),
    /undone/,
  );
  assert.deepEqual(await marks(), before);
});
