import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upsertPositions } from '../../server/src/registers/drivers/positionStore.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
import { simulation } from '../support/simulation.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();

const positionOf = async (driverId: number) => {
  const [row] = await malote.db<{ lat: number; lng: number; at: Temporal.Instant }>`
    select lat, lng, at from driver_positions where central_id = 1 and driver_id = ${driverId}`;
  return row;
};

test('a driver reports where it is', async () => {
  malote.clock.advance({ seconds: 5 });
  const answer = assertOk(await malote.driver(1).post('/condutores/1/posicao', { lat: -30.05, lng: -51.2 }));
  assert.deepEqual(answer.body, { success: true });
  const position = await positionOf(1);
  assert.deepEqual({ lat: position!.lat, lng: position!.lng }, { lat: -30.05, lng: -51.2 });
  assert.equal(position!.at.toString(), malote.clock.now().toString());
});

test('a report with an Idempotency-Key is answered like any other, and the same again', async () => {
  const report = () =>
    malote
      .driver(1)
      .post('/condutores/1/posicao', { lat: -30.06, lng: -51.2 }, { 'idempotency-key': 'here' });
  assert.equal(assertOk(await report()).text, assertOk(await report()).text);
  assert.equal((await positionOf(1))!.lat, -30.06);
});

test('an operator reports for any driver of its central, also for one never seen before', async () => {
  const driverId = await newDriver(malote);
  assertOk(await malote.operator.post(`/condutores/${driverId}/posicao`, { lat: -30, lng: -51 }));
  assert.equal((await positionOf(driverId))!.lat, -30);
  for (const unknown of [999_999, 10_000_001])
    assertRefused(
      await malote.operator.post(`/condutores/${unknown}/posicao`, { lat: -30, lng: -51 }),
      404,
      /entregador não encontrado/,
    );
});

test('many reports of one moment are kept apart: each driver its own, only an unknown one is refused', async () => {
  const drivers = await Promise.all(Array.from({ length: 5 }, () => newDriver(malote)));
  const reports = Array.from({ length: 120 }, (_, index) => ({
    id: index % 6 === 5 ? 10_000_001 : drivers[index % 6]!,
    lat: -30 - index / 1000,
  }));
  const answers = await Promise.all(
    reports.map(({ id, lat }) => malote.operator.post(`/condutores/${id}/posicao`, { lat, lng: -51 })),
  );
  for (const [index, answer] of answers.entries())
    assert.equal(answer.status, reports[index]!.id === 10_000_001 ? 404 : 200, answer.text);
  for (const driver of drivers) {
    const { lat } = (await positionOf(driver))!;
    assert.ok(
      reports.some((report) => report.id === driver && report.lat === lat),
      `${lat} was reported for ${driver}`,
    );
  }
});

test('a driver that is deleted while positions are stored is not found, and those of others are stored', async () => {
  const { db, operator, clock } = malote;
  const [gone, other] = [await newDriver(malote), await newDriver(malote)];
  const at = { lat: -30.03, lng: -51.23 };
  const report = (centralId: number, driverId: number) => ({
    centralId,
    driverId,
    position: at,
    at: clock.now(),
  });
  // A distributed database stores each central's rows separately.
  const ofNeighbour = db.isDistributed ? [] : [report(2, 10_000_001)];
  const answers = await whileDeleting(gone, () => [
    upsertPositions(db, [report(1, gone), report(1, other), ...ofNeighbour]),
  ]);
  assert.deepEqual(answers, [[false, true, ...ofNeighbour.map(() => true)]]);
  assert.equal((await positionOf(other))!.lat, at.lat);

  const another = await newDriver(malote);
  const path = `/condutores/${another}/posicao`;
  const refused = await whileDeleting(another, () => [operator.post(path, at)]);
  for (const answer of refused) assertRefused(answer, 404, /entregador não encontrado/);
});

/** Starts requests that need the driver after its deletion but before that commits, and returns their answers. */
async function whileDeleting<Answer>(driverId: number, begin: () => Promise<Answer>[]): Promise<Answer[]> {
  let begun: Promise<Answer>[] = [];
  await malote.db.begin(async (tx) => {
    await tx`delete from drivers where central_id = 1 and id = ${driverId}`;
    begun = begin();
    await waitUntil('all wait', async () => (await countLockWaits(malote.db)) === begun.length);
  });
  return Promise.all(begun);
}

