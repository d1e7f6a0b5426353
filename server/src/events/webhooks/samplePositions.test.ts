import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../../../../test/support/malote.ts';
import { order } from '../../../../test/support/orders.ts';
import { samplePositions } from '../../../../test/support/rounds.ts';
import { assertOk, deliveryIn, newDriver, type TestDelivery } from '../../../../test/support/steps.ts';
import { addWebhook } from '../../../../test/support/webhookReceiver.ts';
import { tidyUp } from '../../dispatch/rounds/tidyUp.ts';

const malote = await startMalote();
const { db, clock, operator } = malote;

const sample = () => samplePositions({ db, clock });
const report = async ({ driverId }: TestDelivery, lat: number) =>
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, { lat, lng: -51.23 }));
const want = (companyId: number | null) =>
  addWebhook(db, { centralId: 1, companyId }, 'https://erp.example.com', clock.now(), ['delivery.position']);
const recorded = ({ id }: TestDelivery) =>
  db<{ lat: number; sent: number }>`
    select (payload ->> 'lat')::float as lat,
      (select count(*) from webhook_messages s where s.event_id = e.id) as sent
    from events e where type = 'delivery.position' and delivery_id = ${id} order by id`;

test('nothing is recorded without a subscribed webhook', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  await report(delivery, -30.01);
  assert.equal(await sample(), 0);
});

test('a carried delivery gets at most one position event in 15 seconds, and only for fresh positions', async () => {
  await want(1);
  const delivery = await deliveryIn(malote, 'in_progress');
  await report(delivery, -30.01);
  await sample();
  assert.deepEqual(await recorded(delivery), [{ lat: -30.01, sent: 1 }]);
  clock.advance({ seconds: 5 });
  await report(delivery, -30.02);
  await sample();
  assert.equal((await recorded(delivery)).length, 1, 'too soon');
  clock.advance({ seconds: 9 });
  await sample();
  assert.equal((await recorded(delivery)).length, 1, 'the last report is too old to be sent in time');
  clock.advance({ seconds: 1 });
  await report(delivery, -30.03);
  await sample();
  assert.deepEqual(
    (await recorded(delivery)).map(({ lat }) => lat),
    [-30.01, -30.03],
  );
});

test('a position is recorded once by simultaneous processes', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  await report(delivery, -30.01);
  await Promise.all([sample(), sample(), sample(), sample()]);
  assert.equal((await recorded(delivery)).length, 1);
  clock.advance({ seconds: 5 });
  await sample();
  assert.equal((await recorded(delivery)).length, 1);
});

test('deliveries without a driver, and those of companies without a webhook, get no position event', async () => {
  await db`delete from webhooks`;
  await want(2);
  const own = await deliveryIn(malote, 'in_progress');
  await report(own, -30.01);
  assert.equal(await sample(), 0);
  await want(null);
  const finished = await deliveryIn(malote, 'finished');
  await report(finished, -30.01);
  await sample();
  assert.equal((await recorded(own)).length, 1);
  assert.equal((await recorded(finished)).length, 0);
});

test('positions take no number of their delivery, and are dropped after a day', async () => {
  const [numbered] = await db<{ count: number }>`
    select count(*) from events where type = 'delivery.position' and sequence is not null`;
  assert.equal(numbered?.count, 0);
  clock.advance({ hours: 25 });
  assert.ok((await tidyUp({ db, clock })).positions! > 0);
  assert.deepEqual(await db`select from events where type = 'delivery.position'`, []);
});

test('a clock that ran ahead and was corrected delays no position', async () => {
  await want(1);
  const delivery = await deliveryIn(malote, 'in_progress');
  await report(delivery, -30.01);
  await sample();
  clock.advance({ hours: -3 });
  await report(delivery, -30.02);
  await sample();
  assert.deepEqual(
    (await recorded(delivery)).map(({ lat }) => lat),
    [-30.01, -30.02],
  );
});

test('the position of a delivery with a key of its own names it', async () => {
  const { body } = assertOk(await malote.manager.post('/entregas', order({ id_externo: 'PED-1' })));
  const id = Number(body.data.id_mch);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  await report({ id, driverId, stopIds: [] }, -30.01);
  await sample();
  const events = await db<{ payload: { ownKey?: string } }>`
    select payload from events where type = 'delivery.position' and delivery_id = ${id}`;
  assert.deepEqual(
    events.map(({ payload }) => payload.ownKey),
    ['PED-1'],
  );
});
