import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
import { simulation } from '../support/simulation.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
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
  for (const one of demo) assert.equal(one.simulado, true);
});

test('an operator is told who carries a delivery, and whether that is anybody', async () => {
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
