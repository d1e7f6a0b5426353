import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Central, loginCentralOf } from '../../centrals/central.ts';
import type {
  NotedRequest,
  RecordedContent,
  RecordedError,
  RecordedPart,
  RequestProof,
} from '../../events/requests/apiRequest.ts';
import type { RequestRecorder } from '../../events/requests/recordRequests.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Refusal, RefusalDetails } from '../../platform/kernel/refusal.ts';
import { describeFailure } from './answerError.ts';
import { isParsedQuickly } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { KIND_HEADER, preferredLanguage } from './envelope.ts';
import { describeProblem, InvalidInput } from './invalidInput.ts';
import { type KnownWords, knownWords, maskedField, maskedId, maskedPart } from './maskContent.ts';

/** A larger body is recorded by its size only. */
const BODY_BYTES_MAX = 16 * 1024;
const ERRORS_MAX = 10;
const ERROR_LENGTH_MAX = 300;
const PATH_LENGTH_MAX = 300;
/** In bytes. The table refuses twice as much. */
const CONTENT_BYTES_MAX = 8 * 1024;

/** Details of refusals that no caller sends: ids, numbers, and names of fields and permissions. */
const SHOWN_DETAILS = [
  'id',
  'max',
  'count',
  'left',
  'hours',
  'seconds',
  'stop',
  'size',
  'scope',
  'field',
  'reason',
];
/** Fields of problems that are no names of a schema. */
const SHOWN_FIELDS = [
  'corpo',
  'query',
  'id',
  'parada_id',
  'requisição',
  'url',
  'Content-Type',
  'Idempotency-Key',
];

/**
 * Notes an answered request of an identified central: each refused one, and one of some of the others. Most requests
 * cost two comparisons and a random number here.
 */
export function noteRequests(recorder: Pick<RequestRecorder, 'admit' | 'note'>, clock: Clock) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { central } = request;
    if (central === undefined) return;
    const { requestsSampledOneIn: oneIn, requestsKeptDays } = central.settings;
    const isRefused = reply.statusCode >= 400;
    if (!isRefused && (oneIn === 0 || Math.random() * oneIn >= 1)) return;
    if (requestsKeptDays === 0) return;
    const { endpoint } = request.routeOptions.config;
    if (endpoint?.isLive && !isRefused) return;
    const sender = senderOf(request, central);
    if (!recorder.admit(sender, isRefused)) return;
    const { elapsedTime } = reply;
    recorder.note({
      ...sender,
      atMs: clock.milliseconds() - Math.round(elapsedTime),
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      kind: kindOf(reply),
      durationMs: Math.max(0, Math.round(elapsedTime)),
      requestId: request.id,
      content: contentOf(request, endpoint),
    });
  };
}

type SenderFields = 'centralId' | 'loginCentralId' | 'userId' | 'keyDigest' | 'companyId' | 'proof';

/** Without a caller the API key was known, and the login was refused. Its name is not kept: it may be a password. */
function senderOf({ caller, headers }: FastifyRequest, central: Central): Pick<NotedRequest, SenderFields> {
  const { id: centralId } = central;
  const loginCentralId = loginCentralOf(central);
  if (!caller) {
    const keyDigest = hash('sha256', String(headers['api-key']), 'base64');
    return { centralId, loginCentralId, userId: null, keyDigest, companyId: null, proof: 'key' };
  }
  const { userId, companyId, proof } = caller;
  const keyDigest = proof.kind === 'key' ? proof.keyDigest : null;
  return {
    centralId,
    loginCentralId,
    userId,
    keyDigest,
    companyId,
    proof: proof.kind satisfies RequestProof,
  };
}

function pathOf({ routeOptions, params }: FastifyRequest): string {
  const given = (params ?? {}) as Readonly<Record<string, string>>;
  return (routeOptions.url ?? '…')
    .replace(/:(\w+)/g, (_, name: string) => maskedId(given[name]))
    .slice(0, PATH_LENGTH_MAX);
}

const kindOf = (reply: FastifyReply): string | null => {
  const kind = reply.getHeader(KIND_HEADER);
  return typeof kind === 'string' ? kind : null;
};

const wordsOf = new WeakMap<Endpoint, KnownWords>();
const NO_WORDS: KnownWords = { names: new Set(), codes: new Set() };

function knownTo(endpoint: Endpoint | undefined): KnownWords {
  if (!endpoint) return NO_WORDS;
  let words = wordsOf.get(endpoint);
  if (!words) {
    words = knownWords(endpoint.query, endpoint.body);
    wordsOf.set(endpoint, words);
  }
  return words;
}

function contentOf(request: FastifyRequest, endpoint: Endpoint | undefined): RecordedContent {
  const known = knownTo(endpoint);
  const errors = request.failure && errorsOf(request, request.failure, known);
  const query = request.query as object | undefined;
  const content: RecordedContent = {
    ...(endpoint && query && Object.keys(query).length > 0 && { query: maskedPart(query, known) }),
    ...bodyOf(request, endpoint, known),
    ...(errors && { errors }),
  };
  if (Buffer.byteLength(JSON.stringify(content)) <= CONTENT_BYTES_MAX) return content;
  return { body: 'grande demais para mostrar', ...(errors && { errors: errors.slice(0, 1) }) };
}

/** A body that is not read by an endpoint, such as the form with the secret of a program, is not shown at all. */
function bodyOf(
  request: FastifyRequest,
  endpoint: Endpoint | undefined,
  known: KnownWords,
): { body?: RecordedPart } {
  const body = request.body as Buffer | undefined;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  if (!endpoint) return { body: 'não registrado' };
  if (endpoint.rawBody) return { body: `arquivo(${body.length} bytes)` };
  if (body.length > BODY_BYTES_MAX || !isParsedQuickly(body)) return { body: `corpo(${body.length} bytes)` };
  try {
    return { body: maskedPart(JSON.parse(body.toString('utf8')), known) };
  } catch {
    return { body: `ilegível(${body.length} bytes)` };
  }
}

/** The errors in the language of the answer, without what they quote of the request. */
function errorsOf(
  request: FastifyRequest,
  failure: InvalidInput | Refusal,
  known: KnownWords,
): RecordedError[] {
  const language = preferredLanguage(request.headers['accept-language']);
  const cut = (code: number, message: string): RecordedError => ({
    code,
    message: message.slice(0, ERROR_LENGTH_MAX),
  });
  if (failure instanceof InvalidInput)
    return failure.problems.slice(0, ERRORS_MAX).map((problem) => {
      const field = maskedField(problem.field, known, SHOWN_FIELDS);
      return cut(2, describeProblem({ ...problem, field }, language));
    });
  const details: RefusalDetails = Object.fromEntries(
    Object.entries(failure.details).map(([name, detail]) => [
      name,
      SHOWN_DETAILS.includes(name) || name.endsWith('Cents') ? detail : '…',
    ]),
  );
  const { code, message } = describeFailure(failure.kind, details, language);
  return [cut(code, message)];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused. */
    failure: InvalidInput | Refusal | undefined;
  }
  interface FastifyContextConfig {
    /** The endpoint that answers; absent for pages and other routes. */
    endpoint?: Endpoint;
  }
}
