import { ConnectionError, type Problem, refusedError } from './errors.ts';
import { Operations } from './operations.ts';
import type { ErrorKind } from './refusals.ts';
import type { CallOptions, Request } from './request.ts';

export interface MaloteOptions {
  /** The service's address, e.g. https://entregas.example, with or without the path of the interface. */
  url: string;
  apiKey: string;
  user: string;
  password: string;
  /** The language of the server's messages; Portuguese by default. */
  language?: 'pt' | 'en';
  /** The time limit of one attempt; 30 seconds by default. */
  timeoutMs?: number;
  /** The maximum number of attempts of a call; 5 by default. */
  attempts?: number;
  /** The maximum sum of the pauses between the attempts of a call; one minute by default. */
  patienceMs?: number;
  /** Replaces the global `fetch`. It may be the browser's own function: it is not called as a method. */
  fetch?: typeof fetch;
}

const BASE = '/api/v2/integracao';
const FIRST_PAUSE_MS = 400;
const PAUSE_MS_MAX = 15_000;
/** Too many requests, and the answers of a service that is restarting or of a proxy in front of it. */
const WORTH_REPEATING = [429, 502, 503, 504];

/**
 * The integration interface of a Malote, one method for each operation.
 *
 * Every write carries an Idempotency-Key that stays the same in all attempts, so that it is done at most once. After
 * too many requests, a lost connection or a short outage, the call is retried after the pause that the server asks for
 * (Retry-After), or else after a growing one. Other failures are the errors of errors.ts.
 */
export class Malote extends Operations {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #attempts: number;
  readonly #patienceMs: number;
  readonly #fetch: typeof fetch;

  constructor(options: MaloteOptions) {
    super();
    const url = options.url.replace(/\/+$/, '');
    this.#base = url.endsWith(BASE) ? url : url + BASE;
    this.#headers = {
      'api-key': options.apiKey,
      authorization: `Basic ${base64(`${options.user}:${options.password}`)}`,
      'accept-language': options.language ?? 'pt',
      accept: 'application/json',
    };
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#attempts = options.attempts ?? 5;
    this.#patienceMs = options.patienceMs ?? 60_000;
    const given = options.fetch ?? fetch;
    // A browser's fetch refuses to be called as a method of another object.
    this.#fetch = (input, init) => given(input, init);
  }

  /** Answers are not validated: they are trusted to match the OpenAPI document. */
  protected override async send<Answer>(request: Request, options: CallOptions = {}): Promise<Answer> {
    const key = request.isRead ? undefined : (options.idempotencyKey ?? newKey());
    const context = {
      operation: `${request.method} ${request.path}`,
      operationId: request.operationId,
      idempotencyKey: key,
    };
    let patienceMs = this.#patienceMs;
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(request, key, options.signal);
      if ('answer' in result && result.answer.ok) return contentOf(result.text, request) as Answer;
      const retryAfterSeconds = 'answer' in result ? retryAfterOf(result.answer.headers) : undefined;
      const pauseMs = retryAfterSeconds === undefined ? backoff(attempt) : retryAfterSeconds * 1000;
      const mayRepeat = 'failure' in result || WORTH_REPEATING.includes(result.answer.status);
      if (!mayRepeat || attempt >= this.#attempts || pauseMs > patienceMs) {
        if ('failure' in result)
          throw new ConnectionError(messageOf(result.failure), context, { cause: result.failure });
        const { status, headers } = result.answer;
        const requestId = headers.get('x-request-id');
        const kind = headers.get('x-error-kind') as ErrorKind | null;
        throw refusedError({
          ...context,
          status,
          kind,
          problems: problemsIn(result.text),
          requestId,
          retryAfterSeconds,
        });
      }
      patienceMs -= pauseMs;
      await pause(pauseMs, options.signal);
    }
  }

  /** An incomplete answer is a failure. */
  async #attempt(
    { method, path, body, query = {} }: Request,
    key: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: Response; text: string } | { failure: unknown }> {
    signal?.throwIfAborted();
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const answer = await this.#fetch(`${this.#base}${path}${given.length > 0 ? `?${search}` : ''}`, {
        method,
        headers: {
          ...this.#headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return { answer, text: await answer.text() };
    } catch (failure) {
      // An abort by the caller is not retried.
      signal?.throwIfAborted();
      return { failure };
    }
  }
}

function contentOf(text: string, { isWhole }: Request): unknown {
  const { success: _, ...content } = JSON.parse(text) as Record<string, unknown>;
  return isWhole ? content : content.data;
}

/** Grows with each attempt and has a random part, so that clients do not retry at the same time. */
const backoff = (attempt: number): number =>
  Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

/** In seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `crypto.randomUUID` is absent on pages that did not come over https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

function problemsIn(text: string): Problem[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: Problem[] };
    return Array.isArray(errors) ? errors : [];
  } catch {
    return [];
  }
}

/** Encodes UTF-8, with functions that Node and browsers have. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Adds the cause: the message of Node's fetch is only "fetch failed". */
function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message;
}
