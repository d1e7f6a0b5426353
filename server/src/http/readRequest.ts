import type { FastifyRequest } from 'fastify';
import { isStorable, type ParsedBody, parseBody, refuseMalformed, unstorable } from './body.ts';
import { InvalidInput, invalid, type Problem } from './invalidInput.ts';
import type { Asker, Route } from './route.ts';
import { withoutNulls } from './schemaWalk.ts';
import { bodyValidator, queryValidator } from './validation.ts';

export interface ReadRequest {
  params: Record<string, number>;
  query: unknown;
  body: unknown;
}

/** Reads all that a request says, or refuses it with everything that is wrong with it. */
export function requestReader(route: Route): (request: FastifyRequest, asker: Asker) => ReadRequest {
  const bodyProblems = route.body ? bodyValidator(route.body) : () => [];
  const queryProblems = route.query ? queryValidator(route.query) : () => [];
  return (request, asker) => {
    const { params, problems } = parseParams(request.params as Record<string, string>);
    const { body, problems: unstorable } = readBody(route, request);
    const query = { ...(request.query as Record<string, unknown>) };
    const further = isFields(body) ? (route.furtherProblems?.(body, asker) ?? []) : [];
    problems.push(
      ...onePerField([...unstorableQuery(query), ...queryProblems(query)]),
      ...onePerField([...unstorable, ...bodyProblems(body), ...further]),
    );
    if (problems.length) throw new InvalidInput(problems);
    return { params, query, body };
  };
}

function readBody({ body: schema }: Route, request: FastifyRequest): Pick<ParsedBody, 'body' | 'problems'> {
  const raw = request.body as Buffer | undefined;
  const contentType = request.headers['content-type'];
  if (!schema) {
    refuseMalformed(raw, contentType);
    return { body: undefined, problems: [] };
  }
  const { body, problems, hasNulls } = parseBody(raw, contentType);
  return { body: hasNulls ? withoutNulls(schema, body) : body, problems };
}

const isFields = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** The first one of each. */
function onePerField(problems: readonly Problem[]): Problem[] {
  const told = new Set<string>();
  return problems.filter(({ field }) => !told.has(field) && told.add(field));
}

function parseParams(raw: Readonly<Record<string, string>>): {
  params: Record<string, number>;
  problems: Problem[];
} {
  const params: Record<string, number> = {};
  const problems: Problem[] = [];
  for (const [field, text] of Object.entries(raw)) {
    const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
    if (id > 0 && Number.isSafeInteger(id)) params[field] = id;
    else
      problems.push({ field, pt: 'deve ser um número inteiro positivo', en: 'must be a positive integer' });
  }
  return { params, problems };
}

const unstorableQuery = (query: Readonly<Record<string, unknown>>): Problem[] =>
  Object.entries(query)
    .filter(([name, value]) => !isStorable(name) || [value].flat().some((one) => !isStorable(String(one))))
    .map(([name]) => unstorable(isStorable(name) ? name : 'query'));

/** Where the outside reaches us: as configured, or else as this request did. */
export function publicUrlOf(request: FastifyRequest, configured: string | undefined): string {
  if (configured !== undefined) return configured;
  const { host, protocol } = request;
  // It ends up in links, so nothing but a host name may stand there.
  if (!/^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/.test(host))
    throw invalid('Host', 'não é um nome de servidor válido', 'is not a valid host name');
  return `${protocol}://${host}`;
}
