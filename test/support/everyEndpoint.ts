import { integrationApi } from '../../server/src/contract/endpoints.ts';
import type { Endpoint } from '../../server/src/http/endpoint.ts';
import type { Api } from '../../server/src/http/server.ts';
import { OPERATION_BASE, operationApi } from '../../server/src/operations/endpoints.ts';
import type { Client } from './client.ts';
import type { TestMalote } from './malote.ts';

export const apis: readonly Api[] = [integrationApi, operationApi];

export interface PlacedEndpoint {
  base: string;
  endpoint: Endpoint;
  /** e.g. POST /entregas/:id/cancelar (operacao) */
  name: string;
}

/** Every route of both interfaces: tests that walk over them meet the ones of tomorrow too. */
export const everyEndpoint: readonly PlacedEndpoint[] = apis.flatMap(({ base, endpoints }) =>
  endpoints.map((endpoint) => ({
    base,
    endpoint,
    name: `${endpoint.method} ${endpoint.path} (${base.split('/').at(-1)})`,
  })),
);

/** A login of central 1 that may call the route. */
export function clientFor(malote: TestMalote, { base, endpoint }: PlacedEndpoint): Client {
  if (base === OPERATION_BASE)
    return endpoint.roles.includes('operator') ? malote.operator : malote.driver(1);
  // A manager tops up only where the central allows it, which is off by default.
  const isForManagers = endpoint.roles.includes('manager') && !endpoint.path.endsWith('/creditos/recargas');
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
