import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { POSITIONS_MAX, readShapes, type ShapeFault } from './readShape.ts';

type Ring = number[][];
const polygon = (...rings: Ring[]) => ({ type: 'Polygon', coordinates: rings });
const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const around = (radii: readonly number[]): Ring =>
  radii.map((radius, index) => {
    const angle = (2 * Math.PI * index) / radii.length;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
const close = (ring: Ring) => [...ring, ring[0]!];

const outside = box(-52, -31, -51, -30);
const read = async (shape: unknown) => (await readShapes([{ name: 'Centro', input: shape }]))[0]!;

const faults: [name: string, fault: ShapeFault, shape: unknown][] = [
  ['nothing', 'not-a-polygon', null],
  ['a text', 'not-a-polygon', 'Polygon'],
  ['another geometry', 'not-a-polygon', { type: 'LineString', coordinates: outside }],
  ['a polygon without coordinates', 'not-a-polygon', { type: 'Polygon' }],
  ['a polygon without rings', 'not-a-polygon', polygon()],
  ['a polygon with the nesting of a MultiPolygon', 'bad-position', polygon([outside] as never)],
  ['a MultiPolygon without polygons', 'not-a-polygon', { type: 'MultiPolygon', coordinates: [] }],
  ['a MultiPolygon with an empty polygon', 'not-a-polygon', { type: 'MultiPolygon', coordinates: [[]] }],
  ['a ring that is no list', 'not-a-polygon', polygon('ring' as never)],
  ['a position of one number', 'bad-position', polygon([[0, 0], [1], [1, 1], [0, 0]])],
  ['a position in words', 'bad-position', polygon([[0, 0], ['1', 0] as never, [1, 1], [0, 0]])],
  [
    'a position that JSON cannot hold',
    'bad-position',
    polygon([
      [0, 0],
      [Number.NaN, 0],
      [1, 1],
      [0, 0],
    ]),
  ],
  ['a longitude beyond 180', 'out-of-range', polygon(box(0, 0, 180.1, 1))],
  ['an area over the antimeridian', 'over-antimeridian', polygon(box(177, -19, -178, -16))],
  ['a latitude beyond 90, as when both are swapped', 'out-of-range', polygon(box(-30, -100, -29, 0))],
  [
    'three positions',
    'too-few-positions',
    polygon([
      [0, 0],
      [1, 1],
      [0, 0],
    ]),
  ],
  ['an open ring', 'ring-open', polygon(outside.slice(0, -1))],
  [
    'a line',
    'no-area',
    polygon([
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 0],
    ]),
  ],
  [
    'one point four times',
    'no-area',
    polygon([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]),
  ],
  [
    'a bow tie',
    'self-intersection',
    polygon([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ]),
  ],
  [
    'a spike',
    'self-intersection',
    polygon([
      [0, 0],
      [4, 0],
      [4, 4],
      [4, 8],
      [4, 4],
      [0, 4],
      [0, 0],
    ]),
  ],
  [
    'a ring that touches itself',
    'self-intersection',
    polygon([
      [0, 0],
      [2, 2],
      [4, 0],
      [4, 4],
      [2, 2],
      [0, 4],
      [0, 0],
    ]),
  ],
  ['a ring walked twice', 'self-intersection', polygon([...outside.slice(0, -1), ...outside])],
  ['a hole that crosses the outside', 'rings-cross', polygon(outside, box(-51.5, -30.5, -50.5, -30.2))],
  ['a hole along the outside', 'rings-cross', polygon(outside, box(-52, -30.5, -51.5, -30.2))],
  ['a hole elsewhere', 'hole-outside', polygon(outside, box(-50, -30, -49, -29))],
  ['a hole around the outside', 'hole-outside', polygon(outside, box(-53, -32, -50, -29))],
  [
    'holes that cross',
    'rings-cross',
    polygon(outside, box(-51.8, -30.8, -51.4, -30.4), box(-51.6, -30.6, -51.2, -30.2)),
  ],
  [
    'a hole in a hole',
    'holes-overlap',
    polygon(outside, box(-51.8, -30.8, -51.2, -30.2), box(-51.6, -30.6, -51.4, -30.4)),
  ],
  [
    'the same hole twice',
    'rings-cross',
    polygon(outside, box(-51.8, -30.8, -51.2, -30.2), box(-51.8, -30.8, -51.2, -30.2)),
  ],
  [
    // Each of its corners lies in or on the outside, and no two edges cross.
    'a hole that leaves over a notch',
    'hole-outside',
    polygon(
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 5],
        [0, 10],
        [0, 0],
      ],
      [
        [0, 10],
        [10, 10],
        [5, 2],
        [0, 10],
      ],
    ),
  ],
];
for (const [name, fault, shape] of faults)
  test(`refuses ${name}: ${fault}`, async () => {
    await assert.rejects(read(shape), { kind: 'invalid-shape', details: { reason: fault, area: 'Centro' } });
  });

