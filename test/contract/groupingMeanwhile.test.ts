import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, test } from 'node:test';
import { CLAIM_SECONDS } from '../../server/src/dispatch/grouping/claimStore.ts';
import type { Answer } from '../support/client.ts';
import {
  assertNoClaims,
  at,
  everything,
  groupDeliveries,
  groupIntoDelivery,
  groupScheduled,
  start,
  stopIdsOf,
  stopsOf,
} from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder } from '../support/orders.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';
import { leaveClaim, refuseWalletEntries } from '../support/states.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, operator, clock } = malote;

const scheduled = (id: number) => ({ noun: 'scheduled' as const, id });
const delivery = (id: number) => ({ noun: 'delivery' as const, id });

afterEach(async () => {
  routers.restore();
  await assertNoClaims(malote);
});

/** Sends the request, and does something else while the router computes. */
async function meanwhile(ask: () => Promise<Answer>, act: () => Promise<unknown>): Promise<Answer> {
  const held = routers.hold();
  const answer = ask();
  await held.asked;
  try {
    await act();
  } finally {
    held.release();
  }
  return answer;
}

describe('while a grouping is in progress', () => {
  test('another one of any of its requests is refused, and the first goes on', async () => {
    const [first, second, third] = [
      await schedule(manager),
      await schedule(manager),
      await schedule(manager),
    ];
    const going = await start(malote);
    const answer = await meanwhile(
      () => groupScheduled(malote, first, [second]),
      async () => {
        const words = /^já existe um agrupamento em andamento para esta solicitação$/;
        assertRefused(await groupScheduled(malote, first, [second]), 409, words);
        assertRefused(await groupScheduled(malote, second, [third]), 409, words);
        assertRefused(await groupScheduled(malote, third, [first]), 409, words);
        assertRefused(await groupIntoDelivery(malote, going, [third, second]), 409, words);
      },
    );
    assertOk(answer);
    assert.equal((await stopsOf(malote, scheduled(first))).length, 2);
    assert.equal((await stopsOf(malote, scheduled(third))).length, 1);
  });

  test('of deliveries, too', async () => {
    const [first, second, third] = [await start(malote), await start(malote), await start(malote)];
    const answer = await meanwhile(
      () => groupDeliveries(malote, first, [second]),
      async () => {
        assertRefused(await groupDeliveries(malote, third, [first]), 409, /agrupamento em andamento/);
        assertRefused(await groupDeliveries(malote, second, [third]), 409, /agrupamento em andamento/);
      },
    );
    assertOk(answer);
  });

  test('one of other requests goes through, whatever their numbers are', async () => {
    const [first, second] = [await schedule(manager), await schedule(manager)];
    const [third, fourth] = [await schedule(manager), await schedule(manager)];
    const answer = await meanwhile(
      () => groupScheduled(malote, first, [second]),
      async () => {
        assertOk(await groupScheduled(malote, third, [fourth]));
      },
    );
    assertOk(answer);
  });

  test('a driver’s position may change', async () => {
    const [first, second] = [await start(malote), await start(malote)];
    const driver = (await manager.get(`/entregas/${first}`)).body.data.condutor_id;
    const answer = await meanwhile(
      () => groupDeliveries(malote, first, [second]),
      async () => {
        assertOk(await operator.post(`/condutores/${driver}/posicao`, { lat: -30.04, lng: -51.21 }));
      },
    );
    assertOk(answer);
  });
});

