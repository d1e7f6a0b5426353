import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  allowedAddresses,
  hostOf,
  type Resolve,
  resolveByDns,
  resolveBySystem,
  urlFault,
} from './publicAddress.ts';
import type { AttemptResult } from './webhook.ts';

const ANSWER_BYTES_MAX = 500;

export interface PostOptions {
  /** Private and loopback addresses, and plain http: for the demonstration and for tests only. */
  allowPrivate: boolean;
  /** For the whole attempt: looking up the name, connecting, sending, and the answer. */
  timeLimitMs: number;
  resolve?: Resolve;
  /** Ends the attempt early. */
  signal?: AbortSignal;
}

/**
 * One attempt. The name is resolved here and the connection made to the resolved address, so that a name that resolves
 * differently a moment later cannot direct the request into the service's own network. Redirects are not followed.
 * Never rejects: every outcome is a result.
 */
export async function postWebhook(
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<AttemptResult> {
  const { allowPrivate, timeLimitMs, resolve = allowPrivate ? resolveBySystem : resolveByDns } = options;
  const started = performance.now();
  const deadline = AbortSignal.timeout(timeLimitMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  try {
    const fault = urlFault(url, allowPrivate);
    if (fault) throw new Error(`the address may not be called: ${fault}`);
    const target = new URL(url);
    const addresses = await untilAborted(allowedAddresses(hostOf(target), resolve, allowPrivate), signal);
    const { status, answer } = await post(target, addresses, body, headers, signal);
    return { status, durationMs: Math.round(performance.now() - started), answer, error: null };
  } catch (error) {
    const durationMs = Math.round(performance.now() - started);
    const reason = deadline.aborted ? `no answer within ${timeLimitMs} ms` : messageOf(error);
    return { status: null, durationMs, answer: null, error: storable(reason) };
  }
}

function post(
  target: URL,
  addresses: readonly string[],
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> {
  return new Promise((resolve, reject) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Malote-Webhooks/1',
        ...headers,
        'content-length': Buffer.byteLength(body),
      },
      // A new connection for each attempt, so that none is reused for another endpoint or after its name has moved.
      agent: false,
      signal,
      lookup: pinnedTo(addresses),
    });
    outgoing.on('error', reject);
    outgoing.on('close', () => reject(new Error('the connection was closed without an answer')));
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = () => {
        const answer = storable(Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8'));
        resolve({ status: response.statusCode ?? 0, answer });
        outgoing.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= ANSWER_BYTES_MAX) done();
      });
      response.on('end', done);
      response.on('error', () => reject(new Error('the answer broke off')));
    });
    outgoing.end(body);
  });
}

const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, found) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) found(null, all);
    else found(null, all[0]!.address, all[0]!.family);
  };

const untilAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

const messageOf = (error: unknown): string => {
  // A connection that was tried at several addresses fails with all of their errors.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
};

/** The answer as text that PostgreSQL can store. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