test('refuses more positions than any city needs', async () => {
  const circle = (count: number): Ring => close(around(Array.from({ length: count - 1 }, () => 1)));
  assert.equal((await read(polygon(circle(POSITIONS_MAX)))).coordinates[0]?.length, POSITIONS_MAX);
  await assert.rejects(read(polygon(circle(POSITIONS_MAX + 1))), {
    details: { reason: 'too-many-positions', area: 'Centro' },
  });
});

test('refuses shapes that would take long to check: thousands of long parallel edges', async () => {
  const teeth = Array.from({ length: 4000 }, (_, index) => {
    const tooth = [
      [index / 1000, 0],
      [index / 1000 + 10, 10],
    ];
    return index % 2 ? tooth.toReversed() : tooth;
  }).flat();
  await assert.rejects(read(polygon(close([...teeth, [20, -5], [0, -5]]))), {
    details: { reason: 'too-complex', area: 'Centro' },
  });
});

test('a plain polygon is kept as it is', async () => {
  assert.deepEqual(await read(polygon(outside)), polygon(outside));
});

test('holes are kept, turning the other way', async () => {
  const hole = box(-51.8, -30.8, -51.2, -30.2);
  assert.deepEqual(await read(polygon(outside, hole)), polygon(outside, hole.toReversed()));
  assert.deepEqual(
    (await read(polygon(outside.toReversed(), hole.toReversed()))).coordinates[1],
    hole.toReversed(),
  );
});

test('the outside is turned counter-clockwise', async () => {
  assert.deepEqual(await read(polygon(outside.toReversed())), polygon(outside));
});

test('a hole may touch the outside, and other holes, in a point', async () => {
  const onEdge = [
    [-52, -30.5],
    [-51.8, -30.6],
    [-51.8, -30.4],
    [-52, -30.5],
  ];
  const besideIt = [
    [-51.8, -30.4],
    [-51.6, -30.5],
    [-51.6, -30.3],
    [-51.8, -30.4],
  ];
  assert.equal((await read(polygon(outside, onEdge, besideIt))).coordinates.length, 3);
});

test('a MultiPolygon keeps its polygons, also overlapping ones', async () => {
  const coordinates = [[outside], [box(-51.5, -30.5, -50.5, -30.2)]];
  assert.deepEqual(await read({ type: 'MultiPolygon', coordinates }), { type: 'MultiPolygon', coordinates });
});

test('an area over the antimeridian can be cut there, and the whole earth is an area', async () => {
  const cut = { type: 'MultiPolygon', coordinates: [[box(177, -19, 180, -16)], [box(-180, -19, -178, -16)]] };
  assert.deepEqual(await read(cut), cut);
  const earth = polygon(box(-180, -90, 180, 90));
  assert.deepEqual(await read(earth), earth);
});

test('altitudes, repeated points and more than seven decimals are left out', async () => {
  const noisy = [
    [0, 0, 12],
    [1, 0, 12],
    [1, 0],
    [1.00000001, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ];
  assert.deepEqual(await read(polygon(noisy)), polygon(box(0, 0, 1, 1)));
});

test('a polygon around a centre is accepted, whatever its radii', async () => {
  const radii = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(radii, async (sizes) => {
      const corners = around(sizes.map((size) => size / 1e5));
      assert.equal((await read(polygon(close(corners)))).type, 'Polygon');
    }),
  );
});

test('a regular polygon crosses itself once two neighbouring corners are swapped', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 5, max: 40 }),
      fc.double({ min: 1e-4, max: 80, noNaN: true }),
      fc.nat(),
      async (count, radius, seed) => {
        const corners = around(Array.from({ length: count }, () => radius));
        const at = seed % (count - 1);
        const swapped = corners.with(at, corners[at + 1]!).with(at + 1, corners[at]!);
        await assert.rejects(read(polygon(close(swapped))), {
          details: { reason: 'self-intersection', area: 'Centro' },
        });
      },
    ),
  );
});
