import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../support/client.ts';
import { assertWalletsBalanced } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, central } = malote;

/** A sequence that is the same in every run (Park and Miller). */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const DRIVERS = 4;
const DELIVERIES = 12;
const ROUNDS = 25;
const AT_ONCE = 12;

for (const seed of [1, 2, 3])
  test(`whatever many people do at once, every answer is an answer and every rule holds (${seed})`, async () => {
    const pick = sequence(seed);
    const drivers = await Promise.all(Array.from({ length: DRIVERS }, () => newDriver(malote)));
    const deliveries = await Promise.all(
      Array.from({ length: DELIVERIES }, (_, index) =>
        openDelivery(malote, { forma_pagamento: index % 2 ? 'R' : 'D' }, 1),
      ),
    );
    const someDelivery = () => deliveries[pick(DELIVERIES)]!;
    const someDriver = () => ({ condutor_id: drivers[pick(DRIVERS)]! });
    const step = (name: string, body: unknown = {}) =>
      operator.post(`/entregas/${someDelivery().id}/${name}`, body);
    const conclude = () => {
      const { id, stopIds } = someDelivery();
      return operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`);
    };
    const deeds: (() => Promise<Answer>)[] = [
      () => step('aceitar', someDriver()),
      () => step('aceitar', someDriver()),
      () => step('aceitar', someDriver()),
      () => step('atribuir', someDriver()),
      () => step('recusar'),
      () => step('iniciar'),
      () => step('iniciar'),
      () => step('chegar'),
      () => step('desistir'),
      conclude,
      conclude,
      () => step('finalizar'),
      () =>
        central.post(`/entregas/${someDelivery().id}/agrupar`, {
          solicitacoes_agrupadas: [someDelivery().id, someDelivery().id],
        }),
      () => central.get(`/entregas/${someDelivery().id}/links-rastreio`),
      // Cancelled rarely, so that the other steps still find deliveries.
      () =>
        pick(4) ? step('iniciar') : central.post(`/entregas/${someDelivery().id}/cancelar`, { motivo_id: 6 }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => deeds[pick(deeds.length)]!()));
      for (const answer of answers) assert.ok(answer.status < 500, answer.text);
    }
    const ids = deliveries.map(({ id }) => id);
    await assertOneCurrentEach(drivers);
    await assertWalletsBalanced(malote);
    await assertEventsTellTheStatus(ids);
  });

/** A driver has at most one current delivery, and nothing is on hold for a free driver. */
async function assertOneCurrentEach(drivers: readonly number[]): Promise<void> {
  const loads = await malote.db<{ driver_id: number; current: number; waiting: number }>`
    select driver_id, count(*) filter (where status in ('accepted', 'in_progress')) as current,
      count(*) filter (where status = 'on_hold') as waiting
    from deliveries where central_id = 1 and driver_id = any(${drivers}::bigint[]) and grouped_into is null
    group by driver_id`;
  for (const { driver_id, current, waiting } of loads) {
    assert.ok(current <= 1, `driver ${driver_id} has ${current} current deliveries`);
    assert.ok(current === 1 || waiting === 0, `driver ${driver_id} is free while ${waiting} wait for it`);
  }
}

/**
 * Events are numbered without gaps, each starts with the status in which the previous one ended, and the last one is
 * the current status.
 */
async function assertEventsTellTheStatus(ids: readonly number[]): Promise<void> {
  const recorded = await malote.db<{
    delivery_id: number;
    sequence: number;
    type: string;
    payload: Record<string, string>;
  }>`
    select delivery_id, sequence, type, payload from events
    where central_id = 1 and delivery_id = any(${ids}::bigint[]) order by delivery_id, sequence`;
  const statuses = await malote.db<{ id: number; status: string }>`
    select id, status from deliveries where central_id = 1 and id = any(${ids}::bigint[])`;
  for (const { id, status } of statuses) {
    const own = recorded.filter((event) => event.delivery_id === id);
    assert.deepEqual(
      own.map((event) => event.sequence),
      own.map((_, index) => index + 1),
    );
    const changes = own.filter((event) => event.type === 'delivery.status').map((event) => event.payload);
    for (const [index, change] of changes.entries())
      if (index > 0) assert.equal(change.previousStatus, changes[index - 1]!.status);
    assert.equal(changes.at(-1)!.status, status);
  }
}