test('a report that was overtaken by a later one changes nothing', async () => {
  const driverId = await newDriver(malote);
  const report = (lat: number, secondsAgo: number) => ({
    centralId: 1,
    driverId,
    position: { lat, lng: -51 },
    at: malote.clock.now().subtract({ seconds: secondsAgo }),
  });
  assert.deepEqual(await upsertPositions(malote.db, [report(-1, 9), report(-2, 5), report(-3, 7)]), [
    true,
    true,
    true,
  ]);
  assert.equal((await positionOf(driverId))!.lat, -2);
  await upsertPositions(malote.db, [report(-4, 6)]);
  assert.equal((await positionOf(driverId))!.lat, -2);
  await upsertPositions(malote.db, [report(-5, 5)]);
  assert.equal((await positionOf(driverId))!.lat, -5);
});

test('a driver reports for no other driver', async () => {
  const before = await positionOf(2);
  assertRefused(
    await malote.driver(1).post('/condutores/2/posicao', { lat: 0, lng: 0 }),
    404,
    /entregador não encontrado/,
  );
  assert.deepEqual(await positionOf(2), before);
});

test('every mistake in a position is named at once', async () => {
  const answer = await malote.driver(1).post('/condutores/1/posicao', { lat: -90.1, lng: '-51.2' });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.errors, [
    { code: 2, message: "'lat': deve ser no mínimo -90", kind: 'invalid-input' },
    { code: 2, message: "'lng': deve ser número", kind: 'invalid-input' },
  ]);
  const empty = await malote.driver(1).post('/condutores/1/posicao');
  assert.deepEqual(empty.body.errors, [
    { code: 2, message: "'lat': é obrigatório", kind: 'invalid-input' },
    { code: 2, message: "'lng': é obrigatório", kind: 'invalid-input' },
  ]);
});

test('a driver goes on and off duty, itself or by an operator', async () => {
  const available = async () => {
    const [row] = await malote.db<{ available: boolean }>`
      select available from drivers where central_id = 1 and id = 1`;
    return row!.available;
  };
  const off = assertOk(await malote.driver(1).post('/condutores/1/disponibilidade', { disponivel: false }));
  assert.deepEqual(off.body, { success: true, data: { condutor_id: '1', disponivel: false } });
  assert.equal(await available(), false);
  assertOk(await malote.operator.post('/condutores/1/disponibilidade', { disponivel: true }));
  assert.equal(await available(), true);
});

test('availability is refused for other drivers, unknown ones and inactive ones', async () => {
  assertRefused(
    await malote.driver(1).post('/condutores/2/disponibilidade', { disponivel: false }),
    404,
    /entregador não encontrado/,
  );
  assertRefused(
    await malote.operator.post('/condutores/999999/disponibilidade', { disponivel: true }),
    404,
    /entregador não encontrado/,
  );
  const driverId = await newDriver(malote);
  await malote.db`update drivers set active = false, available = false where central_id = 1 and id = ${driverId}`;
  assertRefused(
    await malote.operator.post(`/condutores/${driverId}/disponibilidade`, { disponivel: true }),
    422,
    /inativo/,
  );
  assertOk(await malote.operator.post(`/condutores/${driverId}/disponibilidade`, { disponivel: false }));
  const missing = await malote.operator.post('/condutores/1/disponibilidade', {});
  assert.deepEqual(missing.body.errors, [
    { code: 2, message: "'disponivel': é obrigatório", kind: 'invalid-input' },
  ]);
});

const simulated = simulation(malote);

const driver = { nome: 'Robô 1', telefone: '51988887777', categorias: [1] };
const currentRun = async (id: number) =>
  assertOk(await malote.operator.get(`/entregas/${id}/condutor`)).body.data;

