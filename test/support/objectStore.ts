import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStoreConfig } from '../../server/src/proof/objectStore.ts';

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: Server;
}
type S3rverClass = new (options: Record<string, unknown>) => S3rver;

export interface TestObjectStore {
  config: ObjectStoreConfig;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real S3 server with one bucket and its own port, which can be stopped and started again. */
export async function startObjectStore(
  after: (clean: () => Promise<void>) => void,
): Promise<TestObjectStore> {
  const S3 = createRequire(import.meta.url)('s3rver') as S3rverClass;
  const directory = await mkdtemp(join(tmpdir(), 'malote-s3-'));
  const options = {
    address: '127.0.0.1',
    directory,
    silent: true,
    configureBuckets: [{ name: 'malote-provas' }],
  };
  let server = new S3({ ...options, port: 0 });
  const { port } = await server.run();
  let isRunning = true;
  const stop = async () => {
    if (!isRunning) return;
    isRunning = false;
    server.httpServer.removeAllListeners('connection');
    (server.httpServer as Server & { closeAllConnections(): void }).closeAllConnections();
    await server.close();
  };
  after(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'malote-provas',
      region: 'us-east-1',
      // The only keys that s3rver knows. It does not verify signatures of version 4.
      accessKey: 'S3RVER',
      secretKey: 'S3RVER',
    },
    async start() {
      if (isRunning) return;
      server = new S3({ ...options, port });
      await server.run();
      isRunning = true;
    },
    stop,
  };
}
