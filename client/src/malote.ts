import { type AnswerInfo, readInfo, rememberInfo } from './answerInfo.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { ConnectionError, type Problem, refusedError } from './errors.ts';
import { type ListenOptions, type LiveEvent, listen } from './eventStream.ts';
import { newKey } from './idempotencyKey.ts';
import { Deliveries, Scheduled, Webhooks } from './lists.ts';
import { Operations } from './operations.ts';
import type { MaloteOptions } from './options.ts';
import type { CallOptions, Request } from './request.ts';
import { type Attempt, isPassing, kindOf, pause, pauseAfter, retryAfterOf, within } from './retry.ts';

const BASE = '/api/v2/integracao';

/** One call with its limits. */
interface Call {
  request: Request;
  key: string | undefined;
  options: CallOptions;
  timeoutMs: number;
  /** In the time of `Date.now()`. */
  endsAt: number;
}

/**
 * The integration interface of a Malote, one method for each operation.
 *
 * Every write carries an Idempotency-Key that stays the same in all attempts, so that it is done at most once. After
 * too many requests, a lost connection or a short outage, the call is retried after the pause that the server asks for
 * (Retry-After), or else after a growing one. Other failures are the errors of errors.ts.
 */
export class Malote extends Operations {
  /** Deliveries one by one, over all pages. */
  readonly deliveries = new Deliveries(this);
  /** Scheduled deliveries one by one, over all pages. */
  readonly scheduled = new Scheduled(this);
  /** Webhooks and what was sent to them one by one, over all pages. */
  readonly webhooks = new Webhooks(this);
  /** Events as they happen. */
  readonly events = {
    listen: (options: ListenOptions = {}): AsyncGenerator<LiveEvent, void> =>
      listen((last, signal) => this.#open(options, last, signal), options),
  };

  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: Credentials;
  readonly #limits: { timeoutMs: number; totalTimeoutMs: number; attempts: number; patienceMs: number };
  readonly #onAnswer: ((info: AnswerInfo) => void) | undefined;
  readonly #fetch: typeof fetch;

  constructor(options: MaloteOptions) {
    super();
    const root = options.url.replace(/\/+$/, '').replace(new RegExp(`${BASE}$`), '');
    this.#base = root + BASE;
    this.#headers = {
      'accept-language': options.language ?? 'pt',
      accept: 'application/json',
      ...(options.strict && { prefer: 'handling=strict' }),
    };
    const { timeoutMs = 30_000, totalTimeoutMs = 120_000, attempts = 5, patienceMs = 60_000 } = options;
    this.#limits = { timeoutMs, totalTimeoutMs, attempts, patienceMs };
    this.#onAnswer = options.onAnswer;
    const given = options.fetch ?? fetch;
    // A browser's fetch refuses to be called as a method of another object.
    this.#fetch = (input, init) => given(input, init);
    this.#credentials = credentialsOf(options, root, this.#fetch);
  }

  /** Answers are not validated: they are trusted to match the OpenAPI document. */
  protected override async send<Answer>(request: Request, options: CallOptions = {}): Promise<Answer> {
    const { timeoutMs, totalTimeoutMs } = { ...this.#limits, ...given(options) };
    const { isLive, isRead } = request;
    const key = isRead ? undefined : keyOf(options);
    // A stream is opened again for as long as the caller listens.
    const endsAt = isLive ? Number.POSITIVE_INFINITY : Date.now() + totalTimeoutMs;
    const call = { request, key, options, timeoutMs, endsAt };
    // A write without a key might be done twice.
    const attempts = isLive ? endsAt : isRead || key !== undefined ? this.#limits.attempts : 1;
    let patienceMs = isLive ? endsAt : this.#limits.patienceMs;
    let hasRenewed = false;
    for (let count = 1; ; count++) {
      const { attempt, discard } = await this.#attempt(call);
      if ('answer' in attempt && attempt.answer.ok) return this.#accept(call, attempt, count) as Answer;
      if (discard && !hasRenewed && 'answer' in attempt && attempt.answer.status === 401) {
        // Refused before anything was done. The new token's attempt takes the place of this one.
        hasRenewed = true;
        discard();
        count--;
        continue;
      }
      const pauseMs = pauseAfter(attempt, count);
      const isLast = count >= attempts || pauseMs > patienceMs || Date.now() + pauseMs >= call.endsAt;
      if (isLast || !isPassing(attempt)) throw errorOf(call, attempt);
      patienceMs -= pauseMs;
      await pause(pauseMs, options.signal);
    }
  }

  #open(
    { types, since }: ListenOptions,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const request = {
      operationId: 'acompanharEventos',
      method: 'GET',
      path: '/eventos',
      query: { tipos: types?.join(), desde: since },
      isRead: true,
      isLive: true,
      lastEventId,
    } as const;
    return this.send<Response>(request, { signal });
  }