test('a driver is simulated from its registration on, or never', async () => {
  const { data: real } = assertOk(await malote.operator.post('/condutores', driver)).body;
  assert.equal(real.simulado, false);
  const changed = assertOk(await malote.operator.put(`/condutores/${real.id}`, { ...driver, simulado: true }))
    .body.data;
  assert.equal(changed.simulado, false);

  const { data: robot } = assertOk(
    await malote.operator.post('/condutores', { ...driver, simulado: true }),
  ).body;
  assert.equal(robot.simulado, true);
  const kept = assertOk(await malote.operator.put(`/condutores/${robot.id}`, driver)).body.data;
  assert.equal(kept.simulado, true);
});

test('the demonstration’s drivers are marked as simulated', async () => {
  const { data } = assertOk(await malote.operator.get('/condutores')).body;
  const demo = data.filter(({ id }: { id: number }) => id <= 6);
  assert.equal(demo.length, 6);
  for (const driver of demo) assert.equal(driver.simulado, true);
});

test('an operator learns who carries a delivery, and whether it is a simulated courier', async () => {
  const at = { lat: Number(pickup.lat), lng: Number(pickup.lng) };
  const { id } = await openDelivery(malote, { observacao: '[simular: ausente]' });
  const base = { id_mch: String(id), status: 'D', simulada: false, roteiro: null, condutor: null };
  assert.deepEqual(await currentRun(id), base);

  await malote.configure({ simulatedCouriers: true });
  assert.deepEqual(await currentRun(id), { ...base, roteiro: 'ausente' });
  assertOk(await malote.operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 }));
  assert.deepEqual(await currentRun(id), {
    ...base,
    status: 'A',
    simulada: true,
    roteiro: 'ausente',
    condutor: { id: '1', nome: 'João Silva', simulado: true },
  });

  const real = await newDriver(malote, at);
  const other = await openDelivery(malote);
  assertOk(await malote.operator.post(`/entregas/${other.id}/aceitar`, { condutor_id: real }));
  assert.equal((await currentRun(other.id)).simulada, false);
  assert.equal((await currentRun(other.id)).condutor.simulado, false);

  assertRefused(await malote.operator.get('/entregas/999999/condutor'), 404, /entrega não encontrada/);
  assert.equal((await malote.driver(1).get(`/entregas/${id}/condutor`)).status, 403);
});

test('a simulated driver that nobody has placed appears where there is work', async () => {
  const { data: robot } = assertOk(
    await malote.operator.post('/condutores', { ...driver, simulado: true }),
  ).body;
  const position = () =>
    malote.db<{ lat: number; lng: number }>`
      select lat, lng from driver_positions where central_id = 1 and driver_id = ${robot.id}`;
  await simulated.second();
  assert.deepEqual(await position(), [], 'it does not work yet');
  assertOk(await malote.operator.post(`/condutores/${robot.id}/disponibilidade`, { disponivel: true }));
  await simulated.second();
  const [seen] = await position();
  assert.ok(seen && Math.abs(seen.lat - Number(pickup.lat)) < 0.02);
  assert.ok(Math.abs(seen.lng - Number(pickup.lng)) < 0.02);
});

test('idle couriers drift towards busy places, stay there, and are heard of all the time', async () => {
  await malote.configure({ simulationSpeed: 60 });
  const far = { lat: -30.15, lng: -51.2 };
  assertOk(await malote.operator.post('/condutores/6/posicao', far));
  const look = async () => {
    const [row] = await malote.db<{ lat: number; lng: number; at: Temporal.Instant }>`
      select lat, lng, at from driver_positions where central_id = 1 and driver_id = 6`;
    return row!;
  };
  await simulated.pass(10);
  const onTheWay = await look();
  assert.ok(onTheWay.lat > far.lat + 0.001, 'sets off');
  assert.ok(onTheWay.lat < Number(pickup.lat) - 0.01, 'slowly');
  await simulated.pass(150);
  const there = await look();
  assert.ok(Math.abs(there.lat - Number(pickup.lat)) < 0.02, `gets near: ${there.lat}`);
  await simulated.pass(60);
  const later = await look();
  assert.deepEqual([later.lat, later.lng], [there.lat, there.lng]);
  assert.ok(later.at.since(there.at).total('seconds') > 20, 'a sign of life');
});
