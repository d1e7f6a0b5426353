import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { corner, FIELD, islandCorner } from '../../../test/support/city.ts';
import { buildCityRoads, type CityRoads } from '../../../test/support/cityRoads.ts';
import { lenientMatrix } from './lenientMatrix.ts';
import { NoRoadBetween, type Router, RoutingUnavailable } from './router.ts';
import { straightLineRouter } from './straightLine.ts';
import { type EmbeddedRouter, valhallaEmbedded } from './valhallaEmbedded.ts';

let city: CityRoads;
let router: EmbeddedRouter;
before(async () => {
  city = await buildCityRoads();
  router = valhallaEmbedded(city.folder, { snapMetres: 500 });
});
after(async () => {
  await router.close();
  await city.remove();
});

const failing = (error: Error): Router => ({
  name: 'failing',
  matrix: () => Promise.reject(error),
  route: () => Promise.reject(error),
});

test('points off the roads are guessed at, and cost the others nothing', async () => {
  const points = [FIELD, corner(5, 5), FIELD, corner(5, 6)];
  const { metres, seconds } = await lenientMatrix(router, points, 'car');
  const guess = await straightLineRouter().matrix(points, 'car');
  assert.equal(metres[1]![3], 840);
  assert.equal(metres[0]![1], guess.metres[0]![1]);
  assert.equal(seconds[3]![2], guess.seconds[3]![2]);
});

test('that no road leads to an island is an answer, not a reason to guess', async () => {
  const { metres } = await lenientMatrix(router, [corner(5, 5), islandCorner(0, 0)], 'car');
  assert.equal(metres[0]![1], null);
});

test('where most points are off the roads, all ways are guessed at', async () => {
  const points = [...Array.from({ length: 30 }, () => FIELD), corner(5, 5), corner(5, 6)];
  const guess = await straightLineRouter().matrix(points, 'car');
  assert.deepEqual(await lenientMatrix(router, points, 'car'), guess);
});

test('so they are where points lie too far apart for the engine', async () => {
  const points = [corner(5, 5), corner(5, 6)];
  const guess = await straightLineRouter().matrix(points, 'car');
  assert.deepEqual(await lenientMatrix(failing(new NoRoadBetween('too far')), points, 'car'), guess);
});

test('an engine that is out of order stays that', async () => {
  const points = [corner(5, 5), corner(5, 6)];
  await assert.rejects(lenientMatrix(failing(new RoutingUnavailable('down')), points, 'car'), /down/);
});
