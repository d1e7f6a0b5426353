import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PgClient } from 'pg';
import type { Answer } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { newDriver } from '../support/steps.ts';

const malote = await startMalote();
const { manager, operator, db, connection } = malote;

const AT_ONCE = 6;
const DRIVERS = 300;
const BESIDE_MS = 1_500;

interface Place {
  shardid: string;
  host: string;
  port: number;
}

interface Made {
  id: number;
  driverId: number | undefined;
}

const FIND_PLACE = `
  select p.shardid, n.nodename as host, n.nodeport as port
  from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
  where p.shardid = get_shard_id_for_distribution_column('deliveries', 1::bigint)`;

/** Moves central 1 to the other worker, as an operator of the cluster does. Returns the time that it took. */
async function moveCentral(mode: 'force_logical' | 'block_writes'): Promise<{ to: Place; ms: number }> {
  const admin = new PgClient(connection);
  await admin.connect();
  try {
    const [from] = (await admin.query<Place>(FIND_PLACE)).rows;
    const nodes = await admin.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and (nodename, nodeport) <> ($1, $2)`,
      [from!.host, from!.port],
    );
    const [other] = nodes.rows;
    const begunAt = performance.now();
    await admin.query('select citus_move_shard_placement($1, $2, $3, $4, $5, $6)', [
      ...[from!.shardid, from!.host, from!.port, other!.host, other!.port, mode],
    ]);
    const ms = performance.now() - begunAt;
    const [to] = (await admin.query<Place>(FIND_PLACE)).rows;
    assert.deepEqual([to!.host, to!.port], [other!.host, other!.port]);
    return { to: to!, ms };
  } finally {
    await admin.end();
  }
}

/** Repeats a request with the same key until it is answered, as an integrator does. */
async function insist(send: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  for (;;) {
    const answer = await send(headers);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 200) return answer;
    // An outage must be answered with 503. Any other status is a defect.
    assert.equal(answer.status, 503, answer.text);
    await sleep(100);
  }
}

const statuses = new Map<number, number>();

test('a central moves between nodes under load, and nothing that was acknowledged is lost', async (t) => {
  const made: Made[] = [];
  const drivers = await Promise.all(Array.from({ length: DRIVERS }, () => newDriver(malote)));
  let isOver = false;
  const createAndAccept = async (): Promise<void> => {
    while (!isOver) {
      const created = await insist((headers) => manager.post('/entregas', order({}, 3), headers));
      const delivery: Made = { id: Number(created.body.data.id_mch), driverId: undefined };
      made.push(delivery);
      const driverId = made.length % 2 ? undefined : drivers.pop();
      if (driverId === undefined) continue;
      await insist((headers) =>
        operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }, headers),
      );
      delivery.driverId = driverId;
    }
  };
  const load = Promise.all(Array.from({ length: AT_ONCE }, createAndAccept));
  await sleep(BESIDE_MS);
  for (const mode of ['force_logical', 'block_writes'] as const) {
    const before = made.length;
    const { to, ms } = await moveCentral(mode);
    const during = made.length - before;
    await sleep(BESIDE_MS);
    t.diagnostic(`${mode}: to ${to.host}:${to.port} in ${Math.round(ms)} ms, ${during} creations meanwhile`);
    assert.ok(made.length - before > during, 'creations go on after the move');
  }
  isOver = true;
  await load;
  t.diagnostic(`${made.length} created, answers by status: ${JSON.stringify([...statuses])}`);

  const rows = await db<{
    id: number;
    status: string;
    driver_id: number | null;
    stops: number;
    events: number;
  }>`
    select d.id, d.status, d.driver_id,
      (select count(*) from stops s where s.central_id = ${1} and s.delivery_id = d.id) as stops,
      (select count(*) from events e where e.central_id = ${1} and e.delivery_id = d.id) as events
    from deliveries d where d.central_id = ${1}`;
  const stored = new Map(rows.map((row) => [row.id, row]));
  assert.equal(stored.size, made.length, 'one delivery for each acknowledged creation');
  for (const { id, driverId } of made) {
    const row = stored.get(id);
    assert.equal(row?.stops, 3, `delivery ${id}`);
    assert.equal(row.driver_id, driverId ?? null);
    assert.equal(row.status, driverId === undefined ? 'distributing' : 'accepted');
    assert.equal(row.events, driverId === undefined ? 1 : 2);
  }
});
