import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { isStorable, type ParsedBody, parseBody, parseIgnored, unstorable } from './body.ts';
import type { Endpoint, RawBody, RawContent, RequestContext } from './endpoint.ts';
import { InvalidInput, invalid, type Problem } from './invalidInput.ts';
import { isFields, withoutNulls, withTextsRead } from './schemaWalk.ts';
import { nameIgnored, prefersStrict, unknownNameProblems, unknownNamesFinder } from './unknownNames.ts';
import { bodyValidator, queryValidator } from './validation.ts';

/**
 * The caller's X-Request-Id is kept, so that one id follows a request through several systems. It is logged
 * unchanged: hence the narrow alphabet, and a length that leaves no room for a CPF or a phone number.
 */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{15,63}$/;

export function requestId({ headers }: { headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/** Bodies are read as they arrive. An encoded one is refused before that. */
export function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') throw new Refusal('body-encoded');
}

export interface ReadRequest {
  params: Record<string, number>;
  texts: Record<string, string>;
  query: unknown;
  body: unknown;
  raw?: RawContent;
}

export interface RequestReader {
  /** Reads the whole request, or refuses it with all its problems. The answer names what was ignored. */
  read(request: FastifyRequest, reply: FastifyReply, context: RequestContext): ReadRequest;
  /** Compiles the schemas, which the first request would wait for otherwise. */
  prepare: readonly (() => void)[];
}

export function requestReader(endpoint: Endpoint): RequestReader {
  const bodyProblems = endpoint.body ? bodyValidator(endpoint.body) : () => [];
  const queryProblems = endpoint.query ? queryValidator(endpoint.query) : () => [];
  const textProblems = endpoint.texts ? queryValidator(endpoint.texts) : () => [];
  const findUnknown = unknownNamesFinder(endpoint);
  const read: RequestReader['read'] = (request, reply, context) => {
    const { params, texts, problems } = parseParams(request.params as Record<string, string>, endpoint.texts);
    const raw = endpoint.rawBody && readRaw(endpoint.rawBody, request);
    const {
      body,
      sent,
      problems: unstorable,
    } = raw ? { body: undefined, sent: undefined, problems: [] } : readBody(endpoint, request);
    const query = { ...(request.query as Record<string, unknown>) };
    const input = endpoint.body ? body : query;
    const further = isFields(input) ? (endpoint.furtherProblems?.(input, context) ?? []) : [];
    const unknown = findUnknown(query, sent);
    const isStrict = prefersStrict(request.headers.prefer);
    if (isStrict) reply.header('preference-applied', 'handling=strict');
    else if (unknown.count > 0) nameIgnored(reply, unknown);
    problems.push(
      ...onePerField([
        ...unstorableTexts(texts, 'path'),
        ...textProblems(texts),
        ...unstorableTexts(query, 'query'),
        ...queryProblems(query),
        ...unstorable,
        ...bodyProblems(body),
        ...further,
        ...(isStrict ? unknownNameProblems(unknown) : []),
      ]),
    );
    if (problems.length) throw new InvalidInput(problems);
    return { params, texts, query, body, ...(raw && { raw }) };
  };
  return { read, prepare: [() => bodyProblems({}), () => queryProblems({}), () => textProblems({})] };
}

/** `sent` is what the caller sent, also where the endpoint takes no body. */
function readBody(
  { body: schema }: Endpoint,
  request: FastifyRequest,
): Pick<ParsedBody, 'body' | 'problems'> & { sent: unknown } {
  const raw = request.body as Buffer | undefined;
  const contentType = request.headers['content-type'];
  if (!schema) return { body: undefined, sent: parseIgnored(raw, contentType), problems: [] };
  return parsedFor(schema, parseBody(raw, contentType));
}

/** The parsed body as its schema reads it, and as the caller sent it. */
export function parsedFor(
  schema: TSchema,
  { body, problems, hasNulls }: ParsedBody,
): Pick<ParsedBody, 'body' | 'problems'> & { sent: unknown } {
  const read = withTextsRead(schema, body);
  return { body: hasNulls ? withoutNulls(schema, read) : read, sent: body, problems };
}

function readRaw({ mediaTypes }: RawBody, request: FastifyRequest): RawContent {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  const found = mediaTypes.find((each) => each === mediaType.trim().toLowerCase());
  if (!found)
    throw invalid(
      'Content-Type',
      `deve ser um de: ${mediaTypes.join(', ')}`,
      `must be one of: ${mediaTypes.join(', ')}`,
    );
  const bytes = request.body as Buffer | undefined;
  if (!bytes || bytes.length === 0) throw invalid('corpo', 'é obrigatório', 'is required');
  return { mediaType: found, bytes };
}

/** The first problem of each field. */
export function onePerField(problems: Problem[]): Problem[] {
  if (problems.length < 2) return problems;
  const seen = new Set<string>();
  return problems.filter(({ field }) => !seen.has(field) && seen.add(field));
}

function parseParams(
  raw: Readonly<Record<string, string>>,
  textSchema: Endpoint['texts'],
): Pick<ReadRequest, 'params' | 'texts'> & { problems: Problem[] } {
  const params: Record<string, number> = {};
  const texts: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [field, text] of Object.entries(raw)) {
    // Two slashes in a row: no such path, rather than an empty id.
    if (text === '') throw new Refusal('route-not-found');
    if (textSchema && field in textSchema.properties) {
      texts[field] = text;
      continue;
    }
    const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
    if (id > 0 && Number.isSafeInteger(id)) params[field] = id;
    else
      problems.push({ field, pt: 'deve ser um número inteiro positivo', en: 'must be a positive integer' });
  }
  return { params, texts, problems };
}

const unstorableTexts = (given: Readonly<Record<string, unknown>>, whole: string): Problem[] =>
  Object.entries(given)
    .filter(([name, value]) => !isStorable(name) || [value].flat().some((text) => !isStorable(String(text))))
    .map(([name]) => unstorable(isStorable(name) ? name : whole));

/** The public address of the service: as configured, or else as this request used it. */
export function publicUrlOf(request: FastifyRequest, configured: string | undefined): string {
  if (configured !== undefined) return configured;
  const { host, protocol } = request;
  // It becomes part of links, so only a host name is accepted.
  if (!/^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/.test(host))
    throw invalid('Host', 'não é um nome de servidor válido', 'is not a valid host name');
  // A trusted proxy may pass on what its client sent.
  const scheme = protocol.toLowerCase();
  if (scheme !== 'http' && scheme !== 'https')
    throw invalid('X-Forwarded-Proto', 'deve ser http ou https', 'must be http or https');
  return `${scheme}://${host}`;
}
