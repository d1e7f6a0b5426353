import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** What an endpoint's definition says when it is to be removed; docs/compatibility.md promises the time between. */
export interface Deprecation {
  /** The day since which it is deprecated, such as 2027-03-01. */
  since: string;
  /** The first day on which it may no longer answer. */
  sunset: string;
  /** The operation that replaces it, such as `criarLote`. */
  instead: string;
}

/** The page with the dated list of changes. */
export const CHANGES_PATH = '/docs/mudancas';

/** Every deprecation lasts at least this long. */
export const DEPRECATION_MONTHS_MIN = 12;

const midnight = (day: string): Temporal.Instant =>
  Temporal.PlainDate.from(day).toZonedDateTime('UTC').toInstant();

/** RFC 9745, RFC 8594. They are sent with every answer of the endpoint, refusals included. */
function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${midnight(since).epochMilliseconds / 1000}`,
    sunset: new Date(midnight(sunset).epochMilliseconds).toUTCString(),
    link: `<${CHANGES_PATH}>; rel="deprecation"; type="text/html"`,
  };
}

export function announceDeprecation(deprecation: Deprecation) {
  const headers = deprecationHeaders(deprecation);
  return (_request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    reply.headers(headers);
    done();
  };
}

/** In the reference. */
export const describeDeprecation = ({ since, sunset, instead }: Deprecation): string =>
  `**Obsoleta desde ${brazilian(since)}.** Pode deixar de responder a partir de ${brazilian(sunset)}. Use \`${instead}\`.`;

const brazilian = (day: string): string => day.split('-').reverse().join('/');

const header = (description: string) => ({ description, schema: { type: 'string' } });

/** The headers of a deprecated operation in the OpenAPI document. */
export const deprecationHeaderTexts = {
  Deprecation: header('Desde quando a operação é obsoleta (RFC 9745): `@` e segundos desde 1970'),
  Sunset: header('A partir de quando pode deixar de responder (RFC 8594)'),
  Link: header('`rel="deprecation"`: a página com as mudanças da interface'),
};