describe('a grouping is not saved', () => {
  const changesOfScheduled: [string, (id: number) => Promise<unknown>][] = [
    ['edited', (id) => manager.put(`/entregas/programadas/${id}`, scheduledOrder({}, 2))],
    ['cancelled', (id) => operator.post(`/programadas/${id}/cancelar`)],
    [
      'bereft of a stop',
      async (id) => {
        const [stopId] = await stopIdsOf(malote, scheduled(id));
        return manager.delete(`/entregas/programadas/${id}/paradas/${stopId}`);
      },
    ],
  ];
  for (const [change, act] of changesOfScheduled)
    for (const role of ['grouper', 'listed one'] as const)
      test(`when a scheduled ${role} is ${change} meanwhile`, async () => {
        const grouper = await schedule(manager, at(0, 1));
        const other = await schedule(manager, at(2, 3));
        let before: unknown;
        const answer = await meanwhile(
          () => groupScheduled(malote, grouper, [other]),
          async () => {
            assertOk((await act(role === 'grouper' ? grouper : other)) as Answer);
            before = { ...(await everything(malote)), claims: [] };
          },
        );
        assertRefused(answer, 400, /^a solicitação agrupada não pôde ser salva/);
        assert.deepEqual(await everything(malote), before);
      });

  const changesOfDelivery: [string, (id: number) => Promise<unknown>][] = [
    [
      'one stop further',
      async (id) => {
        const [stopId] = await stopIdsOf(malote, delivery(id));
        return operator.post(`/entregas/${id}/paradas/${stopId}/concluir`);
      },
    ],
    ['cancelled', (id) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 3 })],
  ];
  for (const [change, act] of changesOfDelivery)
    for (const role of ['grouper', 'listed one'] as const)
      test(`when a ${role} in progress is ${change} meanwhile`, async () => {
        const grouper = await start(malote, at(0, 1));
        const other = await start(malote, at(2, 3));
        const waiting = await schedule(manager);
        let before: unknown;
        const answer = await meanwhile(
          () => groupIntoDelivery(malote, grouper, [waiting], [other]),
          async () => {
            assertOk((await act(role === 'grouper' ? grouper : other)) as Answer);
            before = { ...(await everything(malote)), claims: [] };
          },
        );
        assertRefused(answer, 400, /^a solicitação agrupada não pôde ser salva/);
        assert.deepEqual(await everything(malote), before);
      });

  test('and can be asked for again', async () => {
    const [grouper, other] = [await schedule(manager, at(0, 1)), await schedule(manager)];
    const answer = await meanwhile(
      () => groupScheduled(malote, grouper, [other]),
      async () => {
        assertOk(await manager.put(`/entregas/programadas/${grouper}`, scheduledOrder({}, 3)));
      },
    );
    assertRefused(answer, 400, /não pôde ser salva/);
    assertOk(await groupScheduled(malote, grouper, [other]));
    assert.equal((await stopsOf(malote, scheduled(grouper))).length, 4);
  });

  test('in part when the database refuses its last step: there is nothing of it at all', async (t) => {
    const grouper = await start(malote, { ...at(0), forma_pagamento: 'R' });
    const other = await start(malote, { ...at(1), forma_pagamento: 'R' });
    const planned = await schedule(manager, at(2));
    const allow = await refuseWalletEntries(t, malote);
    const before = await everything(malote);
    const answer = await groupIntoDelivery(malote, grouper, [planned], [other]);
    await allow();
    assert.equal(answer.status, 500, answer.text);
    assert.deepEqual(await everything(malote), before);
    assertOk(await groupIntoDelivery(malote, grouper, [planned], [other]));
  });

  test('while no router answers, and is once one does', async () => {
    const [grouper, other] = [await start(malote), await start(malote)];
    routers.fail();
    const before = await everything(malote);
    assertRefused(
      await groupDeliveries(malote, grouper, [other]),
      422,
      /^não foi possível calcular a estimativa$/,
    );
    assert.deepEqual(await everything(malote), before);
    routers.restore();
    assertOk(await groupDeliveries(malote, grouper, [other]));
  });
});

describe('a claim', () => {
  test('that outlives its time is taken over, and its holder saves nothing', async () => {
    const [grouper, other, third] = [
      await schedule(manager, at(0)),
      await schedule(manager, at(1)),
      await schedule(manager, at(2)),
    ];
    const late = await meanwhile(
      () => groupScheduled(malote, grouper, [other, third]),
      async () => {
        clock.advance({ seconds: CLAIM_SECONDS - 1 });
        assertRefused(await groupScheduled(malote, other, [grouper]), 409, /agrupamento em andamento/);
        clock.advance({ seconds: 1 });
        assertOk(await groupScheduled(malote, other, [grouper]));
      },
    );
    assertRefused(late, 400, /não pôde ser salva/);
    assert.equal((await stopsOf(malote, scheduled(other))).length, 2);
    assert.equal((await stopsOf(malote, scheduled(third))).length, 1);
    assert.equal((await readScheduled(manager, third)).situacao, 'A');
  });

  test('that was taken over and given back without a change is lost all the same', async () => {
    const [grouper, other, third] = [
      await schedule(manager),
      await schedule(manager),
      await schedule(manager),
    ];
    const late = await meanwhile(
      () => groupScheduled(malote, grouper, [other]),
      async () => {
        clock.advance({ seconds: CLAIM_SECONDS });
        routers.fail();
        assertRefused(await groupScheduled(malote, third, [other]), 422, /estimativa/);
        routers.restore();
      },
    );
    assertRefused(late, 400, /não pôde ser salva/);
  });

  test('of a process that died is in the way until it expires, and no longer', async (t) => {
    for (const [purpose, status] of [
      ['grouping', 409],
      ['automatic_merge', 400],
    ] as const) {
      const [grouper, other] = [await schedule(manager), await schedule(manager)];
      const until = clock.now().add({ seconds: CLAIM_SECONDS });
      await leaveClaim(t, malote, scheduled(other), { purpose, until });
      clock.advance({ seconds: CLAIM_SECONDS - 1 });
      assert.equal((await groupScheduled(malote, grouper, [other])).status, status);
      clock.advance({ seconds: 1 });
      assertOk(await groupScheduled(malote, grouper, [other]));
    }
  });

  test('of one central does not touch the same numbers of another', async (t) => {
    const [grouper, other] = [await schedule(manager), await schedule(manager)];
    const until = clock.now().add({ hours: 1 });
    const removals = [
      await leaveClaim(t, malote, scheduled(other), { centralId: 2, until }),
      await leaveClaim(t, malote, delivery(other), { until }),
    ];
    assertOk(await groupScheduled(malote, grouper, [other]));
    // Runs before the check after each test that no claim is left.
    for (const remove of removals) await remove();
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (grouper: number, others: number[], key: string) =>
    manager.post(
      `/entregas/programadas/${grouper}/agrupar`,
      { programadas_agrupadas: others },
      { 'idempotency-key': key },
    );

  test('of a refused grouping may be used again', async () => {
    const [grouper, other] = [await schedule(manager), await schedule(manager)];
    const key = randomUUID();
    routers.fail();
    assertRefused(await keyed(grouper, [other], key), 422, /estimativa/);
    routers.restore();
    assertOk(await keyed(grouper, [other], key));
  });
});
