import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../../server/src/api/operations/wire/csv.ts';
import {
  csvMoment,
  csvOf,
  PAGE_CHANGES,
  readAllChanges,
} from '../../web/console/src/pages/audit/changesFile.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db } = malote;

const readPage = async (cursor: string | null) =>
  assertOk(
    await operator.get(
      `/auditoria?autor=muitas&limite=${PAGE_CHANGES}${cursor === null ? '' : `&cursor=${cursor}`}`,
    ),
  ).body.data;

test('a file of the audit log holds all changes of its filters', async () => {
  await db`
    insert into audit_entries (central_id, id, happened_at, actor, origin, action, subject, before, after)
    select 1, 1000000 + n, '2026-11-10T12:00:00Z'::timestamptz + n * interval '1 second', 'muitas', 'operations',
      'changed', 'settings', '{}', '{"nome": "x"}'
    from generate_series(1, 5201) n`;
  const { changes, isCut } = await readAllChanges(readPage);
  assert.equal(new Set(changes.map(({ id }) => id)).size, 5_201);
  assert.equal(isCut, false);
});

test('a file that is cut says so', async () => {
  let pages = 0;
  const endless = async () => {
    pages += 1;
    return { alteracoes: [], proximo: `${pages}-1` };
  };
  assert.deepEqual(await readAllChanges(endless), { changes: [], isCut: true });
  assert.ok(pages >= 100);
});

test('a text that a spreadsheet would compute is kept a text, as in the files of the server', () => {
  for (const first of ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20']) {
    const text = `${first}1+1`;
    assert.equal(csvOf([[text]]), `\uFEFF"'${text}"\r\n`);
    assert.ok(csvLine([text]).includes(`'${text}`));
  }
  assert.equal(csvOf([['a "b"', '1=1']]), '\uFEFF"a ""b""";"1=1"\r\n');
});

test('the moment of a change is one that spreadsheets sort by, on the clock of the central', () => {
  assert.equal(csvMoment('2026-11-17T02:05:09Z', 'America/Sao_Paulo'), '16/11/2026 23:05:09');
  assert.equal(csvMoment('2026-11-17T03:00:00Z', 'America/Sao_Paulo'), '17/11/2026 00:00:00');
});
