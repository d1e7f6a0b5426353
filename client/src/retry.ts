import type { ErrorKind } from './refusals.ts';

/** What an attempt came to: an answer whose body arrived completely, or no answer. */
export type Attempt = { answer: Response; text: string } | { failure: unknown };

const FIRST_PAUSE_MS = 400;
const PAUSE_MS_MAX = 15_000;
/** Too many requests, and the answers of a service that is restarting or of a proxy in front of it. */
const PASSING_STATUSES = [429, 502, 503, 504];
/** Something else is being done with the same delivery, and will be done in a moment. */
const PASSING_KINDS: readonly (ErrorKind | null)[] = ['grouping-in-progress', 'merge-in-progress'];

/** Whether another attempt may have another result. */
export const isPassing = (attempt: Attempt): boolean =>
  'failure' in attempt ||
  PASSING_STATUSES.includes(attempt.answer.status) ||
  PASSING_KINDS.includes(kindOf(attempt.answer));

export const kindOf = ({ headers }: Response): ErrorKind | null =>
  headers.get('x-error-kind') as ErrorKind | null;

/** As long as the server asks for. Otherwise it grows and has a random part, so that clients do not retry together. */
export const pauseAfter = (attempt: Attempt, count: number): number => {
  const asked = 'answer' in attempt ? retryAfterOf(attempt.answer.headers) : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (count - 1)) * (0.75 + Math.random() / 2);
};

/** In seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Ends work that takes too long, by its signal. The timer ends with the work: `AbortSignal.timeout` would keep a
 * program of Deno running until its time is over.
 */
export async function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const late = () => limit.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(late, ms);
  try {
    return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
