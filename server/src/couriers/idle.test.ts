import assert from 'node:assert/strict';
import { test } from 'node:test';
import { haversineMetres } from '../kernel/position.ts';
import { driftGoal, firstPlace } from './idle.ts';

const BUSY = [
  { lat: -30.03, lng: -51.23 },
  { lat: -30.05, lng: -51.2 },
];
const ids = Array.from({ length: 200 }, (_, index) => index + 1);

test('an idle courier drifts to a busy place and stays when it is around there', () => {
  for (const id of ids) {
    const far = { lat: -30.1, lng: -51.3 };
    const goal = driftGoal(id, far, BUSY);
    assert.ok(goal && BUSY.includes(goal));
    assert.equal(driftGoal(id, goal, BUSY), null);
  }
  assert.equal(new Set(ids.map((id) => driftGoal(id, { lat: -30.1, lng: -51.3 }, BUSY))).size, 2);
});

test('where nothing was ever delivered couriers stay, and new ones do not appear', () => {
  assert.equal(driftGoal(1, BUSY[0]!, []), null);
  assert.equal(firstPlace(1, []), null);
});

test('new couriers begin here and there around busy places', () => {
  const beginnings = ids.map((id) => firstPlace(id, BUSY)!);
  for (const [index, place] of beginnings.entries())
    assert.ok(haversineMetres(place, BUSY[ids[index]! % BUSY.length]!) <= 1_801);
  assert.equal(new Set(beginnings.map(({ lat, lng }) => `${lat} ${lng}`)).size, ids.length);
});
