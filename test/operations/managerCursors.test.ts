import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { schedule } from '../support/scheduled.ts';
import { copyDelivery } from '../support/states.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

/*
 * A search that has examined enough rows returns the key of the last examined row, from which it continues. Here more
 * rows of another company than are examined at once precede the manager's, who must learn nothing of them.
 */
const malote = await startMalote();
const { db } = malote;
const manager = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const OTHERS = 5_001;
let [own, scheduled, driverId] = [0, 0, 0];

before(async () => {
  driverId = await newDriver(malote);
  own = (await openDelivery(malote)).id;
  const at = malote.clock.now().toString();
  const times = { accepted_at: at, started_at: at, finished_at: at };
  scheduled = await schedule(malote.manager, { hora: '14:00:00' });
  const theirs = await schedule(malote.manager2, { hora: '16:00:00' });
  await copyDelivery(db, own, OTHERS, { company_id: 2 });
  await copyDelivery(db, own, OTHERS, { company_id: 2, status: 'finished', driver_id: driverId, ...times });
  await db`
    insert into scheduled
    select copy.* from scheduled s, generate_series(1, ${OTHERS}) n, jsonb_populate_record(
      null::scheduled, to_jsonb(s) || jsonb_build_object('id', 1000000 + n)) copy
    where s.central_id = 1 and s.id = ${theirs}`;
});

const found = async (path: string, filter: Json): Promise<Json> => {
  const { data, proximo, busca_continua } = assertOk(
    await manager.post(`${path}/consultar`, { ...filter, limite: 100 }),
  ).body;
  return { ids: data.map((row: Json) => Number(row.id_mch_programada ?? row.id)), proximo, busca_continua };
};

const all = { proximo: null, busca_continua: false };

test('open deliveries of a manager are found among those of others', async () => {
  const { status } = assertOk(await manager.post('/entregas/consultar', {})).body.data[0];
  assert.deepEqual(await found('/entregas', { status: [status] }), { ids: [own], ...all });
});

test('a manager who asks for a driver’s deliveries learns nothing of those for others', async () => {
  assert.deepEqual(await found('/entregas', { condutor_id: driverId }), { ids: [], ...all });
});

test('scheduled deliveries of a manager are found among those of others', async () => {
  assert.deepEqual(await found('/programadas', { situacao: ['A'] }), { ids: [scheduled], ...all });
});