  /** An incomplete answer is a failure. */
  async #attempt({ request, key, options: { signal }, timeoutMs, endsAt }: Call): Promise<{
    attempt: Attempt;
    discard?: (() => void) | undefined;
  }> {
    signal?.throwIfAborted();
    const { method, path, body, query = {}, isLive, lastEventId } = request;
    const asked = Object.entries(given(query)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const address = `${this.#base}${path}${asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''}`;
    const send = async (ended: AbortSignal) => {
      const proof = await this.#credentials(ended);
      if (!('headers' in proof)) return { attempt: proof };
      const headers = {
        ...this.#headers,
        ...proof.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(isLive && { accept: 'text/event-stream' }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      };
      const content = body !== undefined && { body: JSON.stringify(body) };
      const answer = await this.#fetch(address, { method, headers, ...content, signal: ended });
      const text = isLive && answer.ok ? '' : await answer.text();
      return { attempt: { answer, text }, discard: proof.discard };
    };
    try {
      return await within(Math.max(1, Math.min(timeoutMs, endsAt - Date.now())), signal, send);
    } catch (failure) {
      // An abort by the caller is not retried.
      signal?.throwIfAborted();
      return { attempt: { failure } };
    }
  }

  #accept(
    { request, key }: Call,
    { answer, text }: { answer: Response; text: string },
    attempts: number,
  ): unknown {
    if (request.isLive) return answer;
    const { success: _, ...content } = JSON.parse(text) as Record<string, unknown>;
    const info = readInfo(answer, {
      operationId: request.operationId,
      idempotencyKey: key,
      attempts,
      nextCursor: content.proximo_cursor as string | null | undefined,
      hasMore: content.ha_mais === true,
    });
    const result = request.isWhole ? content : content.data;
    rememberInfo(result, info);
    this.#onAnswer?.(info);
    return result;
  }
}

function errorOf({ request, key }: Call, attempt: Attempt): Error {
  const context = {
    operation: `${request.method} ${request.path}`,
    operationId: request.operationId,
    idempotencyKey: key,
  };
  if ('failure' in attempt)
    return new ConnectionError(messageOf(attempt.failure), context, { cause: attempt.failure });
  const { answer, text } = attempt;
  return refusedError({
    ...context,
    status: answer.status,
    kind: kindOf(answer),
    problems: problemsIn(text),
    requestId: answer.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(answer.headers),
  });
}

const keyOf = ({ idempotencyKey }: CallOptions): string | undefined =>
  idempotencyKey === null ? undefined : (idempotencyKey ?? newKey());

/** The fields that are not undefined. */
const given = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

/** In the envelope of the interface, or as OAuth 2.0 has errors (RFC 6749 5.2). */
function problemsIn(text: string): Problem[] {
  try {
    const { errors, error, error_description: description } = JSON.parse(text);
    if (typeof error === 'string') return [{ code: 0, message: `${error}: ${description}` }];
    return Array.isArray(errors) ? errors : [];
  } catch {
    return [];
  }
}

/** Adds the cause: the message of Node's fetch is only "fetch failed". */
function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message;
}
