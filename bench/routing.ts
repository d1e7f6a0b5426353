import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedRouter } from '../server/src/geo/routing/cachedRouter.ts';
import { importRoads } from '../server/src/geo/routing/importRoads.ts';
import { tilesOf } from '../server/src/geo/routing/roadFolder.ts';
import type { Matrix, Router } from '../server/src/geo/routing/router.ts';
import { straightLineRouter } from '../server/src/geo/routing/straightLine.ts';
import { valhallaHttp } from '../server/src/geo/routing/valhalla.ts';
import { valhallaEmbedded } from '../server/src/geo/routing/valhallaEmbedded.ts';
import { startValhallaEngine } from '../server/src/geo/routing/valhallaEngine.ts';
import { requireValhallaPackage } from '../server/src/geo/routing/valhallaPackage.ts';
import { bestStopOrder, STOPS_MAX } from '../server/src/money/pricing/stopOrder.ts';
import type { Position } from '../server/src/platform/kernel/position.ts';
import { writeCity } from '../test/support/city.ts';
import { startValhallaServer } from '../test/support/routingServers.ts';
import { placesByPopulation, placesWithin, reachablePlaces } from './routingPlaces.ts';

const GROUPINGS = 200;
const PLACES = 500;
const PICKUPS = 20;
const SNAP_METRES = 500;
const options = { snapMetres: SNAP_METRES, timeoutMs: 30_000 };

/**
 * `npm run bench -- routing [city.osm.pbf] [hexagons.csv]`: stop orders and matrices on real roads.
 * Without an extract (or MALOTE_BENCH_PBF) in the city that the tests generate; with a CSV of hexagons (lon, lat,
 * population) stops are drawn where people live, otherwise anywhere near a road.
 */
