import { lookup as resolveName } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './publicAddress.ts';
import type { SendingResult } from './webhook.ts';

const TIME_LIMIT_MS = 10_000;
const ANSWER_BYTES_MAX = 500;

export interface PostOptions {
  /** Private and loopback addresses, and plain http: for the demonstration and for tests only. */
  allowPrivate: boolean;
  timeLimitMs?: number;
}

/**
 * One attempt. The name is resolved here and the connection made to that very address, so that a name which
 * answers differently a moment later cannot lead us into our own network. Redirects are not followed.
 * Never rejects: whatever happens is a result.
 */
export async function postWebhook(
  url: string,
  body: string,
  headers: Record<string, string>,
  { allowPrivate, timeLimitMs = TIME_LIMIT_MS }: PostOptions,
): Promise<SendingResult> {
  const started = performance.now();
  const failed = (error: string): SendingResult => ({
    status: null,
    durationMs: Math.round(performance.now() - started),
    answer: null,
    error,
  });
  const target = new URL(url);
  if (target.protocol !== 'https:' && !allowPrivate) return failed('only https is allowed');
  let address: string;
  try {
    address = await pinnedAddress(target, allowPrivate, AbortSignal.timeout(timeLimitMs));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  return new Promise((resolve) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send(target, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Malote-Webhooks/1',
      },
      agent: false,
      signal: AbortSignal.timeout(timeLimitMs),
      lookup: (_name, options, found) =>
        options.all ? found(null, [{ address, family: isIP(address) }]) : found(null, address, isIP(address)),
    });
    outgoing.once('error', (error) =>
      resolve(
        failed(
          error.name === 'TimeoutError' || error.name === 'AbortError'
            ? `no answer within ${timeLimitMs} ms`
            : error.message,
        ),
      ),
    );
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = () => {
        resolve({
          status: response.statusCode ?? null,
          durationMs: Math.round(performance.now() - started),
          answer: storable(Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX)),
          error: null,
        });
        response.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= ANSWER_BYTES_MAX) done();
      });
      response.once('end', done);
      response.once('error', () => resolve(failed('the answer broke off')));
      response.once('aborted', () => resolve(failed('the answer broke off')));
    });
    outgoing.end(body);
  });
}

async function pinnedAddress({ hostname }: URL, allowPrivate: boolean, signal: AbortSignal): Promise<string> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal)
    ? [literal]
    : (await untilAborted(resolveName(hostname, { all: true }), signal)).map(({ address }) => address);
  const [address] = addresses;
  if (!address) throw new Error('the host name has no address');
  // One private address among public ones is enough to refuse: which one is taken would be luck.
  if (!allowPrivate && !addresses.every(isPublicAddress))
    throw new Error('the host name leads to a private address');
  return address;
}

const untilAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('the host name was not resolved in time')), {
        once: true,
      }),
    ),
  ]);

/** Whatever bytes came, as text that PostgreSQL can hold. */
const storable = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '').toWellFormed();
