import type { RefusalNote } from './outbox.ts';

/** The result of a request. `unreached`: no answer, or one from elsewhere, such as a hotel's login page. */
export type Answer<T> =
  | { kind: 'ok'; data: T; etag: string | null }
  /** `date` is the service's clock, in whole seconds. */
  | { kind: 'unchanged'; date: string | null }
  | { kind: 'refused'; refusal: RefusalNote }
  | { kind: 'signed-out'; refusal: RefusalNote }
  | { kind: 'busy'; afterMs: number | null }
  | { kind: 'unreached' };

/** To be retried: too many requests (429), or one that took too long (408), such as a photo on a slow network. */
const SETTLES_NOTHING = [408, 429];

export async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const { status, headers } = response;
  if (status === 304) return { kind: 'unchanged', date: headers.get('date') };
  const answer = (await response.json().catch(() => null)) as Envelope<T> | null;
  if (response.ok)
    return answer?.success
      ? { kind: 'ok', data: answer.data as T, etag: headers.get('etag') }
      : { kind: 'unreached' };
  const kind = headers.get('x-error-kind');
  if (SETTLES_NOTHING.includes(status) || status >= 500) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return { kind: 'busy', afterMs: Number.isFinite(seconds) ? seconds * 1_000 : null };
  }
  if (!kind) return { kind: 'unreached' };
  const refusal = { kind, messages: answer?.errors?.map(({ message }) => message) ?? [`HTTP ${status}`] };
  return status === 401 ? { kind: 'signed-out', refusal } : { kind: 'refused', refusal };
}

interface Envelope<T> {
  success?: boolean;
  data?: T;
  errors?: { message: string }[];
}
