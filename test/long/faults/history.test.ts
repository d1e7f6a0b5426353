import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { wholeCentral } from '../../../server/src/centrals/caller.ts';
import { rebuildTotals } from '../../../server/src/insight/reports/keepTotals.ts';
import { findMatchingIds } from '../../../server/src/insight/search/findMatches.ts';
import { priceBooks } from '../../../server/src/money/pricing/priceBook.ts';
import { openDatabase } from '../../../server/src/platform/postgres/database.ts';
import { testClock } from '../../support/clock.ts';
import { startMalote } from '../../support/malote.ts';
import { databaseUrlOf, START_MS, spawnMalote } from '../../support/maloteProcess.ts';
import { order, stop } from '../../support/orders.ts';
import { readTotals } from '../../support/reportTotals.ts';
import { runText } from '../../support/runText.ts';
import { schedule } from '../../support/scheduled.ts';
import { copyDelivery } from '../../support/states.ts';
import { assertOk, deliveryIn } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** More than one transaction of either back-fill processes, so that two processes can share the work. */
const COPIES = 1_200;

/** A history that is neither counted nor indexed: deliveries that have ended in every way, open ones and scheduled ones. */
async function makeHistory() {
  // The processes use the machine's clock, by which this is the day before.
  const malote = await startMalote({
    clock: testClock(Temporal.Now.instant().subtract({ hours: 30 }).toString()),
  });
  const finished = await deliveryIn(malote, 'finished', 2);
  const cancelled = await deliveryIn(malote, 'cancelled');
  const notAttended = await deliveryIn(malote, 'not_attended');
  await deliveryIn(malote, 'in_progress');
  for (const { id } of [finished, cancelled, notAttended]) await copyDelivery(malote.db, id, COPIES / 3);
  const { body } = assertOk(
    await malote.manager.post(
      '/entregas',
      order({ paradas: [{ ...stop(), nome_cliente_parada: 'Zulmira Antiga' }] }),
    ),
  );
  const [tomorrow] = [Temporal.Now.zonedDateTimeISO('America/Sao_Paulo').add({ days: 1 }).toPlainDate()];
  const scheduledId = await schedule(malote.manager, { data: tomorrow.toLocaleString('pt-BR') });
  for (const table of ['report_queue', 'report_days', 'report_hours', 'report_reasons'])
    await runText(malote.db, `truncate ${table}`, []);
  await runText(malote.db, 'truncate report_states', []);
  await runText(
    malote.db,
    'insert into report_states (central_id, is_complete) select id, false from centrals',
    [],
  );
  await runText(malote.db, 'truncate search_entries, search_words, search_progress', []);
  return { connection: malote.connection, deliveryId: Number(body.data.id_mch), scheduledId };
}

test('a history that is not counted and not indexed is counted and indexed once, by two processes at once', async (t) => {
  const { connection, deliveryId, scheduledId } = await makeHistory();
  const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
  after(() => db.close());
  // Records each write of a search entry.
  await runText(
    db,
    'create table index_writes (noun text, id bigint, pid integer default pg_backend_pid())',
    [],
  );
  await runText(
    db,
    `create function note_index_write() returns trigger language plpgsql as $$
     begin insert into index_writes (noun, id) values (new.noun, new.id); return null; end $$`,
    [],
  );
  await runText(
    db,
    `create trigger note_index_write after insert or update on search_entries for each row
     when (new.central_id = 1 and new.noun in ('delivery', 'scheduled')) execute function note_index_write()`,
    [],
  );

  const env = { DATABASE_URL: databaseUrlOf(connection), MALOTE_COURIERS: 'off', MALOTE_LOG: 'warn' };
  const processes = [spawnMalote(['work'], { env }), spawnMalote(['work'], { env })];
  t.after(() => {
    for (const { child } of processes) child.kill('SIGKILL');
  });
  await waitUntil(
    'all history is counted and indexed',
    async () => {
      const [left] = await db<{ count: number }>`
        select (select count(*) from report_states where not is_complete) + (select count(*) from report_queue)
          + (select count(*) from search_progress where deliveries_below > 0 or scheduled_below > 0)
          + (select count(*) from deliveries where central_id = 1 and status in ('distributing', 'offered', 'pending'))
          + (select count(*) from centrals where id not in (select central_id from search_progress)) as count`;
      return left!.count === 0;
    },
    START_MS,
  ).catch((error: Error) =>
    assert.fail(`${error.message}: ${processes.map(({ stdout }) => stdout()).join()}`),
  );
  for (const { child } of processes) child.kill('SIGTERM');
  for (const { ended } of processes) assert.equal((await ended).code, 0);

  const counted = await db`
    select sum(finished)::bigint as finished, sum(cancelled)::bigint as cancelled,
      sum(not_attended)::bigint as "notAttended"
    from report_days where central_id = 1 and kind = 'total'`;
  const ended = await db<{ finished: number }>`
    select count(*) filter (where status = 'finished') as finished,
      count(*) filter (where status = 'cancelled') as cancelled,
      count(*) filter (where status = 'not_attended') as "notAttended"
    from deliveries where central_id = 1`;
  assert.deepEqual(counted, ended);
  assert.equal(ended[0]!.finished, COPIES / 3 + 1);
  const kept = await readTotals(db);
  await rebuildTotals({ db, priceBooks: priceBooks(db) }, 1);
  assert.deepEqual(await readTotals(db), kept);

  const missing = await db`
    select noun, id from (
      select 'delivery' as noun, id from deliveries where central_id = 1
      union all select 'scheduled', id from scheduled where central_id = 1
      union all select 'company', id from companies where central_id = 1
      union all select 'driver', id from drivers where central_id = 1) known
    where not exists (
      select from search_entries e
      where e.central_id = 1 and e.noun = known.noun and e.id = known.id and e.sequence >= 0 and e.words <> '')`;
  assert.deepEqual(missing, []);
  const twice = await db`
    select noun, id, count(*) from index_writes group by noun, id having count(*) > 1 order by noun, id`;
  assert.deepEqual(twice, []);
  assert.deepEqual(await findMatchingIds(db, wholeCentral(1), 'delivery', 'zulmira antiga', 10), [
    deliveryId,
  ]);
  assert.ok((await findMatchingIds(db, wholeCentral(1), 'scheduled', 'ipiranga', 10)).includes(scheduledId));
});
