import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '../../server/src/platform/kernel/random.ts';
import type { Answer, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, places } from '../support/orders.ts';
import { driverAt, planned } from '../support/plans.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, db } = malote;
const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });

/** Deliveries, drivers and a ready plan of them. */
async function prepared(deliveryCount: number, driverCount: number) {
  const deliveries: number[] = [];
  for (let index = 0; index < deliveryCount; index += 1) deliveries.push((await openDelivery(malote)).id);
  const drivers: number[] = [];
  for (let index = 0; index < driverCount; index += 1) drivers.push(await driverAt(malote, near(index)));
  const plan = await planned(operator, { entregas: deliveries, entregadores: drivers });
  return { deliveries, drivers, plan };
}

/** What the database must never hold, whatever happened at the same time. */
async function assertSound(deliveries: readonly number[]): Promise<void> {
  const [twice] = await db<{ count: number }>`
    select count(*) from (
      select delivery_id from offers
      where central_id = 1 and state in ('open', 'accepted') and delivery_id = any(${deliveries}::bigint[])
      group by delivery_id having count(*) > 1) many`;
  assert.equal(twice!.count, 0, 'a delivery has one open or accepted offer at most');
  const rows = await db<{ id: number; status: string; driver_id: number | null; offers: number }>`
    select d.id, d.status, d.driver_id, (select count(*) from offers o
      where o.central_id = 1 and o.delivery_id = d.id and o.state = 'open') as offers
    from deliveries d where d.central_id = 1 and d.id = any(${deliveries}::bigint[])`;
  for (const { id, status, driver_id, offers } of rows) {
    assert.equal(offers, status === 'offered' ? 1 : 0, `open offers of ${id}, which is ${status}`);
    const isCarried = ['accepted', 'on_hold', 'in_progress'].includes(status);
    if (isCarried) assert.notEqual(driver_id, null, `the driver of ${id}`);
  }
  const idle = await db<{ driver_id: number }>`
    select distinct waiting.driver_id from deliveries waiting
    where waiting.central_id = 1 and waiting.status = 'on_hold' and not exists (
      select from deliveries current
      where current.central_id = 1 and current.driver_id = waiting.driver_id
        and current.status in ('accepted', 'in_progress') and current.grouped_into is null)`;
  assert.deepEqual(idle, [], 'no driver waits for a delivery that nobody carries');
}

const assertAnswered = (answers: readonly Answer[]): void => {
  for (const { status, text } of answers) assert.ok(status < 500, `${status} ${text}`);
};

for (const modo of ['oferta', 'atribuicao'])
  test(`applied as ${modo} while the same deliveries are cancelled, edited, accepted and held: nothing is lost or done twice`, async () => {
    for (let round = 1; round <= 4; round += 1) {
      const random = randomFrom(round);
      const { deliveries, drivers, plan } = await prepared(10, 3);
      const other = await driverAt(malote, near(9));
      const acts = [
        (id: number) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }),
        (id: number) => manager.put(`/entregas/${id}`, order({ observacao: 'outra' }, 2)),
        (id: number) => operator.post(`/entregas/${id}/aceitar`, { condutor_id: other }),
        (id: number) => operator.post(`/entregas/${id}/segurar`, { motivo: 'teste' }),
        (id: number) => operator.post(`/entregas/${id}/atribuir`, { condutor_id: drivers[0] }),
      ];
      const steps = deliveries.map((id) => acts[Math.floor(random() * acts.length)]!(id));
      const applications = [1, 2, 3].map(() => operator.post(`/planos/${plan.id}/aplicar`, { modo }));
      const answers = await Promise.all([...steps, ...applications]);
      assertAnswered(answers);
      const applied = answers.slice(-3).map((answer) => assertOk(answer).body.data as Json);
      for (const { aplicadas, recusadas } of applied) {
        const named = [...aplicadas, ...recusadas].map(({ entrega }: Json) => Number(entrega));
        assert.deepEqual(
          named.sort((a, b) => a - b),
          deliveries,
          'each delivery is applied or named, once',
        );
      }
      await assertSound(deliveries);
    }
  });

test('applying and undoing at the same time leaves each delivery with a driver or searched for', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { deliveries, plan } = await prepared(6, 2);
    const modo = round % 2 === 0 ? 'oferta' : 'atribuicao';
    const answers = await Promise.all([
      operator.post(`/planos/${plan.id}/aplicar`, { modo }),
      operator.post(`/planos/${plan.id}/desfazer`),
      operator.post(`/planos/${plan.id}/aplicar`, { modo }),
      operator.post(`/planos/${plan.id}/desfazer`),
    ]);
    assertAnswered(answers);
    await assertSound(deliveries);
    await operator.post(`/planos/${plan.id}/desfazer`);
    const rows = await db<{ status: string }>`
      select distinct status from deliveries where central_id = 1 and id = any(${deliveries}::bigint[])`;
    assert.deepEqual(rows, [{ status: 'distributing' }]);
  }
});

test('two plans of the same deliveries, applied at the same time, give each to one driver', async () => {
  const { deliveries, drivers, plan } = await prepared(8, 3);
  const second = await planned(operator, { entregas: deliveries, entregadores: drivers, semente: 2 });
  const answers = await Promise.all(
    [plan, second].map(({ id }) => operator.post(`/planos/${id}/aplicar`, { modo: 'atribuicao' })),
  );
  assertAnswered(answers);
  await assertSound(deliveries);
  const [carried] = await db<{ count: number }>`
    select count(*) from deliveries where central_id = 1 and id = any(${deliveries}::bigint[])
      and status in ('accepted', 'on_hold')`;
  assert.equal(carried!.count, 8);
});
