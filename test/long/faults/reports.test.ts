import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rebuildTotals } from '../../../server/src/insight/reports/keepTotals.ts';
import { type Client, client } from '../../support/client.ts';
import { testClock } from '../../support/clock.ts';
import { at, start, stopsOf } from '../../support/grouping.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { startMalote } from '../../support/malote.ts';
import { databaseUrlOf, type Service, START_MS, startService } from '../../support/maloteProcess.ts';
import { readTotals } from '../../support/reportTotals.ts';
import { assertOk, openDelivery } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const DELIVERIES = 40;

// The service uses the machine's clock, and a delivery that waits for a driver for too long would end.
const malote = await startMalote({ clock: testClock(Temporal.Now.instant().toString()) });
const { db } = malote;
const env = {
  DATABASE_URL: databaseUrlOf(malote.connection),
  MALOTE_COURIERS: 'off',
  MALOTE_LOG: 'info',
};

/** A delivery and the request that ends it. */
interface Ending {
  id: number;
  end(service: Service): Promise<unknown>;
}

const login = ({ url }: Service, user: string, base: string): Client =>
  client(`${url}/api/v2/${base}`, { key: 'demo-chave', user, password: 'demo' });

async function toBeEnded(number: number): Promise<Ending> {
  if (number % 2 === 0) {
    const { id } = await openDelivery(malote);
    return {
      id,
      end: (service) =>
        login(service, 'gerente', 'integracao').post(`/entregas/${id}/cancelar`, { motivo_id: 2 }),
    };
  }
  const id = await start(malote, at(number % 5));
  for (const stop of await stopsOf(malote, { noun: 'delivery', id }))
    assertOk(await malote.operator.post(`/entregas/${id}/paradas/${stop.id}/concluir`, {}));
  return {
    id,
    end: (service) => login(service, 'central', 'operacao').post(`/entregas/${id}/finalizar`, {}),
  };
}

const countEnded = async (): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select count(*) from deliveries where central_id = 1 and status in ('finished', 'cancelled', 'not_attended')`;
  return row!.count;
};

/** Ends deliveries one after another until the service is gone or `limit` requests were sent. */
async function endSome(service: Service, endings: Ending[], limit: number): Promise<void> {
  for (const ending of endings.splice(0, limit))
    if ((await ending.end(service).catch(() => undefined)) === undefined) endings.push(ending);
}

/** Blocks counting in the middle of its transaction, where it takes a delivery out of the queue. */
async function holdQueued(): Promise<{ release(): Promise<void> } | undefined> {
  const [held, released] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const holding = db.begin(async (tx) => {
    const rows = await tx`select delivery_id from report_queue where central_id = 1 limit 1 for update`;
    held.resolve(rows.length);
    await released.promise;
  });
  const release = async () => {
    released.resolve();
    await holding;
  };
  if ((await held.promise) === 1) return { release };
  await release();
  return undefined;
}

test('deliveries that end while the service is killed in the middle of counting are counted once each', async () => {
  const endings: Ending[] = [];
  for (let number = 0; number < DELIVERIES; number += 1) endings.push(await toBeEnded(number));
  const killed = await startService(env);
  await endSome(killed, endings, 9);
  let queued: Awaited<ReturnType<typeof holdQueued>>;
  // A round may come first and empty the queue.
  for (; !queued; queued = await holdQueued()) await endSome(killed, endings, 1);
  await waitUntil('the service counts', async () => (await countLockWaits(db)) > 0, START_MS);
  const ending = endSome(killed, endings, 15);
  killed.signal('SIGKILL');
  await Promise.all([killed.ended, ending]);
  await queued.release();

  const service = await startService(env);
  // A request whose answer was lost may have been carried out, and is then refused here.
  await endSome(service, endings, endings.length);
  assert.equal(await countEnded(), DELIVERIES);
  await waitUntil(
    'nothing is left to count',
    async () => (await db`select 1 from report_queue where central_id = 1`).length === 0,
    START_MS,
  );
  service.signal('SIGTERM');
  assert.equal((await service.ended).code, 0, service.stdout());

  const counted = await db`
    select sum(finished)::bigint as finished, sum(cancelled)::bigint as cancelled,
      sum(not_attended)::bigint as "notAttended"
    from report_days where central_id = 1 and kind = 'total'`;
  const ended = await db`
    select count(*) filter (where status = 'finished') as finished,
      count(*) filter (where status = 'cancelled') as cancelled,
      count(*) filter (where status = 'not_attended') as "notAttended"
    from deliveries where central_id = 1`;
  assert.deepEqual(counted, ended);
  const kept = await readTotals(db);
  assert.equal(await rebuildTotals(malote.app.deps, 1), DELIVERIES);
  assert.deepEqual(await readTotals(db), kept);
});
