import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { corner } from '../../../../test/support/city.ts';
import { json, startServer } from '../../../../test/support/routingServers.ts';
import { guardedRouter } from './guardedRouter.ts';
import { osrmHttp } from './osrmHttp.ts';
import { NoRoadBetween, PointOffRoad, RoutingUnavailable } from './router.ts';
import { valhallaHttp } from './valhalla.ts';

const options = { snapMetres: 500, timeoutMs: 60_000 };

const POINTS = [corner(1, 1), corner(2, 2)];
/** A table for both points, with something in one of its cells. */
const table = (cell: unknown) => [
  [0, cell],
  [1, 0],
];
const cells = { distances: table(1), durations: table(1) };
const answers = (changes: object): [valhalla: unknown, osrm: unknown] => [
  { sources_to_targets: { ...cells, ...changes }, units: 'kilometers' },
  { code: 'Ok', ...cells, ...changes },
];
const [fine] = answers({});
const misbehaviours: [what: string, valhalla: unknown, osrm: unknown][] = [
  ['null', null, null],
  ['a list', [], []],
  ['a text', 'busy', 'busy'],
  ['nothing in it', {}, {}],
  ['no table', { units: 'kilometers' }, { code: 'Ok' }],
  ['too few rows', ...answers({ distances: [[0, 1]] })],
  [
    'too many columns',
    ...answers({
      distances: [
        [0, 1, 1],
        [1, 0, 1],
      ],
    }),
  ],
  ['text for a number', ...answers({ distances: table('1') })],
  ['a negative time', ...answers({ durations: table(-1) })],
  ['a way round the earth', ...answers({ distances: table(1e9) })],
  ['miles', { sources_to_targets: cells, units: 'miles' }, { code: 'InvalidOptions', message: 'no' }],
];
for (const [what, valhallaAnswer, osrmAnswer] of misbehaviours)
  test(`an answer with ${what} is as good as none`, async () => {
    for (const [answer, open] of [
      [valhallaAnswer, valhallaHttp],
      [osrmAnswer, osrmHttp],
    ] as const) {
      const server = await startServer((_, response) => json(response, 200, answer));
      try {
        await assert.rejects(open(server.url, options).matrix(POINTS, 'car'), isUnavailable);
      } finally {
        await server.close();
      }
    }
  });

const line = {
  type: 'LineString',
  coordinates: [
    [-51, -30],
    [-51.1, -30],
  ],
};
const leg = { summary: { length: 1, time: 60 }, shape: 'fvqix@prdv`B?}e@' };
const badRoutes: [what: string, valhalla: unknown, osrm: unknown][] = [
  [
    'no legs',
    { trip: { legs: [], units: 'kilometers' } },
    { code: 'Ok', routes: [{ legs: [], geometry: line }] },
  ],
  ['no route', {}, { code: 'Ok', routes: [] }],
  [
    'a shape that is no line',
    { trip: { legs: [{ ...leg, shape: '\u0001' }], units: 'kilometers' } },
    { code: 'Ok', routes: [{ legs: [{ distance: 1, duration: 1 }], geometry: { coordinates: [[1]] } }] },
  ],
  [
    'half a shape',
    { trip: { legs: [{ ...leg, shape: 'fvqix@prdv`' }], units: 'kilometers' } },
    {
      code: 'Ok',
      routes: [{ legs: [{ distance: 1, duration: 1 }], geometry: { coordinates: [[-51, -30]] } }],
    },
  ],
  [
    'a length of null',
    { trip: { legs: [{ ...leg, summary: { length: null, time: 1 } }], units: 'kilometers' } },
    { code: 'Ok', routes: [{ legs: [{ distance: null, duration: 1 }], geometry: line }] },
  ],
];
for (const [what, valhallaAnswer, osrmAnswer] of badRoutes)
  test(`a route with ${what} is as good as none`, async () => {
    for (const [answer, open] of [
      [valhallaAnswer, valhallaHttp],
      [osrmAnswer, osrmHttp],
    ] as const) {
      const server = await startServer((_, response) => json(response, 200, answer));
      try {
        await assert.rejects(open(server.url, options).route(POINTS, 'car'), isUnavailable);
      } finally {
        await server.close();
      }
    }
  });

