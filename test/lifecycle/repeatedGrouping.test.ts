import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { wholeCentral } from '../../server/src/centrals/caller.ts';
import {
  CLAIM_SECONDS,
  deleteClaims,
  findSession,
  insertClaims,
  newClaim,
} from '../../server/src/dispatch/grouping/claimStore.ts';
import { type Database, openDatabase, type Tx } from '../../server/src/platform/postgres/database.ts';
import { type Client, client } from '../support/client.ts';
import { assertNoClaims, start, stopsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';
import { waitUntil } from '../support/waitUntil.ts';

const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, operator, db, clock, connection } = malote;
const { isDistributed } = db;

/** A second process on the same database. */
const secondDb = openDatabase({ connection, poolSize: 5, onError: () => undefined, isDistributed });
const second = await buildApp({ db: secondDb, clock, log: pino({ level: 'silent' }), routers });
const secondUrl = await second.server.listen({ port: 0, host: '127.0.0.1' });
const secondManager = client(`${secondUrl}/api/v2/integracao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
after(async () => {
  await second.close();
  await secondDb.close();
});

afterEach(async () => {
  routers.restore();
  await assertNoClaims(malote);
});

interface Grouping {
  path: string;
  body: object;
  grouper: { noun: 'scheduled' | 'delivery'; id: number };
  other: { noun: 'scheduled' | 'delivery'; id: number };
}

const kinds: Record<string, () => Promise<Grouping>> = {
  'scheduled deliveries (4.2)': async () => {
    const [id, other] = [await schedule(manager), await schedule(manager)];
    return {
      path: `/entregas/programadas/${id}/agrupar`,
      body: { programadas_agrupadas: [other] },
      grouper: { noun: 'scheduled', id },
      other: { noun: 'scheduled', id: other },
    };
  },
  'scheduled deliveries into one in progress (4.6)': async () => {
    const [id, other] = [await start(malote), await schedule(manager)];
    return {
      path: `/entregas/${id}/agrupar/programadas`,
      body: { programadas_agrupadas: [other] },
      grouper: { noun: 'delivery', id },
      other: { noun: 'scheduled', id: other },
    };
  },
  'deliveries in progress (4.7)': async () => {
    const [id, other] = [await start(malote), await start(malote)];
    return {
      path: `/entregas/${id}/agrupar`,
      body: { solicitacoes_agrupadas: [other] },
      grouper: { noun: 'delivery', id },
      other: { noun: 'delivery', id: other },
    };
  },
};

/** A request that met a claim and could not take it has locked the claim's row. */
const hasMetTheClaim = async () =>
  (await db`select from claims where central_id = 1 and xmax::text <> '0'`).length > 0;

/**
 * A node of a distributed database does not know the sessions of the others, so claims of dead processes only expire
 * there.
 */
const expireWhereNobodyKnowsOfIt = (): void => {
  if (isDistributed) clock.advance({ seconds: CLAIM_SECONDS });
};

/** Ends the process, and waits until its claims are recognised as abandoned. */
async function endProcess(dying: Database): Promise<void> {
  await dying.close();
  await waitUntil('its session is over', async () => {
    const rows = await db`select from claims join pg_stat_activity on pid = holder_pid`;
    return rows.length === 0;
  });
  expireWhereNobodyKnowsOfIt();
}

const send = (login: Client, { path, body }: Grouping, key: string) =>
  login.post(path, body, { 'idempotency-key': key });

for (const [kind, prepare] of Object.entries(kinds))
  describe(`a grouping of ${kind}`, () => {
    for (const [where, login] of [
      ['the same process', manager],
      ['another process', secondManager],
    ] as const)
      test(`sent again with its key to ${where} while it runs waits for the first, and gets its answer`, async () => {
        const grouping = await prepare();
        const key = randomUUID();
        const held = routers.hold();
        const first = send(manager, grouping, key);
        await held.asked;
        const again = Array.from({ length: 3 }, () => send(login, grouping, key));
        await waitUntil('a repetition has met the first', hasMetTheClaim);
        held.release();
        const answers = await Promise.all([first, ...again]);
        for (const answer of answers) assert.equal(assertOk(answer).text, answers[0]!.text);
        assert.equal((await stopsOf(malote, grouping.grouper)).length, 2);
      });

    test('sent again while it runs for long is told so and when to come again, not that it is refused', async () => {
      const grouping = await prepare();
      const key = randomUUID();
      const held = routers.hold();
      const first = send(manager, grouping, key);
      await held.asked;
      const early = await send(manager, grouping, key);
      assertRefused(early, 503, /^a primeira tentativa desta requisição ainda está em andamento/);
      assert.match(early.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      held.release();
      assert.equal((await send(manager, grouping, key)).text, assertOk(await first).text);
    });

    test('sent again after its process died is carried out at once', async (t) => {
      const grouping = await prepare();
      const key = randomUUID();
      const dying = await dyingProcess();
      t.after(() => dying.close());
      const held = routers.hold();
      const lost = send(dying.manager, grouping, key);
      await held.asked;
      await dying.loseItsSessions();
      expireWhereNobodyKnowsOfIt();
      assertOk(await send(manager, grouping, key));
      held.release();
      assert.notEqual((await lost).status, 409);
      assert.equal((await stopsOf(malote, grouping.grouper)).length, 2);
    });

    test('with another key is refused while it runs', async () => {
      const grouping = await prepare();
      const held = routers.hold();
      const first = send(manager, grouping, randomUUID());
      await held.asked;
      assertRefused(
        await send(manager, grouping, randomUUID()),
        409,
        /já existe um agrupamento em andamento/,
      );
      held.release();
      assertOk(await first);
    });
  });

test('many at once with one key, to two processes, group once and all get the same answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const grouping = await kinds['scheduled deliveries (4.2)']!();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send(index % 2 ? manager : secondManager, grouping, key)),
    );
    for (const answer of answers) assert.equal(assertOk(answer).text, answers[0]!.text);
    assert.equal((await stopsOf(malote, grouping.grouper)).length, 2);
    const events =
      await db`select from events where central_id = 1 and scheduled_id = ${grouping.grouper.id}`;
    assert.equal(events.length, 2);
  }
});

describe('a claim of a process that has ended', () => {
  for (const purpose of ['grouping', 'automatic_merge'] as const)
    test(`for ${purpose} is in nobody’s way, whether it is grouped or only looked at`, async () => {
      const [grouper, other] = [await schedule(manager), await schedule(manager)];
      const dead = openDatabase({ connection, poolSize: 1, onError: () => undefined, isDistributed });
      const claim = newClaim(wholeCentral(1).centralId, purpose, [{ noun: 'scheduled', id: other }]);
      await dead.begin((tx) => insertClaims(tx, claim, clock.now()));
      const preview = () =>
        operator.post(`/programadas/${grouper}/simular-agrupamento`, { programadas_agrupadas: [other] });
      assert.notEqual((await preview()).status, 200);
      await endProcess(dead);
      assertOk(await preview());
      assertOk(
        await manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
      );
    });
});

test('two who want different requests of an ended process never wait for each other', async () => {
  const claimOf = (ids: readonly number[]) =>
    newClaim(
      1,
      'grouping',
      ids.map((id) => ({ noun: 'scheduled', id })),
    );
  const ids = [await schedule(manager), await schedule(manager)];
  const dead = openDatabase({ connection, poolSize: 1, onError: () => undefined, isDistributed });
  await dead.begin((tx) => insertClaims(tx, claimOf(ids), clock.now()));
  await endProcess(dead);
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  let attempts = 0;
  // Both continue once each has locked its own row.
  const meeting = (tx: Tx): Tx =>
    new Proxy(tx, {
      async apply(target, self, args) {
        if (String(args[0]).includes('delete from claims')) {
          holding += 1;
          if (holding === 2) bothHold.resolve();
          await bothHold.promise;
        }
        return Reflect.apply(target, self, args);
      },
    });
  await Promise.all(
    ids.map((id) =>
      db.begin(async (tx) => {
        attempts += 1;
        await insertClaims(meeting(tx), claimOf([id]), clock.now());
      }),
    ),
  );
  await db`delete from claims where central_id = 1 and target_id = any(${ids}::bigint[])`;
  assert.equal(attempts, 2, 'none was begun again after a deadlock');
});

test('a claim whose session began after this one had looked is not taken for a dead one', async (t) => {
  const id = await schedule(manager);
  const claim = () => newClaim(1, 'grouping', [{ noun: 'scheduled', id }]);
  const late = openDatabase({ connection, poolSize: 1, onError: () => undefined, isDistributed });
  t.after(() => late.close());
  const lateClaim = claim();
  const early = db.begin(async (tx) => {
    const session = findSession(tx);
    await session;
    await late.begin((lateTx) => insertClaims(lateTx, lateClaim, clock.now()));
    await insertClaims(tx, claim(), clock.now(), session);
  });
  await assert.rejects(early, { name: 'Refusal', kind: 'grouping-in-progress' });
  assert.equal(await late.begin((tx) => deleteClaims(tx, lateClaim)), 1, 'it still holds what it claimed');
});

/** A process whose sessions end while it runs, as when it is killed. */
async function dyingProcess() {
  const own = openDatabase({ connection, poolSize: 2, onError: () => undefined, isDistributed });
  const app = await buildApp({ db: own, clock, log: pino({ level: 'silent' }), routers });
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const login = { key: 'demo-chave', user: 'gerente', password: 'demo' };
  return {
    manager: client(`${url}/api/v2/integracao`, login),
    async loseItsSessions() {
      await db`select pg_terminate_backend(holder_pid) from claims where holder_pid is not null`;
      await waitUntil('its session is over', async () => {
        const rows = await db`select from claims join pg_stat_activity on pid = holder_pid`;
        return rows.length === 0;
      });
    },
    async close() {
      await app.close();
      await own.close();
    },
  };
}
