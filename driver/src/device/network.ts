import { type ApiRequest, requestOf, requestsBefore } from '../core/action.ts';
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
  /** Of an image on its way. */
  onProgress?: (percent: number) => void;
}

export async function request<T>(
  path: string,
  { method = 'GET', body, image, key, etag, onProgress }: Sent = {},
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
    if (image) return await answerOf<T>(await sendImage(path, method, headers, image.bytes, onProgress));
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return await answerOf<T>(response);
  } catch {
    return { kind: 'unreached' };
  }
}

/** The only way in which a browser tells how much of a body is sent. */
function sendImage(
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array<ArrayBuffer>,
  onProgress?: (percent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open(method, path);
    sending.timeout = IMAGE_PATIENCE_MS;
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => onProgress?.(Math.round((loaded / total) * 100));
    sending.onload = () => {
      const names = ['x-error-kind', 'retry-after', 'etag'];
      const received = names.flatMap((name): [string, string][] => {
        const value = sending.getResponseHeader(name);
        return value === null ? [] : [[name, value]];
      });
      const { status } = sending;
      resolve(new Response(status === 304 ? null : sending.responseText, { status, headers: received }));
    };
    sending.onerror = sending.ontimeout = () => reject(new Error('no answer'));
    sending.send(bytes);
  });
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
export async function sendEntry(
  { action, driverId, happenedAt, key }: Entry,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  for (const [index, before] of requestsBefore(action, driverId, happenedAt).entries()) {
    const outcome = await sendRequest(before, `${key}-${index}`, onProgress);
    if (outcome.kind !== 'done') return outcome;
  }
  return sendRequest(requestOf(action, driverId, happenedAt), key, onProgress);
}

async function sendRequest(
  { method, path, body, image }: ApiRequest,
  key: string,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  const answer = await request(`${API}${path}`, { method, body, image, key, onProgress });
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
