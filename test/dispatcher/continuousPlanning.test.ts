import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { driverAt, givenBy, readPlan } from '../support/plans.ts';
import { planDue } from '../support/rounds.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db, clock } = malote;
const deps = malote.app.deps;
const at = { lat: Number(places[0].lat), lng: Number(places[0].lng) };
const heads = async (): Promise<Json[]> => assertOk(await operator.get('/planos')).body.data;
const statusOf = async (id: number): Promise<string> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.status;

test('continuous planning proposes or applies a plan for what nobody has accepted for long', async () => {
  const [delivery, next] = [await openDelivery(malote), await openDelivery(malote)];
  await db`update drivers set available = false where central_id = 1`;
  const driver = await driverAt(malote, at);
  clock.advance({ seconds: 130 });
  assert.equal(await planDue(deps), 0, 'it is off');

  await malote.configure({ planning: 'suggest' });
  const late = await openDelivery(malote);
  assert.equal(await planDue(deps), 2);
  const [suggested] = await heads();
  assert.deepEqual(
    [suggested!.automatico, suggested!.estado, suggested!.aplicado_em],
    [true, 'pronto', null],
  );
  const plan = await readPlan(operator, suggested!.id);
  const [[, given]] = givenBy(plan) as [[string, string[]]];
  assert.deepEqual(given.toSorted(), [String(delivery.id), String(next.id)].toSorted());
  assert.equal(await statusOf(delivery.id), 'D');

  await malote.configure({ planning: 'apply' });
  assert.equal(await planDue(deps), 0, 'not so soon after the last one');
  clock.advance({ seconds: 21 });
  assert.equal(await planDue(deps), 2);
  assert.deepEqual(
    [await statusOf(delivery.id), await statusOf(next.id), await statusOf(late.id)],
    ['G', 'G', 'D'],
  );
  const { ofertas } = assertOk(await operator.get(`/condutores/${driver}/trabalho`)).body.data;
  assert.equal(ofertas.length, 2);

  // Whoever has been asked is left in peace, also by later plans.
  clock.advance({ seconds: 30 });
  assert.equal(await planDue(deps), 0);
  const [count] = await db<{ count: number }>`
    select count(*) from offers where central_id = 1 and driver_id = ${driver}`;
  assert.equal(count!.count, 2);
});
