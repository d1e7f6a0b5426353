import { type ApiRequest, requestOf, requestsBefore } from '../core/action.ts';
import { type Answer, answerOf } from '../core/answer.ts';
import type { Entry, Outcome } from '../core/outbox.ts';

export const API = '/api/v2/operacao';
const PATIENCE_MS = 20_000;
/** Long enough for a photo on a slow network. */
const IMAGE_PATIENCE_MS = 90_000;

export interface Sent {
  method?: string;
  body?: unknown;
  image?: { mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined;
  key?: string;
  etag?: string | null;
  /** The progress of sending an image. */
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

/** Uses XMLHttpRequest, because fetch reports no upload progress. */
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
