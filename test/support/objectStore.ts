import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ObjectStoreConfig } from '../../server/src/deliveries/proof/objectStore.ts';
import { checkS3Signature } from './s3Signature.ts';

export interface TestObjectStore {
  config: ObjectStoreConfig;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const BUCKET = 'malote-provas';
const ACCESS_KEY = 'AKIDMALOTE';
const SECRET_KEY = 'a secret of the store';
const CLOCK_SKEW_MS_MAX = 15 * 60_000;

/**
 * What S3 does with one object of one bucket, over HTTP and with its checks: signature, clock, digest of the content.
 * It has its own port, and can be stopped and started again.
 */
export async function startObjectStore(
  after: (clean: () => Promise<void>) => void,
): Promise<TestObjectStore> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => void answer(objects, request, response));
  const start = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close().closeAllConnections();
    await closed;
  };
  await start(0);
  const { port } = server.address() as AddressInfo;
  after(stop);
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      region: 'us-east-1',
      accessKey: ACCESS_KEY,
      secretKey: SECRET_KEY,
    },
    async start() {
      if (!server.listening) await start(port);
    },
    stop,
  };
}

async function answer(
  objects: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const content = await buffer(request);
  const problem = problemOf(request, content);
  if (problem) {
    response.writeHead(problem.status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${problem.code}</Code></Error>`);
    return;
  }
  const key = request.url!;
  const stored = objects.get(key);
  if (request.method === 'PUT') {
    objects.set(key, content);
    response.end();
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else if (stored) response.end(stored);
  else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
}

function problemOf(
  { method, url, headers }: IncomingMessage,
  content: Buffer,
): { status: number; code: string } | undefined {
  const { accessKey, isGenuine } = checkS3Signature({ method: method!, target: url!, headers }, SECRET_KEY);
  if (accessKey !== ACCESS_KEY) return { status: 403, code: 'InvalidAccessKeyId' };
  if (!isGenuine) return { status: 403, code: 'SignatureDoesNotMatch' };
  if (Math.abs(Date.now() - timeOf(headers['x-amz-date'])) > CLOCK_SKEW_MS_MAX)
    return { status: 403, code: 'RequestTimeTooSkewed' };
  const digest = headers['x-amz-content-sha256'];
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== createHash('sha256').update(content).digest('hex'))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  if (!url!.startsWith(`/${BUCKET}/`)) return { status: 404, code: 'NoSuchBucket' };
  if (!['GET', 'PUT', 'DELETE'].includes(method!)) return { status: 405, code: 'MethodNotAllowed' };
  return undefined;
}

/** 20130524T000000Z */
const timeOf = (written: string | string[] | undefined): number =>
  Date.parse(String(written).replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3:$4:$5Z'));
