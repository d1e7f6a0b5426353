import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import type { Json } from '../support/client.ts';
import {
  allDeliveries,
  allScheduled,
  assertCatchesUp,
  followDeliveries,
  followScheduled,
} from '../support/followers.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

// Whoever follows the changes has, in the end, what the tables have, whatever was written meanwhile.
const malote = await startMalote();
const { central, manager, operator, db, clock } = malote;

/** Deterministic, so that a failure can be repeated. */
function dice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * sides) % sides;
  };
}

/** Any number of these run at the same time on the same records. Most steps are refused, which is fine. */
async function write(seed: number, steps: number, ids: number[], scheduledIds: number[], drivers: number[]) {
  const roll = dice(seed);
  const one = (list: number[]): number => list[roll(list.length)] ?? 1;
  const deliveries: (() => Promise<unknown>)[] = [
    async () => {
      const made = await manager.post('/entregas', order({ forma_pagamento: 'D' }, 1 + roll(3)));
      if (made.status === 200) ids.push(Number(made.body.data.id_mch));
    },
    () => operator.post(`/entregas/${one(ids)}/aceitar`, { condutor_id: one(drivers) }),
    () => operator.post(`/entregas/${one(ids)}/chegar`),
    () => operator.post(`/entregas/${one(ids)}/iniciar`),
    () => operator.post(`/entregas/${one(ids)}/desistir`),
    () => operator.post(`/entregas/${one(ids)}/finalizar`),
    () => manager.put(`/entregas/${one(ids)}`, order({}, 1 + roll(3))),
    () => manager.post(`/entregas/${one(ids)}/cancelar`, { motivo_id: 2 }),
    () => manager.post(`/entregas/${one(ids)}/agrupar`, { solicitacoes_agrupadas: [one(ids), one(ids)] }),
    async () => {
      const id = one(ids);
      const { body } = await operator.get(`/entregas/${id}`);
      const parada = body.data?.paradas?.[0]?.id;
      if (parada === undefined) return;
      if (roll(2)) await manager.delete(`/entregas/${id}/paradas/${parada}`);
      else await operator.post(`/entregas/${id}/paradas/${parada}/concluir`);
    },
  ];
  const scheduled: (() => Promise<unknown>)[] = [
    async () => scheduledIds.push(await schedule(manager, { hora: `1${3 + roll(4)}:00:00` }, 1 + roll(3))),
    () =>
      manager.put(
        `/entregas/programadas/${one(scheduledIds)}`,
        scheduledOrder({ hora: '16:20:00' }, 1 + roll(2)),
      ),
    () =>
      manager.post(`/entregas/programadas/${one(scheduledIds)}/agrupar`, {
        programadas_agrupadas: [one(scheduledIds), one(scheduledIds)],
      }),
    () => operator.post(`/programadas/${one(scheduledIds)}/cancelar`),
    () =>
      manager.post(`/entregas/${one(ids)}/agrupar/programadas`, {
        programadas_agrupadas: [one(scheduledIds)],
      }),
    async () => {
      await db`
        update scheduled set dispatch_at = ${clock.now()}
        where central_id = 1 and id = ${one(scheduledIds)} and situation = 'awaiting'`;
      await dispatchDue({ ...malote.app.deps, log: { error: () => undefined } });
    },
  ];
  for (let step = 0; step < steps; step += 1) {
    const table = roll(3) ? deliveries : scheduled;
    await table[roll(table.length)]!();
  }
}

describe('a follower while others write on several connections', () => {
  for (const seed of [1, 2])
    test(`its copies equal the lists in the end (seed ${seed})`, { timeout: 600_000 }, async () => {
      const ids = [(await openDelivery(malote)).id, (await openDelivery(malote)).id];
      const scheduledIds = [await schedule(manager), await schedule(manager)];
      const drivers = await Promise.all(Array.from({ length: 4 }, () => newDriver(malote)));
      const followers = [
        followDeliveries(central),
        followScheduled(central),
        followDeliveries(manager, 3),
        followScheduled(malote.manager2),
      ];
      let isWriting = true;
      const following = Promise.all(
        followers.map(async ({ poll }) => {
          while (isWriting) await poll();
        }),
      );
      const walks: Promise<void>[] = [];
      const walking = (async () => {
        while (isWriting) {
          walks.push(assertWalkMeetsAll());
          await Promise.all([walks.at(-1), sleep(50)]);
        }
      })();
      await Promise.all(
        Array.from({ length: 6 }, (_, index) => write(seed * 100 + index, 45, ids, scheduledIds, drivers)),
      );
      isWriting = false;
      await Promise.all([following, walking, ...walks]);
      await assertCatchesUp(followers[0]!, () => allDeliveries(central));
      await assertCatchesUp(followers[1]!, () => allScheduled(central));
      await assertCatchesUp(followers[2]!, () => allDeliveries(manager));
      await assertCatchesUp(followers[3]!, () => allScheduled(malote.manager2));
      const late = [followDeliveries(central, 100), followScheduled(central, 100)];
      await assertCatchesUp(late[0]!, () => allDeliveries(central));
      await assertCatchesUp(late[1]!, () => allScheduled(central));
    });

  /** Whatever was there when the walk began is met exactly once. */
  async function assertWalkMeetsAll(): Promise<void> {
    const before = [...(await allDeliveries(central)).keys()];
    const met: string[] = [];
    for (let cursor: unknown = 'inicio'; cursor !== null; ) {
      const { body } = assertOk(await central.post('/entregas/consultar', { cursor, limite: 13 }));
      met.push(...body.data.map((row: Json) => row.id));
      cursor = body.proximo_cursor;
    }
    assert.equal(new Set(met).size, met.length);
    assert.deepEqual(
      before.filter((id) => !met.includes(id)),
      [],
    );
  }
});
