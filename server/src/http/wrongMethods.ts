import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import type { Endpoint, Method } from './endpoint.ts';

/** HEAD is answered wherever GET is. */
export const allowHeader = (methods: readonly Method[]): string =>
  methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

interface KnownPath {
  pattern: RegExp;
  allow: string;
}

/** Every existing path, for methods so rare that the router does not know them. */
export const wrongMethods = (
  apis: readonly { base: string; endpoints: readonly Endpoint[] }[],
): KnownPath[] =>
  apis.flatMap(({ base, endpoints }) =>
    [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, sharing]) => ({
      pattern: new RegExp(`^${base}${path.replace(/:\w+/g, '[^/]+')}/?$`),
      allow: allowHeader(sharing.map(({ method }) => method)),
    })),
  );

export function refuseWrongMethod(
  known: readonly KnownPath[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const [path = ''] = request.url.split('?', 1);
  const found = known.find(({ pattern }) => pattern.test(path));
  if (!found) return;
  reply.header('allow', found.allow);
  throw new Refusal('method-not-allowed');
}
