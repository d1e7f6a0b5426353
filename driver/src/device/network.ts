import { requestOf } from '../core/action.ts';
import type { Entry, Outcome, RefusalNote } from '../core/outbox.ts';

export const API = '/api/v2/operacao';
const PATIENCE_MS = 20_000;
/** A photo on a bad network. */
const IMAGE_PATIENCE_MS = 90_000;

/** What came of a request. `unreached`: no answer, or one that is not the service's own, such as a hotel's login. */
export type Answer<T> =
  | { kind: 'ok'; data: T; etag: string | null }
  | { kind: 'unchanged' }
  | { kind: 'refused'; refusal: RefusalNote }
  | { kind: 'signed-out'; refusal: RefusalNote }
  | { kind: 'busy'; afterMs: number | null }
  | { kind: 'unreached' };

export interface Sent {
  method?: string;
  body?: unknown;
  image?: { mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined;
  key?: string;
  etag?: string | null;
}

export async function request<T>(
  path: string,
  { method = 'GET', body, image, key, etag }: Sent = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = {
    'x-malote-entregador': '1',
    'accept-language': document.documentElement.lang,
  };
  if (image) headers['content-type'] = image.mediaType;
  else if (body !== undefined) headers['content-type'] = 'application/json';
  if (key) headers['idempotency-key'] = key;
  if (etag) headers['if-none-match'] = etag;
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(image ? IMAGE_PATIENCE_MS : PATIENCE_MS),
      ...(image ? { body: image.bytes } : body !== undefined && { body: JSON.stringify(body) }),
    });
    return await answerOf<T>(response);
  } catch {
    return { kind: 'unreached' };
  }
}

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  if (response.status === 304) return { kind: 'unchanged' };
  const { status, headers } = response;
  const answer = (await response.json().catch(() => null)) as Envelope<T> | null;
  if (response.ok)
    return answer?.success
      ? { kind: 'ok', data: answer.data as T, etag: headers.get('etag') }
      : { kind: 'unreached' };
  const kind = headers.get('x-error-kind');
  if (status === 429 || status >= 500) {
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

/** Sends one entry of the outbox. */
export async function sendEntry({ action, driverId, happenedAt, key }: Entry): Promise<Outcome> {
  const { method, path, body, image } = requestOf(action, driverId, happenedAt);
  const answer = await request(`${API}${path}`, { method, body, image, key });
  switch (answer.kind) {
    case 'ok':
    case 'unchanged':
      return { kind: 'done' };
    case 'refused':
      return { kind: 'refused', refusal: answer.refusal };
    case 'signed-out':
      return { kind: 'signed-out' };
    case 'busy':
      return { kind: 'later', afterMs: answer.afterMs };
    case 'unreached':
      return { kind: 'later', afterMs: null };
  }
}
