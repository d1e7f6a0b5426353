import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRouters } from '../../server/src/geo/routing/openRouters.ts';
import { startValhallaEngine } from '../../server/src/geo/routing/valhallaEngine.ts';
import { requireValhallaPackage } from '../../server/src/geo/routing/valhallaPackage.ts';
import { systemClock } from '../../server/src/platform/kernel/clock.ts';
import { buildCityRoads, corner } from '../support/city.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { startValhallaServer } from '../support/routingServers.ts';

/** Generous, so that only an engine that is gone counts as failed. */
const ANSWER_MS = 60_000;

const city = await buildCityRoads();
const engine = startValhallaEngine(requireValhallaPackage(), city.tiles, { timeoutMs: ANSWER_MS });
const valhalla = await startValhallaServer(engine.ask);
const routers = await openRouters(
  {
    engine: 'valhalla',
    folder: `${city.folder}/none`,
    valhallaUrl: valhalla.url,
    osrmUrl: undefined,
    snapMetres: 500,
  },
  { clock: systemClock, onFallback: () => undefined, timeoutMs: ANSWER_MS },
);
after(async () => {
  await routers.close();
  await engine.close();
  await city.remove();
});
const malote = await startMalote({ routers });
const { manager, operator } = malote;

const at = (column: number, row: number) => {
  const { lat, lng } = corner(column, row);
  return { lat: lat.toFixed(6), lng: lng.toFixed(6) };
};
const pickup = { endereco: 'Rua Um, 1', bairro: 'Centro', ...at(2, 1) };
const stop = (column: number, row: number) => {
  const { lat, lng } = at(column, row);
  return {
    endereco_parada: `Rua ${column}-${row}`,
    bairro_parada: 'Norte',
    lat_parada: lat,
    lng_parada: lng,
  };
};
let asked = 0;
/** Places vary, so that the cache cannot answer for a dead router. */
const somewhere = () => {
  asked += 1;
  return stop((asked % 11) + 0.1 + (asked % 7) / 10, (asked * 3) % 11);
};
const immediate = () => order({ partida: pickup, paradas: [somewhere()] });
const scheduled = () => ({ ...immediate(), data: '16/11/2026', hora: '13:00:00' });
const create = async (path: string, body: unknown): Promise<string> => {
  const answer = await manager.post(path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id_mch;
};

/** Calls each endpoint that uses the router once. Returns the statuses by name. */
async function round(finished: string): Promise<Record<string, number>> {
  const opened = await manager.post('/entregas', immediate());
  const first = await manager.post('/entregas/programadas', {
    ...scheduled(),
    paradas: [somewhere(), somewhere()],
  });
  const second = await manager.post('/entregas/programadas', scheduled());
  const ids = [first, second].map(({ body }) => body.data.id_mch);
  const { body: shown } = await manager.get(`/entregas/programadas/${ids[0]}`);
  const answers = {
    opened,
    first,
    second,
    estimate: await manager.post('/entregas/empresas/1/estimativas', {
      endereco_partida: 'Rua Um, 1',
      bairro_partida: 'Centro',
      cidade_partida: 'Cidade',
      estado_partida: 'RS',
      endereco_desejado: 'Rua Dois, 2',
      bairro_desejado: 'Norte',
      cidade_desejado: 'Cidade',
      estado_desejado: 'RS',
      lat_partida: corner(2, 1).lat,
      lng_partida: corner(2, 1).lng,
      lat_desejado: corner((asked % 10) + 0.5, 9).lat,
      lng_desejado: corner((asked % 10) + 0.5, 9).lng,
    }),
    grouping: await manager.post(`/entregas/programadas/${ids[0]}/agrupar`, {
      programadas_agrupadas: [Number(ids[1])],
    }),
    removal: await manager.delete(`/entregas/programadas/${ids[0]}/paradas/${shown.data.paradas[0].id}`),
    status: await manager.get(`/entregas/${opened.body.data.id_mch}/status`),
    query: await manager.post('/entregas/consultar', { limite: 100 }),
    receipt: await manager.get(`/entregas/${finished}/recibo`),
  };
  return Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
}

test('the router dies in mid-load: no endpoint answers 500, and what does not need it goes on as before', async () => {
  const finished = await create('/entregas', immediate());
  const { body } = await manager.get(`/entregas/${finished}`);
  await operator.post(`/entregas/${finished}/aceitar`, { condutor_id: 1 });
  await operator.post(`/entregas/${finished}/iniciar`);
  await operator.post(`/entregas/${finished}/paradas/${body.data.paradas[0].id}/concluir`);
  await operator.post(`/entregas/${finished}/finalizar`);

  const alive = await round(finished);
  assert.deepEqual(new Set(Object.values(alive)), new Set([200]), JSON.stringify(alive));
  assert.ok(valhalla.asked.length > 0, 'the roads were asked');

  const load = Array.from({ length: 4 }, async () => {
    const rounds: Record<string, number>[] = [];
    for (let turn = 0; turn < 4; turn += 1) rounds.push(await round(finished));
    return rounds;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await valhalla.close();
  const rounds = [...(await Promise.all(load)).flat(), await round(finished)];

  for (const { grouping, ...rest } of rounds) {
    assert.ok(grouping === 200 || grouping === 422, `a grouping answers 200 or 422, not ${grouping}`);
    assert.deepEqual(new Set(Object.values(rest)), new Set([200]), JSON.stringify(rest));
  }
  assert.equal(rounds.at(-1)!.grouping, 422, 'without roads there is no stop order');
  assert.ok(routers.figures().fallbacks > 0, 'estimates fell back to straight lines, and said so');
});

test('a stop removed while the router is dead answers estimativa null', async () => {
  const id = await create('/entregas/programadas', {
    ...scheduled(),
    paradas: [stop(3.33, 10), stop(4.44, 10)],
  });
  const { body } = await manager.get(`/entregas/programadas/${id}`);
  const answer = await manager.delete(`/entregas/programadas/${id}/paradas/${body.data.paradas[1].id}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.data.estimativa, null);
});

test('the cache and the failures can be read as metrics', async () => {
  const metrics = await (await fetch(`${malote.url}/metrics`)).text();
  for (const name of ['malote_routing_cache_hits', 'malote_routing_cache_misses', 'malote_routing_failures'])
    assert.match(metrics, new RegExp(`${name}\\{engine="valhalla-http"\\} \\d+`));
});
