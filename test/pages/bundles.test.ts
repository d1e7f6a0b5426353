import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bundled, bundlesOf } from '../../web/console/src/pages/day/board/bundles.ts';

const PICKUP = { lat: -30.03, lng: -51.2 };
/** A delivery whose stop is so many hundredths of a degree, about 1.1 km, to the north and to the east. */
const delivery = (id: number, north: number, east: number, changes: Partial<Bundled> = {}): Bundled => ({
  id: String(id),
  status: 'D',
  nome_cliente: 'Padaria Moinhos',
  partida: PICKUP,
  paradas: [
    {
      lat: PICKUP.lat + north / 100,
      lng: PICKUP.lng + east / 100,
      concluida: false,
      nao_entregue: false,
    },
  ],
  ...changes,
});

test('those of one shop in one direction are one bundle, with what one tour saves', () => {
  const north = [delivery(1, 2, 0), delivery(2, 3, 0), delivery(3, 4, 0)];
  const [bundle, ...others] = bundlesOf([...north, delivery(4, -3, 0), delivery(5, 0, 4)], 3);
  assert.deepEqual(others, []);
  assert.deepEqual([bundle!.ids, bundle!.towards], [['1', '2', '3'], 'n']);
  // Alone 2 + 3 + 4, together 4 hundredths of a degree, on streets.
  assert.ok(Math.abs(bundle!.savedKm - 5 * 1.11195 * 1.3) < 0.01, `${bundle!.savedKm}`);
});

test('each direction has its word', () => {
  for (const [north, east, towards] of [
    [3, 0, 'n'],
    [3, 3.46, 'ne'],
    [0, 3, 'e'],
    [-3, 3.46, 'se'],
    [-3, 0, 's'],
    [-3, -3.46, 'sw'],
    [0, -3, 'w'],
    [3, -3.46, 'nw'],
  ] as const) {
    const all = [1, 2, 3].map((id) => delivery(id, north * (1 + id / 10), east * (1 + id / 10)));
    assert.equal(bundlesOf(all, 1)[0]?.towards, towards);
  }
});

test('no bundle of other shops, of carried ones, of several stops, of two, or that saves little', () => {
  const three = (changes: (id: number) => Partial<Bundled>) =>
    [1, 2, 3].map((id) => delivery(id, 2 + id, 0, changes(id)));
  const stop = delivery(1, 3, 0).paradas[0]!;
  for (const all of [
    three((id) => ({ nome_cliente: `Loja ${id}` })),
    three((id) => ({ partida: { lat: -30.03 - id / 100, lng: -51.2 } })),
    three(() => ({ status: 'E' })),
    three(() => ({ paradas: [stop, stop] })),
    three(() => ({})).slice(1),
    [1, 2, 3].map((id) => delivery(id, id / 10, 0)),
  ])
    assert.deepEqual(bundlesOf(all, 3), []);
});

test('many are split into bundles of at most five; none is in two, and the greatest saving comes first', () => {
  const all = Array.from({ length: 12 }, (_, index) => delivery(index + 1, 2 + index / 2, 0));
  const bundles = bundlesOf(all, 9);
  const ids = bundles.flatMap((bundle) => bundle.ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(bundles.every((bundle) => bundle.ids.length >= 3 && bundle.ids.length <= 5));
  assert.deepEqual(
    bundles.map(({ savedKm }) => savedKm),
    bundles.map(({ savedKm }) => savedKm).toSorted((a, b) => b - a),
  );
  assert.equal(bundlesOf(all, 1).length, 1);
});