export async function run(args: string[]): Promise<void> {
  const csv = args.find((arg) => arg.endsWith('.csv'));
  const folder = await mkdtemp(join(tmpdir(), 'malote-bench-'));
  try {
    const given = args.find((arg) => arg.endsWith('.pbf')) ?? process.env.MALOTE_BENCH_PBF;
    const pbf = given ?? join(folder, 'generated.osm.pbf');
    if (!given) await writeFile(pbf, writeCity());
    const imported = await timed(() => importRoads({ pbf, folder }));
    const { bounds, source, tiles, version } = imported.result;
    console.log(
      `${source.name}: imported in ${imported.millis.toFixed(0)} ms, ${tiles.count} tiles, ${(tiles.bytes / 1e6).toFixed(1)} MB`,
    );
    const random = randomFrom(20261115);
    const draw = csv ? placesByPopulation(csv, random) : placesWithin(bounds, random);
    await measure(folder, tilesOf(folder, version), draw, random);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  folder: string,
  tiles: string,
  draw: () => Position,
  random: () => number,
): Promise<void> {
  const embedded = valhallaEmbedded(folder, options);
  const engine = startValhallaEngine(requireValhallaPackage(), tiles, options);
  const server = await startValhallaServer(engine.ask);
  try {
    const places = await reachablePlaces(embedded, draw, PLACES);
    const pick = (among: number) => places[Math.floor(random() * among)]!;
    const groupings = Array.from({ length: GROUPINGS }, () => [
      pick(PICKUPS),
      ...Array.from({ length: STOPS_MAX }, () => pick(PLACES)),
    ]);
    console.log(`${GROUPINGS} groupings of ${STOPS_MAX} stops, from ${PICKUPS} pickups, by motorcycle\n`);

    const matrices = await timeMatrices(groupings, [
      straightLineRouter(),
      embedded,
      valhallaHttp(server.url, options),
    ]);
    compareOrders(matrices);
    await hitRate(embedded, groupings);
  } finally {
    await server.close();
    await engine.close();
    await embedded.close();
  }
}

/** Returns the matrices on real roads. */
async function timeMatrices(groupings: Position[][], routers: Router[]): Promise<Matrix[]> {
  let matrices: Matrix[] = [];
  console.log(`matrix of ${STOPS_MAX + 1} places     p50 ms    p95 ms`);
  for (const router of routers) {
    await router.matrix(groupings[0]!, 'motorcycle');
    const asked = [];
    for (const places of groupings) asked.push(await timed(() => router.matrix(places, 'motorcycle')));
    const millis = asked.map((each) => each.millis);
    console.log(`  ${router.name.padEnd(20)} ${figure(share(millis, 0.5))} ${figure(share(millis, 0.95))}`);
    matrices = asked.map(({ result }) => result);
  }
  console.log('');
  return matrices;
}

function compareOrders(matrices: Matrix[]): void {
  const stops = Array.from({ length: STOPS_MAX }, (_, index) => index + 1);
  for (const { seconds } of matrices) bestStopOrder(seconds, { start: 0, stops });
  const ours = matrices.map(({ seconds }) => {
    const begun = performance.now();
    const { order } = bestStopOrder(seconds, { start: 0, stops })!;
    return { order: order.map((index) => index + 1), millis: performance.now() - begun };
  });
  const orders: [name: string, order: (index: number) => number[]][] = [
    ['our order', (index) => ours[index]!.order],
    ['nearest neighbour', (index) => nearestNeighbour(matrices[index]!.seconds)],
    ['input order', () => stops],
  ];
  const base = matrices.map(({ seconds }, index) => along(seconds, ours[index]!.order));

  console.log('open way over all stops   minutes (mean)   km (mean)   longer than ours: mean     p95');
  for (const [name, orderOf] of orders) {
    const seconds = matrices.map((matrix, index) => along(matrix.seconds, orderOf(index)));
    const metres = matrices.map((matrix, index) => along(matrix.metres, orderOf(index)));
    const longer = seconds.map((value, index) => (value / base[index]! - 1) * 100);
    console.log(
      `  ${name.padEnd(20)} ${figure(mean(seconds) / 60, 15)} ${figure(mean(metres) / 1000, 12)} ${figure(mean(longer), 20)} % ${figure(share(longer, 0.95), 7)} %`,
    );
  }
  const millis = ours.map((our) => our.millis);
  console.log(
    `  time per order: p50 ${share(millis, 0.5).toFixed(3)} ms, p95 ${share(millis, 0.95).toFixed(3)} ms\n`,
  );
}

/** The routing requests of a day: each delivery is estimated and opened, all are grouped, then one stop is deleted. */
async function hitRate(inner: Router, groupings: Position[][]): Promise<void> {
  const router = cachedRouter(inner);
  for (const [pickup, ...stops] of groupings) {
    for (const stop of stops)
      for (const _ of ['estimate', 'creation']) await router.matrix([pickup!, stop], 'motorcycle');
    await router.matrix([pickup!, ...stops], 'motorcycle');
    await router.matrix([pickup!, ...stops.slice(1)], 'motorcycle');
  }
  const { hits, misses, cells } = router.counters();
  const rate = (100 * hits) / (hits + misses);
  console.log(
    `cache: ${rate.toFixed(0)} % of ${hits + misses} matrices (${cells} ways kept) for a day in which each delivery`,
  );
  console.log('       is estimated and opened, ten are grouped, and one stop of the group is deleted');
}

function nearestNeighbour(seconds: Matrix['seconds']): number[] {
  const left = new Set(seconds.keys());
  left.delete(0);
  const order = [0];
  while (left.size > 0) {
    const row = seconds[order.at(-1)!]!;
    const next = [...left].reduce((best, stop) => (row[stop]! < row[best]! ? stop : best));
    left.delete(next);
    order.push(next);
  }
  return order.slice(1);
}

const along = (table: Matrix['metres'], order: number[]): number =>
  order.reduce((sum, stop, index) => sum + table[order[index - 1] ?? 0]![stop]!, 0);

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; millis: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, millis: performance.now() - begun };
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!;
const figure = (value: number, width = 9): string => value.toFixed(1).padStart(width);

/** mulberry32: the same places on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
