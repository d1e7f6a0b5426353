import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { client } from '../../support/client.ts';
import { START_MS, startService } from '../../support/maloteProcess.ts';
import { order, stop } from '../../support/orders.ts';
import { json, startServer } from '../../support/routingServers.ts';
import { startedFolder } from '../../support/startedFolder.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** An OSRM in which all distances are one kilometre, and which can withhold its answers. */
let holding = false;
const engine = await startServer((request, response) => {
  if (holding) return;
  const [, service, , , coordinates = ''] = (request.url ?? '').split(/[/?]/);
  const points = coordinates.split(';').map((point) => point.split(',').map(Number));
  if (service === 'table') {
    const sides = new URLSearchParams(request.url?.split('?')[1]);
    const [sources, targets] = ['sources', 'destinations'].map((side) => sides.get(side)!.split(';'));
    const table = (far: number) => sources!.map((from) => targets!.map((to) => (from === to ? 0 : far)));
    return json(response, 200, { code: 'Ok', distances: table(1000), durations: table(120) });
  }
  const legs = points.slice(1).map(() => ({ distance: 1000, duration: 120 }));
  json(response, 200, { code: 'Ok', routes: [{ legs, geometry: { coordinates: points } }] });
});
after(engine.close);

const folder = await startedFolder();
const start = () =>
  startService({
    MALOTE_DATA: folder,
    MALOTE_DEMO: 'empty',
    MALOTE_COURIERS: 'off',
    MALOTE_ROUTING: 'osrm',
    MALOTE_OSRM_URL: engine.url,
  });
let service = await start();

const login = (base: 'integracao' | 'operacao', user: string) =>
  client(`${service.url}/api/v2/${base}`, { key: 'demo-chave', user, password: 'demo' });
const manager = () => login('integracao', 'gerente');
const operator = () => login('operacao', 'central');

const tomorrow = () => {
  const day = Temporal.Now.plainDateISO('America/Sao_Paulo').add({ days: 1 });
  const two = (value: number) => String(value).padStart(2, '0');
  return { data: `${two(day.day)}/${two(day.month)}/${day.year}`, hora: '12:00:00' };
};

/** No place occurs twice, because the service caches distances. */
let orders = 0;
const anOrder = (changes: object = {}) => {
  orders += 1;
  return order({
    ...changes,
    paradas: [{ ...stop(orders), lat_parada: (-30.04 - orders / 1000).toFixed(4) }],
  });
};

const schedule = async (): Promise<number> =>
  Number(assertOk(await manager().post('/entregas/programadas', anOrder(tomorrow()))).body.data.id_mch);

let drivers = 0;
async function begin(): Promise<number> {
  const id = Number(assertOk(await manager().post('/entregas', anOrder())).body.data.id_mch);
  drivers += 1;
  assertOk(await operator().post(`/entregas/${id}/aceitar`, { condutor_id: drivers }));
  assertOk(await operator().post(`/entregas/${id}/iniciar`));
  return id;
}

const kinds: Record<string, () => Promise<{ path: string; body: object; shown: string }>> = {
  'scheduled deliveries': async () => {
    const [id, other] = [await schedule(), await schedule()];
    return {
      path: `/entregas/programadas/${id}/agrupar`,
      body: { programadas_agrupadas: [other] },
      shown: `/entregas/programadas/${id}`,
    };
  },
  'scheduled deliveries into one in progress': async () => {
    const [id, other] = [await begin(), await schedule()];
    return {
      path: `/entregas/${id}/agrupar/programadas`,
      body: { programadas_agrupadas: [other] },
      shown: `/entregas/${id}`,
    };
  },
  'deliveries in progress': async () => {
    const [id, other] = [await begin(), await begin()];
    return {
      path: `/entregas/${id}/agrupar`,
      body: { solicitacoes_agrupadas: [other] },
      shown: `/entregas/${id}`,
    };
  },
};

for (const [kind, prepare] of Object.entries(kinds))
  test(`kill -9 while ${kind} are being grouped: the same request to the next process is carried out at once, and once`, async () => {
    const { path, body, shown } = await prepare();
    const headers = { 'idempotency-key': randomUUID() };
    const before = engine.asked.length;
    holding = true;
    const lost = manager().post(path, body, headers);
    lost.catch(() => undefined);
    await waitUntil('the engine is asked', () => engine.asked.length > before, START_MS);
    service.signal('SIGKILL');
    await service.ended;
    await assert.rejects(lost);
    holding = false;

    service = await start();
    const answer = assertOk(await manager().post(path, body, headers));
    assert.equal((await manager().post(path, body, headers)).text, answer.text);
    assert.equal(assertOk(await manager().get(shown)).body.data.paradas.length, 2);
  });
