import { INTEGRATION_BASE, integrationRoutes } from '../../server/src/contract/routes.ts';
import { webhookTexts } from '../../server/src/contract/webhookTexts.ts';
import type { Route } from '../../server/src/http/route.ts';
import type { Api } from '../../server/src/http/server.ts';
import { OPERATION_BASE, operationRoutes } from '../../server/src/operations/routes.ts';
import type { Client } from './client.ts';
import type { TestMalote } from './malote.ts';

export const apis: readonly Api[] = [
  {
    title: 'Integração',
    base: INTEGRATION_BASE,
    routes: integrationRoutes,
    webhooks: webhookTexts,
  },
  { title: 'Operação', base: OPERATION_BASE, routes: operationRoutes },
];

export interface PlacedRoute {
  base: string;
  route: Route;
  /** e.g. POST /entregas/:id/cancelar (operacao) */
  name: string;
}

/** Every route of both interfaces: tests that walk over them meet the ones of tomorrow too. */
export const everyRoute: readonly PlacedRoute[] = apis.flatMap(({ base, routes }) =>
  routes.map((route) => ({
    base,
    route,
    name: `${route.method} ${route.path} (${base.split('/').at(-1)})`,
  })),
);

/** A login of central 1 that may call the route. */
export function clientFor(malote: TestMalote, { base, route }: PlacedRoute): Client {
  if (base === OPERATION_BASE) return route.who.includes('operator') ? malote.operator : malote.driver(1);
  return route.who.includes('manager') ? malote.manager : malote.central;
}

export const pathWith = (path: string, idOf: (name: string) => number | string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => String(idOf(name)));

export const queryOf = ({ queryExample = {} }: Route): string => {
  const query = new URLSearchParams(
    Object.entries(queryExample).map(([name, value]) => [name, String(value)]),
  ).toString();
  return query && `?${query}`;
};
