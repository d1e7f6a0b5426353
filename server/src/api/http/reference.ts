import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inOwnTurn } from '../../platform/kernel/inSlices.ts';
import { once } from '../../platform/kernel/once.ts';
import type { Api } from './api.ts';
import { describeEvents } from './asyncapi.ts';
import { acceptedEncoding, compressedFile } from './compression.ts';
import { describeApis, type OpenApiDocument } from './openapi.ts';
import { postmanCollection } from './postman.ts';
import { DEMO_ID, NO_ID } from './postmanVariables.ts';
import { publicUrlOf } from './readRequest.ts';
import { digest, renderReference, SCRIPT, type TryAs } from './renderReference.ts';

export interface ReferenceOptions {
  apis: readonly Api[];
  publicUrl?: string | undefined;
  tryAs?: TryAs | undefined;
}

/** Stands for the address of the service in the collection until it is sent. */
const ADDRESS = '{address}';

interface Kept {
  type: string;
  body: Buffer;
  compressed: ReturnType<typeof compressedFile>;
  etag: string;
  policy?: string;
}

/** `/openapi.json`, `/asyncapi.json`, the page `/docs` and `/postman.json`, made from the tables of endpoints and events. */
export function installReference(app: FastifyInstance, options: ReferenceOptions): void {
  const described = once(async () => {
    const apis = await describeApis(options.apis, options.publicUrl);
    return inOwnTurn(() => JSON.stringify(apis));
  });
  const document = once(async () => keepJson(await described()));
  const events = once(() =>
    inOwnTurn(() => keepJson(JSON.stringify(describeEvents(options.apis, options.publicUrl)))),
  );
  const collection = once(async () => {
    const text = await described();
    const apis = await inOwnTurn(() => JSON.parse(text) as OpenApiDocument);
    return inOwnTurn(() => JSON.stringify(postmanCollection(apis, ADDRESS, options.tryAs ? DEMO_ID : NO_ID)));
  });
  const keptCollection = once(async () => {
    const text = await collection();
    return keepJson(text.replace(ADDRESS, () => options.publicUrl!));
  });
  let rendering: ReturnType<typeof render> | undefined;
  const rendered = () => {
    rendering ??= render(options.tryAs).catch((error: unknown) => {
      rendering = undefined;
      throw error;
    });
    return rendering;
  };

  app.get('/openapi.json', async (request, reply) => send(request, reply, await document()));
  app.get('/asyncapi.json', async (request, reply) => send(request, reply, await events()));
  app.get('/postman.json', async (request, reply) => {
    reply.header('content-disposition', 'attachment; filename="malote.postman_collection.json"');
    if (options.publicUrl !== undefined) return send(request, reply, await keptCollection());
    // The address comes from the client's request, so the answer is not cached.
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8');
    return reply.send((await collection()).replace(ADDRESS, publicUrlOf(request, undefined)));
  });
  // The URL of its script is relative to the slash.
  app.get('/docs', async (request, reply) =>
    /^\/docs\/(\?|$)/.test(request.url)
      ? send(request, reply, (await rendered()).page)
      : reply.redirect('/docs/', 308),
  );
  app.get(SCRIPT, async (request, reply) => send(request, reply, (await rendered()).script));
}

async function send(request: FastifyRequest, reply: FastifyReply, kept: Kept): Promise<FastifyReply> {
  reply.header('cache-control', 'no-cache').header('etag', kept.etag).header('vary', 'accept-encoding');
  if (kept.policy) reply.header('content-security-policy', kept.policy);
  if (request.headers['if-none-match'] === kept.etag) return reply.code(304).send();
  reply.type(kept.type);
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (!encoding) return reply.send(kept.body);
  return reply.header('content-encoding', encoding).send(await kept.compressed(encoding));
}

const keep = (type: string, body: Buffer, bodyDigest: string): Kept => ({
  type,
  body,
  compressed: compressedFile(body),
  etag: `"${bodyDigest.slice(0, 22)}"`,
});

const keepText = (type: string, text: string): Kept => keep(type, Buffer.from(text), digest(text));
const keepJson = (text: string): Kept => keepText('application/json; charset=utf-8', text);

async function render(tryAs: TryAs | undefined): Promise<Record<'page' | 'script', Kept>> {
  const { page, script } = await renderReference(tryAs);
  return {
    page: { ...keepText('text/html; charset=utf-8', page), policy: policyFor(page) },
    script: keep('text/javascript; charset=utf-8', Buffer.from(script.bytes.buffer), script.digest),
  };
}

/** The browser contacts no other server, even if a setting above fails. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, script]) => `'sha256-${digest(script!)}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
