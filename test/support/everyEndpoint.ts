import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import type { Api } from '../../server/src/api/http/api.ts';
import type { Endpoint } from '../../server/src/api/http/endpoint.ts';
import { integrationApi } from '../../server/src/api/integration/endpoints.ts';
import { OPERATION_BASE, operationApi } from '../../server/src/api/operations/endpoints.ts';
import type { Role } from '../../server/src/centrals/caller.ts';
import { rolesWith } from '../../server/src/centrals/permissions.ts';
import type { Client, Json } from './client.ts';
import type { TestMalote } from './malote.ts';

export const apis: readonly Api[] = [integrationApi, operationApi];

export interface PlacedEndpoint {
  base: string;
  endpoint: Endpoint;
  /** e.g. POST /entregas/:id/cancelar (operacao) */
  name: string;
}

/** Every endpoint of both interfaces. Tests that iterate over them also cover endpoints added later. */
export const everyEndpoint: readonly PlacedEndpoint[] = apis.flatMap(({ base, endpoints }) =>
  endpoints.map((endpoint) => ({
    base,
    endpoint,
    name: `${endpoint.method} ${endpoint.path} (${base.split('/').at(-1)})`,
  })),
);

export const isFor = ({ permission }: Endpoint, role: Role): boolean => rolesWith(permission).includes(role);

/** A login of central 1 that may call the endpoint. */
export function clientFor(malote: TestMalote, { base, endpoint }: PlacedEndpoint): Client {
  if (endpoint.path.startsWith('/sandbox')) return malote.sandbox;
  if (base === OPERATION_BASE) return isFor(endpoint, 'operator') ? malote.operator : malote.driver(1);
  // A manager tops up only where the central allows it, which is off by default.
  const isForManagers = isFor(endpoint, 'manager') && !endpoint.path.endsWith('/creditos/recargas');
  return isForManagers ? malote.manager : malote.central;
}

export const pathWith = (path: string, idOf: (name: string) => number | string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => String(idOf(name)));

export const queryOf = ({ queryExample = {} }: Endpoint): string => {
  const query = new URLSearchParams(
    Object.entries(queryExample).map(([name, value]) => [name, String(value)]),
  ).toString();
  return query && `?${query}`;
};

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
}

const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  '\u0000',
  '\ud83d',
  "'; drop table stops; --",
  '𝒜'.repeat(40),
  'x'.repeat(300),
];
const anything: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3 });
const oddNumbers = fc.constantFrom(0, -0, -1, 0.1, 1e-9, 2 ** 31, 2 ** 32, 2 ** 53, 1e21, -1e300, 1.005);

/**
 * Bodies that nearly match a schema: most fields are valid or at a limit, some have another type altogether. Where the
 * schema does not determine a valid value, the example provides it.
 */
export function bodiesOf(schema: Schema, example: Json): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: near(schema, example) },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(example) },
  );
}

function near(schema: Schema, example: Json): Arbitrary<unknown> {
  const fitting = shaped(schema, example);
  return fc.oneof(
    { weight: example === undefined ? 1 : 12, arbitrary: fitting },
    { weight: 1, arbitrary: anything },
  );
}

function shaped(schema: Schema, example: Json): Arbitrary<unknown> {
  if (schema.anyOf)
    return fc.oneof(
      ...schema.anyOf.map((variant, index) => shaped(variant, index === 0 ? example : undefined)),
    );
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const kept = example === undefined ? [] : [{ weight: 10, arbitrary: fc.constant(example) }];
  switch (schema.type ?? '') {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [
            name,
            near(property, example?.[name]),
          ]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    case 'array':
      return fc.array(near(schema.items ?? {}, example?.[0]), { maxLength: (schema.maxItems ?? 4) + 1 });
    case 'string':
      return fc.oneof(
        ...kept,
        { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: (schema.maxLength ?? 50) + 1 }) },
      );
    case 'integer':
      return fc.oneof(
        ...kept,
        { weight: 1, arbitrary: oddNumbers },
        {
          weight: 2,
          arbitrary: fc.integer({
            min: (schema.minimum ?? 0) - 1,
            max: Math.min(schema.maximum ?? 99, 2 ** 31 - 2) + 1,
          }),
        },
      );
    case 'number':
      return fc.oneof(...kept, { weight: 1, arbitrary: oddNumbers }, { weight: 1, arbitrary: fc.double() });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.oneof(...kept, { weight: 1, arbitrary: anything });
  }
}
