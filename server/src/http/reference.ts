import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { once } from '../kernel/once.ts';
import { acceptedEncoding, compressedFile } from './compression.ts';
import { describeApis, type OpenApiDocument } from './openapi.ts';
import { postmanCollection } from './postman.ts';
import type { Api } from './server.ts';

/** Credentials that the page fills in by itself: only ever the demonstration's, which everybody knows. */
export interface TryAs {
  apiKey: string;
  username: string;
  password: string;
}

export interface ReferenceOptions {
  apis: readonly Api[];
  publicUrl?: string | undefined;
  tryAs?: TryAs | undefined;
}

interface Kept {
  type: string;
  body: Buffer;
  compressed: ReturnType<typeof compressedFile>;
  etag: string;
  policy?: string;
}

const SCRIPT = '/docs/js/scalar.js';

/** `/openapi.json`, the page `/docs` and `/postman.json`, all of them made from the tables of endpoints. */
export function installReference(app: FastifyInstance, options: ReferenceOptions): void {
  const text = JSON.stringify(describeApis(options.apis, options.publicUrl));
  const document = keepJson(text);
  const collection = once(() => {
    const described = JSON.parse(text) as OpenApiDocument;
    return keepJson(JSON.stringify(postmanCollection(described, options.publicUrl)));
  });
  // The page's script is 4 MB and takes 170 ms to load.
  const rendered = once(() => render(options.tryAs));

  app.get('/openapi.json', async (request, reply) => send(request, reply, document));
  app.get('/postman.json', async (request, reply) => {
    reply.header('content-disposition', 'attachment; filename="malote.postman_collection.json"');
    return send(request, reply, collection());
  });
  // Its script is named relative to the slash.
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

const digest = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64');

function keep(type: string, text: string): Kept {
  const body = Buffer.from(text);
  return { type, body, compressed: compressedFile(body), etag: `"${digest(body).slice(0, 22)}"` };
}

const keepJson = (text: string): Kept => keep('application/json; charset=utf-8', text);

async function render(tryAs: TryAs | undefined): Promise<Record<'page' | 'script', Kept>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  await using aside = Fastify();
  await aside.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Malote: referência da interface',
      localization: { locale: 'pt' },
      orderSchemaPropertiesBy: 'preserve',
      ...(tryAs && { authentication: filledIn(tryAs) }),
      // Everything that would contact other servers is off.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  // Browsers ask for a /favicon.ico that is not there, unless a page names another.
  const page = (await aside.inject('/docs/')).body.replace('<head>', '<head><link rel="icon" href="data:,">');
  const script = (await aside.inject(SCRIPT)).body;
  return {
    page: { ...keep('text/html; charset=utf-8', page), policy: policyFor(page) },
    script: keep('text/javascript; charset=utf-8', script),
  };
}

const filledIn = ({ apiKey, username, password }: TryAs) => ({
  preferredSecurityScheme: [['apiKey', 'basic']],
  securitySchemes: { apiKey: { value: apiKey }, basic: { username, password } },
});

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
