import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programModule } from '../../platform/kernel/programFiles.ts';

/** Credentials that the page fills in: only those of the demonstration, which are public. */
export interface TryAs {
  apiKey: string;
  username: string;
  password: string;
}

export interface RenderedReference {
  page: string;
  script: { bytes: Uint8Array; digest: string };
}

export const SCRIPT = '/docs/js/scalar.js';

export const digest = (body: string | Uint8Array): string =>
  createHash('sha256').update(body).digest('base64');

/**
 * Renders the reference page. Its script is 4 MB within a module that takes 170 ms to load. A separate thread loads it,
 * so that no request waits meanwhile and the memory is freed afterwards.
 */
export async function renderReference(tryAs: TryAs | undefined): Promise<RenderedReference> {
  const worker = new Worker(programModule('server/src/api/http/referenceWorker'), { workerData: tryAs });
  const [rendered] = (await once(worker, 'message')) as [RenderedReference];
  return rendered;
}
