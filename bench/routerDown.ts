import { makeDemo } from '../server/simulation/demo/makeDemo.ts';
import { startValhallaEngine } from '../server/src/geo/routing/valhallaEngine.ts';
import { requireValhallaPackage } from '../server/src/geo/routing/valhallaPackage.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { buildCityRoads, corner } from '../test/support/city.ts';
import { order } from '../test/support/orders.ts';
import { startValhallaServer } from '../test/support/routingServers.ts';
import { type LoadRequest, type LoadResult, load, print } from './load.ts';
import { answers, basic, onOwnGround } from './service.ts';

const PORT = 29_131;
const SECONDS = 6;
const CONNECTIONS = 8;
const DELIVERIES = 100;
const headers = {
  'api-key': 'demo-chave',
  authorization: basic('gerente'),
  'content-type': 'application/json',
};
const url = `http://127.0.0.1:${PORT}`;

/**
 * Measures status, query and receipt during a steady stream of new deliveries, first with the router alive, then after
 * it is killed.
 */
export const run = (): Promise<void> =>
  onOwnGround(2, async ({ db, startMalote }) => {
    await makeDemo({ db, clock: systemClock }, 'empty');
    await db`update centrals set settings = settings || ${OUT_OF_THE_WAY}`;
    const city = await buildCityRoads();
    const engine = startValhallaEngine(requireValhallaPackage(), city.tiles);
    const valhalla = await startValhallaServer(engine.ask);
    try {
      startMalote(['serve', '--no-work'], {
        PORT: String(PORT),
        MALOTE_LOG: 'error',
        MALOTE_ROUTING: 'valhalla',
        MALOTE_VALHALLA_URL: valhalla.url,
      });
      await answers(PORT);
      const ids: string[] = [];
      for (let index = 0; index < DELIVERIES; index += 1) ids.push(await create());
      await db`
        update deliveries set status = 'finished', accepted_at = requested_at, arrived_at = requested_at,
          started_at = requested_at, finished_at = requested_at, driver_id = 1
        where central_id = 1 and id = any(${ids}::bigint[])`;

      const stream = streamOfOrders();
      const reads = readsOf(ids);
      for (const requests of Object.values(reads)) await load(url, requests, { ...gently, seconds: 2 });
      const alive = await measure('router alive', reads);
      const asked = valhalla.asked.length;
      await valhalla.close();
      const dead = await measure('router killed', reads);
      const statuses = await stream.end();
      console.log(`\nthe router was asked ${asked} times; new deliveries meanwhile answered: ${statuses}`);
      for (const name of Object.keys(reads))
        console.log(`  ${name}: ${(dead[name]!.perSecond / alive[name]!.perSecond).toFixed(2)} of before`);
    } finally {
      await engine.close();
      await city.remove();
    }
  });

const OUT_OF_THE_WAY = { limitDeliveries: 10_000_000, limitEstimates: 10_000_000 };
const gently = { connections: CONNECTIONS, seconds: SECONDS };

const readsOf = (ids: readonly string[]): Record<string, LoadRequest[]> => {
  const base = '/api/v2/integracao/entregas';
  return {
    status: ids.map((id) => ({ method: 'GET', path: `${base}/${id}/status`, headers })),
    query: [
      { method: 'POST', path: `${base}/consultar`, headers, body: JSON.stringify({ pagina: 1, limite: 20 }) },
    ],
    receipt: ids.map((id) => ({ method: 'GET', path: `${base}/${id}/recibo`, headers })),
  };
};

async function measure(
  title: string,
  reads: Record<string, LoadRequest[]>,
): Promise<Record<string, LoadResult>> {
  console.log(`\n${title} (${CONNECTIONS} connections, ${SECONDS} s each)`);
  const results: Record<string, LoadResult> = {};
  for (const [name, requests] of Object.entries(reads)) {
    results[name] = await load(url, requests, gently);
    print(name, results[name]);
  }
  return results;
}

let made = 0;
/** Places vary, so that the cache cannot answer in place of the dead router. */
const body = (): string => {
  made += 1;
  const { lat, lng } = corner((made % 10) + (made % 97) / 100, made % 11);
  const from = corner(2, 1);
  return JSON.stringify(
    order({
      partida: {
        endereco: 'Rua Um, 1',
        bairro: 'Centro',
        lat: from.lat.toFixed(6),
        lng: from.lng.toFixed(6),
      },
      paradas: [
        {
          endereco_parada: `Rua ${made}`,
          bairro_parada: 'Norte',
          lat_parada: lat.toFixed(6),
          lng_parada: lng.toFixed(6),
        },
      ],
    }),
  );
};

const post = (): Promise<Response> =>
  fetch(`${url}/api/v2/integracao/entregas`, { method: 'POST', headers, body: body() });

async function create(): Promise<string> {
  const answer = await post();
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { data: { id_mch: string } }).data.id_mch;
}

/** Sends twenty orders per second without waiting for answers. Ends with the number of answers by status. */
function streamOfOrders(): { end(): Promise<string> } {
  const counts = new Map<number, number>();
  const waiting = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const delivery: Promise<void> = post()
      .then(async ({ status, body: answer }) => {
        await answer?.cancel();
        counts.set(status, (counts.get(status) ?? 0) + 1);
      })
      .finally(() => waiting.delete(delivery));
    waiting.add(delivery);
  }, 50);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(waiting);
      return [...counts].map(([status, count]) => `${count} times ${status}`).join(', ');
    },
  };
}