test('a cell that lacks its time or its distance is null in both', async () => {
  const server = await startServer((_, response) =>
    json(
      response,
      200,
      answers({
        distances: [
          [0, 1],
          [null, 0],
        ],
        durations: [
          [0, null],
          [9, 0],
        ],
      })[0],
    ),
  );
  try {
    assert.deepEqual(await valhallaHttp(server.url, options).matrix(POINTS, 'car'), {
      metres: [
        [0, null],
        [null, 0],
      ],
      seconds: [
        [0, null],
        [null, 0],
      ],
    });
  } finally {
    await server.close();
  }
});

const troubles: [what: string, handle: Parameters<typeof startServer>[0]][] = [
  ['is slow', () => {}],
  ['is overloaded', (_, response) => json(response, 503, { error: 'busy' })],
  ['has an error of its own', (_, response) => json(response, 500, { error_code: 171, error: 'x' })],
  ['answers HTML', (_, response) => void response.writeHead(502).end('<html>Bad gateway</html>')],
  [
    'stops in the middle of an answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"sources_to');
      setTimeout(() => response.destroy(), 10);
    },
  ],
  [
    'stops silently in the middle of an answer',
    (_, response) => void response.writeHead(200).write('{"sources_to'),
  ],
  ['hangs up', (request) => void request.socket.destroy()],
];
for (const [what, handle] of troubles)
  test(`an engine that ${what} is unavailable`, async () => {
    const server = await startServer(handle);
    try {
      for (const open of [valhallaHttp, osrmHttp])
        await assert.rejects(
          open(server.url, { ...options, timeoutMs: 300 }).matrix(POINTS, 'car'),
          isUnavailable,
        );
    } finally {
      await server.close();
    }
  });

test('an answer without an end is not read to the end', async () => {
  const server = await startServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.writeHead(200).on('drain', more);
    more();
  });
  try {
    const router = valhallaHttp(server.url, { ...options, timeoutMs: 60_000 });
    await assert.rejects(router.matrix(POINTS, 'car'), /does not end/);
  } finally {
    await server.close();
  }
});

test('a redirect of an engine is not followed', async () => {
  const server = await startServer((request, response) => {
    if (request.url === '/elsewhere') return json(response, 200, fine);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  try {
    await assert.rejects(valhallaHttp(server.url, options).matrix(POINTS, 'car'), isUnavailable);
    assert.equal(server.asked.length, 1);
  } finally {
    await server.close();
  }
});

test('an engine that cannot be reached is unavailable', async () => {
  const server = await startServer(() => {});
  await server.close();
  await assert.rejects(valhallaHttp(server.url, options).matrix(POINTS, 'car'), isUnavailable);
  await assert.rejects(osrmHttp(server.url, options).route(POINTS, 'car'), isUnavailable);
});

test('a connection that the engine dropped while it was idle costs a retry, not the answer', async () => {
  const used = new WeakSet<object>();
  // As osrm-routed does: it announces keep-alive, but the connection is gone when it is used again.
  const server = await startServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    json(response, 200, fine);
  });
  try {
    const guarded = guardedRouter(valhallaHttp(server.url, options));
    for (let round = 0; round < 4; round++) {
      assert.deepEqual((await guarded.matrix(POINTS, 'car')).seconds, table(1));
      await sleep(20);
    }
    assert.ok(guarded.counters().retries > 0, 'a socket was indeed dropped');
    assert.equal(guarded.counters().failures, 0);
  } finally {
    await server.close();
  }
});

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof RoutingUnavailable &&
    !(error instanceof NoRoadBetween) &&
    !(error instanceof PointOffRoad)
  );
}
