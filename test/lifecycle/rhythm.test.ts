import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { removeDemoAccess } from '../../server/simulation/demo/demoAccess.ts';
import { deleteRhythm, insertRhythm } from '../../server/simulation/demo/rhythmStore.ts';
import { rhythmRound } from '../../server/simulation/demo/startRhythm.ts';
import { startMalote } from '../support/malote.ts';
import { simulation } from '../support/simulation.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { db, clock } = malote;
await malote.configure({ simulatedCouriers: true, simulationSpeed: 20 });
const simulated = simulation(malote);
const deps = {
  ...malote.app.deps,
  log: {
    error: (details: object) => {
      throw new Error('the rhythm failed', { cause: details });
    },
  },
};
const COURIERS = 6;
const TROUBLES_MAX = 3;

const made = async (): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select (select count(*) from deliveries where central_id = 1)
      + (select count(*) from scheduled where central_id = 1) as count`;
  return row!.count;
};

const summary = async () => {
  const { data } = assertOk(await malote.operator.get('/resumo')).body;
  const { L: held, ...moving } = data.entregas as Record<string, number>;
  return {
    open: Object.values(moving).reduce((sum, count) => sum + count, 0),
    troubles: held! + data.paradas_nao_entregues,
  };
};

test('a central without a rhythm orders nothing', async () => {
  await rhythmRound(deps, randomUUID());
  assert.equal(await made(), 0);
});

test('half an hour: orders keep coming, never more than couriers carry, and something waits for a person', async () => {
  await db.begin((tx) => insertRhythm(tx, 1, clock.now()));
  const [first, second] = [randomUUID(), randomUUID()];
  let sinceTrouble = 0;
  for (let at = 0; at < 1_800; at += 3) {
    clock.advance({ seconds: 2 });
    // Two processes check at the same time; only one of them may take a turn.
    await Promise.all([rhythmRound(deps, first), rhythmRound(deps, second)]);
    await simulated.second();
    if (at % 60 !== 0) continue;
    const { open, troubles } = await summary();
    assert.ok(open <= COURIERS, `${open} open after ${at} s`);
    assert.ok(troubles <= TROUBLES_MAX, `${troubles} troubles after ${at} s`);
    sinceTrouble = troubles > 0 ? 0 : sinceTrouble + 60;
    // A delivery that will fail takes some time until it does.
    assert.ok(sinceTrouble <= 360, `nothing waits for a person after ${at} s`);
  }
  const [{ turns }] = (await db<{ turns: number }>`
    select turns from demo_rhythms where central_id = 1`) as [{ turns: number }];
  const count = await made();
  assert.ok(count >= 8, `${count} orders`);
  assert.ok(count <= turns, `${count} orders in ${turns} turns`);
  const [{ finished }] = (await db<{ finished: number }>`
    select count(*) as finished from deliveries where central_id = 1 and status = 'finished'`) as [
    { finished: number },
  ];
  assert.ok(finished >= 4, `${finished} finished`);
});

test('a process that died in its turn blocks nobody for long', async () => {
  await db`update demo_rhythms set holder = ${randomUUID()}::uuid, next_at = ${clock.now()},
    held_until = ${clock.now().add({ seconds: 30 })} where central_id = 1`;
  const turns = async () =>
    (await db<{ turns: number }>`select turns from demo_rhythms where central_id = 1`)[0]!.turns;
  const before = await turns();
  await rhythmRound(deps, randomUUID());
  assert.equal(await turns(), before);
  clock.advance({ seconds: 31 });
  await rhythmRound(deps, randomUUID());
  assert.equal(await turns(), before + 1);
});

test('it goes on when the clock is put back', async () => {
  const turns = async () =>
    (await db<{ turns: number }>`select turns from demo_rhythms where central_id = 1`)[0]!.turns;
  const before = await turns();
  clock.advance({ hours: -3 });
  await rhythmRound(deps, randomUUID());
  assert.equal(await turns(), before + 1);
});

test('it stops growing when nobody carries anything', async () => {
  await db`update drivers set available = false where central_id = 1`;
  const before = await made();
  for (let turn = 0; turn < 20; turn += 1) {
    clock.advance({ minutes: 4 });
    await rhythmRound(deps, randomUUID());
  }
  assert.equal(await made(), before);
  await db`update drivers set available = true where central_id = 1`;
});

test('the demonstration does not release a delivery that a person holds back', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await malote.operator.post(`/entregas/${id}/segurar`, { motivo: 'minha' }));
  for (let turn = 0; turn < 20; turn += 1) {
    clock.advance({ minutes: 4 });
    await rhythmRound(deps, randomUUID());
  }
  const [row] = await db<{
    status: string;
  }>`select status from deliveries where central_id = 1 and id = ${id}`;
  assert.equal(row!.status, 'awaiting_release');
});

test('on a Friday more companies and drivers work, and far more orders are open than they can carry', async () => {
  await malote.configure({ simulatedCouriers: true, simulationSpeed: 20, simulatedFriday: true });
  const holder = randomUUID();
  for (let turn = 0; turn < 25; turn += 1) {
    clock.advance({ seconds: 2 });
    await rhythmRound(deps, holder);
    if (turn % 5 === 0) await simulated.second();
  }
  const working = () => db`select id from drivers where central_id = 1 and available and simulated`;
  const drivers = (await working()).length;
  assert.equal(drivers, COURIERS + 26);
  assert.ok((await summary()).open > drivers, `${(await summary()).open} open`);
  assert.ok((await summary()).troubles <= TROUBLES_MAX + 1);
  const companies = await db<{ identifier: string }>`
    select distinct c.identifier from deliveries d join companies c on c.central_id = 1 and c.id = d.company_id
    where d.central_id = 1`;
  assert.ok(companies.length >= 8, `${companies.length} companies ordered`);

  await db`update drivers set available = false where central_id = 1 and phone = '51999980110'`;
  clock.advance({ seconds: 2 });
  await rhythmRound(deps, holder);
  assert.equal((await working()).length, drivers - 1, 'a driver whom a person sends home stays there');

  await malote.configure({ simulatedCouriers: true, simulationSpeed: 20, simulatedFriday: false });
  clock.advance({ minutes: 4 });
  const before = await made();
  await rhythmRound(deps, holder);
  assert.equal((await working()).length, COURIERS);
  assert.equal(await made(), before);
});

test('where the logins of the demonstration are removed its orders end', async () => {
  await removeDemoAccess(malote.app.deps);
  assert.deepEqual(await db`select 1 from demo_rhythms where central_id = 1`, []);
  await deleteRhythm(db, 1);
});
