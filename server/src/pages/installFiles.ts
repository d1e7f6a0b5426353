import type { FastifyInstance } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import type { Bundle } from './bundle.ts';

/** Serves the files of a bundle below a path, under the bundle's version. */
export function installFiles(app: FastifyInstance, path: string, bundle: () => Promise<Bundle>): void {
  app.get<{ Params: { version: string; name: string } }>(`${path}/:version/:name`, async (request, reply) => {
    const { version, files } = await bundle();
    const file = files.get(request.params.name);
    // Browsers cache the answer for this version for ever, so the content of another version must not be sent.
    if (!file || request.params.version !== version) throw new Refusal('route-not-found');
    return file.send(request, reply, true);
  });
}
