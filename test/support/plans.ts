import assert from 'node:assert/strict';
import type { Client, Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { assertOk, newDriver } from './steps.ts';
import { waitUntil } from './waitUntil.ts';

/** A driver of central 1 who serves all categories, on duty at a place. */
export async function driverAt(malote: TestMalote, at: { lat: number; lng: number }): Promise<number> {
  const id = await newDriver(malote, at);
  await malote.db`
    insert into driver_categories (central_id, driver_id, category_id)
    select 1, ${id}, id from categories where central_id = 1`;
  return id;
}

export async function readPlan(operator: Client, id: string): Promise<Json> {
  return assertOk(await operator.get(`/planos/${id}`)).body.data;
}

/** Starts a plan and waits until it is ready. */
export async function planned(operator: Client, body: Json = {}): Promise<Json> {
  const { data } = assertOk(await operator.post('/planos', { segundos: 20, iteracoes: 200, ...body })).body;
  assert.equal(data.estado, 'calculando');
  let plan: Json = {};
  await waitUntil('the plan is ready', async () => {
    plan = await readPlan(operator, data.id);
    return plan.estado !== 'calculando';
  });
  assert.equal(plan.estado, 'pronto', JSON.stringify(plan));
  return plan;
}

/** Driver and deliveries of each route that gives any. */
export const givenBy = (plan: Json): [driver: string, deliveries: string[]][] =>
  plan.plano.rotas
    .filter(({ entregas }: Json) => entregas.length > 0)
    .map(({ condutor, entregas }: Json) => [condutor.id, entregas]);
