import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder, stop } from '../support/orders.ts';
import { mergeDue } from '../support/rounds.ts';
import { dispatchAll, readScheduled } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

/*
 * Changes by others while the automatic merge computes. The merge blocks nothing but other groupings, so it must detect
 * these changes itself and must not save a plan that is based on outdated data.
 */
const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, operator, clock } = malote;
await malote.configure({ autoMerge: true, mergeSavingPercentMin: 10 });
const merge = () => mergeDue(malote.app.deps);

/** The time this many seconds from now, on the central's clock. */
const inSeconds = (seconds: number) => {
  const local = clock.now().toZonedDateTimeISO('America/Sao_Paulo').add({ seconds });
  return {
    data: local.toPlainDate().toLocaleString('pt-BR'),
    hora: local.toPlainTime().toString({ smallestUnit: 'second' }),
  };
};
const schedule = async (seconds: number): Promise<number> => {
  const body = scheduledOrder(inSeconds(seconds));
  return Number(assertOk(await manager.post('/entregas/programadas', body)).body.data.id_mch);
};
const situation = async (id: number): Promise<string> => (await readScheduled(manager, id)).situacao;
const edit = (id: number, changes: Record<string, unknown>) =>
  manager.put(`/entregas/programadas/${id}`, scheduledOrder({ ...inSeconds(250), ...changes }));

afterEach(async () => {
  routers.restore();
  const { body } = await malote.central.get('/entregas/programadas?limite=100');
  for (const { id_mch_programada: id, situacao } of body.data)
    if (situacao === 'A') assertOk(await operator.post(`/programadas/${id}/cancelar`));
});

/** Two deliveries that would be merged, and a change to them during the nth request to the router. */
async function mergeWhile(question: number, work: (first: number, second: number) => Promise<void>) {
  const [first, second] = [await schedule(240), await schedule(250)] as const;
  let asked = 0;
  routers.whileAsked(async () => {
    asked += 1;
    if (asked === question) await work(first, second);
  });
  const merged = await merge();
  assert.ok(asked >= question, 'it happened');
  return { first, second, merged };
}

test('undisturbed, the two are merged', async () => {
  const { first, second, merged } = await mergeWhile(2, async () => undefined);
  assert.deepEqual(merged, { groups: 1, orders: 2 });
  assert.deepEqual([await situation(first), await situation(second)], ['A', 'agrupado']);
});

const edits = {
  'put off until tomorrow': () => inSeconds(86_400),
  'paid in another way': () => ({ forma_pagamento: 'F' }),
  'sent elsewhere': () => ({ paradas: [stop(6)] }),
};
for (const [name, changes] of Object.entries(edits))
  for (const question of [1, 2])
    test(`a request that is ${name} while the merge computes keeps that change (${question})`, async () => {
      const { first, second, merged } = await mergeWhile(question, async (_, edited) => {
        assertOk(await edit(edited, changes()));
      });
      assert.deepEqual(merged, { groups: 0, orders: 0 });
      assert.deepEqual([await situation(first), await situation(second)], ['A', 'A']);
      assert.equal((await readScheduled(manager, second)).paradas.length, 1);
    });

for (const question of [1, 2]) {
  test(`a request that is cancelled while the merge computes stays cancelled (${question})`, async () => {
    const { first, second } = await mergeWhile(question, async (_, edited) => {
      assertOk(await operator.post(`/programadas/${edited}/cancelar`));
    });
    assert.deepEqual([await situation(first), await situation(second)], ['A', 'C']);
    assert.equal((await readScheduled(manager, first)).paradas.length, 1);
  });

  test(`a manual grouping must wait while the merge thinks (${question})`, async () => {
    const { merged } = await mergeWhile(question, async (first, second) => {
      const body = { programadas_agrupadas: [second] };
      const answer = await manager.post(`/entregas/programadas/${first}/agrupar`, body);
      assertRefused(answer, 400, /liberada em instantes/);
    });
    assert.deepEqual(merged, { groups: 1, orders: 2 });
  });

  test(`a merge that thinks into the last minute is not made (${question})`, async () => {
    const { first, second, merged } = await mergeWhile(question, async () => {
      clock.advance({ seconds: 181 });
    });
    assert.deepEqual(merged, { groups: 0, orders: 0 });
    assert.deepEqual([await situation(first), await situation(second)], ['A', 'A']);
  });

  test(`a request that falls due while the merge computes is dispatched separately (${question})`, async () => {
    const { first, second, merged } = await mergeWhile(question, async () => {
      clock.advance({ seconds: 240 });
      assert.equal(await dispatchAll(malote), 1);
    });
    assert.deepEqual(merged, { groups: 0, orders: 0 });
    assert.deepEqual([await situation(first), await situation(second)], ['D', 'A']);
  });
}

test('a merge that died while it thought leaves its orders free after a while', async () => {
  const [first, second] = [await schedule(290), await schedule(295)];
  const held = routers.hold();
  const dead = merge();
  await held.asked;
  assert.deepEqual(await merge(), { groups: 0, orders: 0 }, 'claimed');
  clock.advance({ seconds: 31 });
  assert.deepEqual(await merge(), { groups: 1, orders: 2 });
  held.release();
  assert.deepEqual(await dead, { groups: 0, orders: 0 }, 'and what it planned is not saved any more');
  assert.deepEqual([await situation(first), await situation(second)], ['A', 'agrupado']);
});
