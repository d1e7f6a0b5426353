import { AwsClient } from 'aws4fetch';
import { callGuard, EngineUnavailable, type GuardCounters } from '../../geo/engines/callGuard.ts';
import type { ImageType } from './image.ts';

/** Any S3-compatible store, with path-style addresses. */
export interface ObjectStoreConfig {
  /** e.g. https://s3.sa-east-1.amazonaws.com */
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/**
 * Keeps objects outside the database. Every call rejects with ObjectStoreUnavailable when the store does not answer.
 */
export interface ObjectStore {
  put(key: string, content: Buffer, mediaType: ImageType): Promise<void>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<Buffer | undefined>;
  /** Succeeds also if the object does not exist. */
  remove(key: string): Promise<void>;
  counters(): GuardCounters & { state: string };
}

export class ObjectStoreUnavailable extends EngineUnavailable {
  override name = 'ObjectStoreUnavailable';
}

/** Whether the error, or each error of an AggregateError, was caused by the store. */
export const isObjectStoreUnavailable = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(isObjectStoreUnavailable)
    : error instanceof ObjectStoreUnavailable;

const TIMEOUT_MS = 10_000;
const ATTEMPT_MS = 8_000;
/** No larger object is ever stored. */
const BYTES_MAX = 1024 * 1024;

export interface ObjectStoreOptions {
  timeoutMs?: number;
  pauseMs?: number;
}

export function openObjectStore(
  { endpoint, bucket, region, accessKey, secretKey }: ObjectStoreConfig,
  { timeoutMs = TIMEOUT_MS, pauseMs = 10_000 }: ObjectStoreOptions = {},
): ObjectStore {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region,
    // The callers repeat: the guard tries twice, and the rounds try again later.
    retries: 0,
  });
  const { guard, counters } = callGuard(
    {
      unavailable: (message) => new ObjectStoreUnavailable(`the object store ${message}`),
      isFailure: (error) => error instanceof EngineUnavailable,
    },
    { timeoutMs, pauseMs },
  );

  const request = (
    key: string,
    init: { method: string; body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
  ) =>
    guard(async () => {
      try {
        const response = await client.fetch(`${endpoint}/${bucket}/${key}`, {
          ...init,
          redirect: 'error',
          signal: AbortSignal.timeout(Math.min(ATTEMPT_MS, timeoutMs)),
        });
        const content = await boundedContent(response);
        if (!response.ok && response.status !== 404)
          throw new ObjectStoreUnavailable(`the object store answered ${response.status} to ${init.method}`);
        return { isFound: response.ok, content };
      } catch (error) {
        if (error instanceof ObjectStoreUnavailable) throw error;
        throw new ObjectStoreUnavailable(`the object store did not answer: ${String(error)}`, {
          cause: error,
        });
      }
    });

  return {
    async put(key, content, mediaType) {
      const body = new Uint8Array(content);
      const { isFound } = await request(key, {
        method: 'PUT',
        body,
        headers: { 'content-type': mediaType, 'content-length': String(content.length) },
      });
      if (!isFound) throw new ObjectStoreUnavailable('the object store has no such bucket');
    },
    async get(key) {
      const { isFound, content } = await request(key, { method: 'GET' });
      return isFound ? content : undefined;
    },
    async remove(key) {
      await request(key, { method: 'DELETE' });
    },
    counters,
  };
}

async function boundedContent(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > BYTES_MAX) throw new ObjectStoreUnavailable('the object store sends too much');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
