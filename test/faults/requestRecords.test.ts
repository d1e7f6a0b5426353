import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DatabaseDoor, doorTo } from '../support/faultyProxy.ts';
import { startMalote } from '../support/malote.ts';
import { waitUntil } from '../support/waitUntil.ts';

let door: DatabaseDoor;
const malote = await startMalote({
  connect: async (connection) => {
    door = await doorTo(connection);
    return door.connection;
  },
});
const { manager, app, db, clock } = malote;
const MISSING = '/entregas/999999/status';

test('an outage of the database loses recorded requests, counts them, and delays no answer', async () => {
  assert.equal((await manager.get(MISSING)).status, 404);
  await app.recorder.write();
  const before = app.recorder.figures();
  assert.equal((await manager.get(MISSING)).status, 404);
  door.close();
  await waitUntil('requests are refused', async () => (await manager.get(MISSING)).status === 503);
  // The batch fails, or is still trying: neither holds up an answer.
  const writing = app.recorder.write().catch(() => undefined);
  const begun = performance.now();
  assert.equal((await manager.get(MISSING)).status, 503);
  assert.ok(performance.now() - begun < 10_000, 'an answer waited for the batch');
  await writing;
  assert.ok(app.recorder.figures().dropped > before.dropped);

  await door.open();
  clock.advance({ minutes: 1 });
  let last = '';
  await waitUntil('requests are answered and recorded again', async () => {
    const answer = await manager.get(MISSING);
    last = answer.headers.get('x-request-id')!;
    if (answer.status !== 404) return false;
    await app.recorder.write();
    const [row] = await db<{ count: number }>`select count(*) from api_requests where request_id = ${last}`;
    return row!.count === 1;
  });
  const { nao_registradas: dropped } = (await malote.operator.get('/requisicoes')).body.data;
  assert.ok(dropped > 0, 'the lost ones are counted for the central');
});
