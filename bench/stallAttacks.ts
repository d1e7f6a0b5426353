import type { Method } from '../server/src/api/http/endpoint.ts';
import { integrationApi } from '../server/src/api/integration/endpoints.ts';
import { operationApi } from '../server/src/api/operations/endpoints.ts';
import { estimate, order } from '../test/support/orders.ts';
import { basic } from './service.ts';

/** One request as prepared bytes. */
export interface Shot {
  method: Method;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Attack {
  name: string;
  /** Sent at the same time. */
  shots: Shot[];
  /** Sent to a service that has just started, so that these requests are the first of their kind. */
  isFirst?: true;
}

/** As much as the endpoints of areas take. */
const AREAS_BYTES = 1024 * 1024;
const INTEGRATION = '/api/v2/integracao';
const OPERATION = '/api/v2/operacao';
const json = { 'content-type': 'application/json' };
const asManager = { ...json, 'api-key': 'demo-chave', authorization: basic('gerente') };
const asOperator = { ...json, 'api-key': 'demo-chave', authorization: basic('central') };

const post = (path: string, body: unknown, headers: Record<string, string> = asManager): Shot => ({
  method: 'POST',
  path,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const page = (path: string): Shot => ({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** As many units as a body may hold. */
const filled = (open: string, unit: (index: number) => string, close: string): string => {
  const parts: string[] = [];
  for (let size = open.length + close.length, index = 0; ; index += 1) {
    const part = unit(index);
    size += part.length + 1;
    if (size > AREAS_BYTES) return open + parts.join(',') + close;
    parts.push(part);
  }
};

const nuls = `{"${'n'.repeat(4_000)}":[${times(6_800, () => '"\\u0000"').join(',')}]}`;

/** Long parallel edges; each one's bounding box contains all others. */
const zigzag = (teeth: number): number[][] => {
  const edges = times(teeth, (index) => {
    const edge = [
      [Number((index / teeth).toFixed(4)), 0],
      [Number((index / teeth + 10).toFixed(4)), 10],
    ];
    return index % 2 ? edge.toReversed() : edge;
  }).flat();
  return [...edges, [20, -5], [0, -5], edges[0]!];
};

const circle = (points: number, at: number): number[][] => {
  const ring = times(points, (index) => {
    const angle = (2 * Math.PI * index) / points;
    return [10 * Math.cos(angle) + at, 10 * Math.sin(angle)].map((part) => Number(part.toFixed(5)));
  });
  return [...ring, ring[0]!];
};

const collection = (rings: number[][][], name: string) => ({
  type: 'FeatureCollection',
  features: rings.map((ring, index) => ({
    type: 'Feature',
    properties: { nome: `${name} ${index}` },
    geometry: { type: 'Polygon', coordinates: [ring] },
  })),
});

const largestAreas = (name: string) =>
  post(
    `${OPERATION}/areas-atuacao/importar`,
    collection(
      times(3, (index) => circle(14_000, index)),
      name,
    ),
    asOperator,
  );

const postAreas = (body: string) => post(`${OPERATION}/areas-atuacao/importar`, body, asOperator);

const shapes = (count: number) => times(count, (index) => `{"${index.toString(36)}":1}`);
const texts = (count: number) => times(count, (index) => `"t${index.toString(36)}"`);

/** Each uses almost the whole budget of api/http/body.ts. */
const STILL_PARSED: Record<string, string[]> = {
  'objects, each of another shape,': shapes(4_680),
  'names of one object': [`{${times(4_880, (index) => `"${index.toString(36)}":1`).join(',')}}`],
  'texts, all different,': texts(18_700),
  'empty lists': times(74_900, () => '[]'),
  'nested lists': times(3_680, () => '['.repeat(30) + ']'.repeat(30)),
  numbers: times(210_000, () => '1.5'),
  'things of all kinds': [
    ...shapes(1_170),
    ...texts(4_680),
    ...times(18_700, () => '[]'),
    ...times(56_000, () => '1.5'),
  ],
};

/** One request to each endpoint; each is answered or refused for its body. */
const everyKind = [
  { api: integrationApi, headers: asManager },
  { api: operationApi, headers: asOperator },
].flatMap(({ api: { base, endpoints }, headers }) =>
  endpoints
    .filter(({ path }) => !path.endsWith('/eventos'))
    .map(
      ({ method, path }): Shot => ({
        method,
        path: base + path.replace(/:\w+/g, '1'),
        headers,
        ...(method !== 'GET' && { body: '{"paradas":[{}]}' }),
      }),
    ),
);

const AFTER_START: Record<string, Shot[]> = {
  'an order': [post(`${INTEGRATION}/entregas`, order())],
  'an order that is refused': [post(`${INTEGRATION}/entregas`, { paradas: [{}] })],
  'an estimate': [post(`${INTEGRATION}/entregas/empresas/1/estimativas`, estimate())],
  'one request to every endpoint': everyKind,
  'the reference': ['/docs/', '/docs/js/scalar.js', '/openapi.json', '/postman.json'].map(page),
  'the console and the driver’s app': ['/console', '/entregador'].map(page),
};

export const attacks: readonly Attack[] = [
  ...Object.entries(AFTER_START).map(([what, shots]) => ({
    name: `after a start: ${what}`,
    shots,
    isFirst: true as const,
  })),
  {
    name: 'console login: 6,800 NULs, nobody logged in',
    shots: [post('/console/sessao', nuls, { ...json, 'x-malote-console': '1' })],
  },
  { name: 'order: 6,800 NULs', shots: [post(`${INTEGRATION}/entregas`, nuls)] },
  {
    name: 'webhook: 4,000 types',
    shots: [
      post(`${INTEGRATION}/webhooks`, {
        url: 'https://example.com',
        tipos: times(4_000, (index) => `tipo ${index}`),
      }),
    ],
  },
  {
    name: 'estimate: 60 KB of latlng_paradas',
    shots: [
      post(
        `${INTEGRATION}/entregas/empresas/1/estimativas`,
        estimate({ latlng_paradas: '-30.03,-51.2|'.repeat(4_600) }),
      ),
    ],
  },
  {
    name: 'order: 19,000 empty stops',
    shots: [post(`${INTEGRATION}/entregas`, order({ paradas: times(19_000, () => ({})) }))],
  },
  {
    name: 'areas: 24 zigzag outlines',
    shots: [
      post(
        `${OPERATION}/areas-atuacao/importar`,
        collection(
          times(24, () => zigzag(900)),
          'Zigue-zague',
        ),
        asOperator,
      ),
    ],
  },
  {
    name: 'areas: the same from 6 at once',
    shots: times(6, () =>
      post(
        `${OPERATION}/areas-atuacao/importar`,
        collection(
          times(24, () => zigzag(900)),
          'Zigue-zague',
        ),
        asOperator,
      ),
    ),
  },
  { name: 'areas: 42,000 positions imported', shots: [largestAreas('Círculo')] },
  {
    name: 'areas: the export of what was imported',
    shots: [{ method: 'GET', path: `${OPERATION}/areas-atuacao/exportar`, headers: asOperator }],
  },
  {
    name: 'areas: the list of what was imported',
    shots: [{ method: 'GET', path: `${OPERATION}/areas-atuacao?limite=100`, headers: asOperator }],
  },
  {
    name: 'JSON: 1 MiB of objects, each of another shape',
    shots: [postAreas(filled('{"paradas":[', (index) => `{"${index.toString(36)}":1}`, ']}'))],
  },
  {
    name: 'JSON: 1 MiB of names',
    shots: [postAreas(filled('{', (index) => `"${index.toString(36)}":1`, '}'))],
  },
  {
    name: 'JSON: 1 MiB of empty objects',
    shots: [postAreas(filled('{"paradas":[', () => '{}', ']}'))],
  },
  {
    name: 'JSON: 1 MiB of empty texts',
    shots: [postAreas(filled('{"paradas":[', () => '""', ']}'))],
  },
  {
    name: 'JSON: 1 MiB of short texts, all different',
    shots: [postAreas(filled('{"paradas":[', (index) => `"${index.toString(36)}"`, ']}'))],
  },
  { name: 'JSON: 1 MiB of brackets', shots: [postAreas('['.repeat(AREAS_BYTES))] },
  ...Object.entries(STILL_PARSED).map(([what, parts]) => ({
    name: `JSON: as many ${what} as are parsed`,
    shots: [postAreas(`{"a":[${parts.join(',')}]}`)],
  })),
  {
    name: '500 bad logins at once',
    shots: times(500, (index) => ({
      method: 'GET',
      path: `${INTEGRATION}/entregas/1/status`,
      headers: { 'api-key': 'demo-chave', authorization: basic(`ninguem${index}`, 'errada') },
    })),
  },
];
