import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, compressedFile } from '../api/http/compression.ts';
import type { Encoding } from '../api/http/envelope.ts';
import { isBuilt } from '../platform/kernel/programFiles.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  map: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
};

/** The content type of a file, by the ending of its name. */
export const typeOf = (name: string): string => types[name.split('.').at(-1)!] ?? 'application/octet-stream';

interface Kept {
  type: string;
  body: Buffer;
  compressed: Compressed;
  etag: string;
}

/** Read and compressed at its first request, then kept in memory. */
export interface KeptFile {
  /** `immutable`: the URL changes with the content, so browsers need not revalidate. */
  send(request: FastifyRequest, reply: FastifyReply, immutable?: boolean): Promise<FastifyReply>;
}

export const keptFile = (path: URL): KeptFile =>
  keptContent(
    typeOf(path.pathname),
    () => readFile(path),
    isBuilt && !isSourceMap(path.pathname) ? readCompressed(path) : undefined,
  );

/** `npm run build` compresses files once for all starts, as small as can be. Hardly anybody asks for source maps. */
export const isSourceMap = (name: string): boolean => name.endsWith('.map');
export const COMPRESSED_ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

const readCompressed =
  (path: URL): Compressed =>
  (encoding) =>
    readFile(new URL(path.href + COMPRESSED_ENDINGS[encoding]));

type Compressed = ReturnType<typeof compressedFile>;

export function keptContent(type: string, read: () => Promise<Buffer>, compressed?: Compressed): KeptFile {
  let keeping: Promise<Kept> | undefined;
  const kept = () => {
    keeping ??= keep(type, read, compressed).catch((error: unknown) => {
      keeping = undefined;
      throw error;
    });
    return keeping;
  };
  return {
    async send(request, reply, immutable = false) {
      const { type, body, compressed, etag } = await kept();
      reply
        .header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
        .header('etag', etag)
        .header('vary', 'accept-encoding');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      reply.type(type);
      const encoding = acceptedEncoding(request.headers['accept-encoding']);
      if (!encoding) return reply.send(body);
      return reply.header('content-encoding', encoding).send(await compressed(encoding));
    },
  };
}

export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b/.test(String(headers['accept-encoding']));

async function keep(type: string, read: () => Promise<Buffer>, compressed?: Compressed): Promise<Kept> {
  const body = await read();
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return {
    type,
    body,
    compressed: compressed ?? compressedFile(body),
    etag: `"${digest}"`,
  };
}
