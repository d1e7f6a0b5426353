import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { countStatements } from '../support/countStatements.ts';
import { failingTrigger } from '../support/failingTrigger.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

// A bulk is stored as a whole or not at all, and is repeated safely with its Idempotency-Key.

const malote = await startMalote();
const { manager, db, connection } = malote;

const badStop = { ...stop(), endereco_parada: 'Rua Ruim, 1' };

const KINDS = [
  { name: 'immediate', path: '/entregas/lote', body: order, stops: 'stops' },
  { name: 'scheduled', path: '/entregas/programadas/lote', body: scheduledOrder, stops: 'scheduled_stops' },
] as const;

const stored = async (): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select (select count(*) from deliveries) + (select count(*) from scheduled) as count`;
  return row!.count;
};

for (const { name, path, body, stops } of KINDS) {
  const entregas = Array.from({ length: 120 }, () => body());

  test(`${name}: what fails in the middle leaves nothing, and the same key is free again`, async (t) => {
    const key = { 'idempotency-key': `meio-${name}` };
    const broken = entregas.with(110, order({ ...body(), paradas: [badStop] }));
    const before = await stored();
    await t.test('while it fails', async (inner) => {
      await failingTrigger(db)(inner, `before insert on ${stops}`, "new.address = 'Rua Ruim, 1'");
      const answer = await manager.post(path, { entregas: broken }, key);
      assert.equal(answer.status, 500);
      assert.equal(await stored(), before);
    });
    assert.equal(assertOk(await manager.post(path, { entregas: broken }, key)).body.recusados, 0);
    assert.equal(await stored(), before + 120);
  });

  test(`${name}: a connection that is lost in the middle leaves nothing, and the repetition stores all once`, async (t) => {
    const key = { 'idempotency-key': `queda-${name}` };
    const other = new pg.Client(connection);
    await other.connect();
    t.after(() => other.end());
    const before = await stored();
    await other.query(`begin; lock table ${stops} in share mode`);
    const first = manager.post(path, { entregas }, key);
    await waitUntil('it waits for the lock', async () => (await countLockWaits(db)) === 1);
    await other.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    const lost = await first;
    assert.equal(lost.status, 503, lost.text);
    await other.query('rollback');
    assert.equal(await stored(), before);
    const again = assertOk(await manager.post(path, { entregas }, key));
    assert.equal(await stored(), before + 120);
    const replayed = await manager.post(path, { entregas }, key);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(replayed.body, again.body);
    assert.equal(await stored(), before + 120);
  });

  test(`${name}: 120 items are inserted by three statements, in one transaction`, async () => {
    if (db.isDistributed) return;
    const { result, texts } = await countStatements(() => manager.post(path, { entregas }));
    assertOk(result);
    const inserts = texts.filter((text) => text.includes(`insert into ${stops}`));
    assert.equal(inserts.length, 3);
    assert.ok(texts.length <= 6, texts.join('\n'));
  });
}

test('500 cancellations take about as many statements as 50', async () => {
  const create = async (count: number): Promise<number[]> => {
    const { body } = assertOk(
      await manager.post('/entregas/lote', { entregas: Array.from({ length: count }, () => order()) }),
    );
    return body.data.map(({ data }: { data: { id_mch: string } }) => Number(data.id_mch));
  };
  const statementsFor = async (ids: number[]): Promise<number> => {
    const { result, statements } = await countStatements(() =>
      manager.post('/entregas/cancelar', { ids, motivo_id: 2 }),
    );
    assert.equal(assertOk(result).body.recusados, 0);
    return statements.length;
  };
  const few = await statementsFor(await create(50));
  const many = await statementsFor(await create(500));
  // Ids of events are reserved in blocks.
  assert.ok(many <= few + 2, `${many} and ${few}`);
});
