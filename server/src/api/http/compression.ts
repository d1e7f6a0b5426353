import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding, JsonText } from './envelope.ts';

/** Shorter answers fit into one or two packets anyway. */
const BYTES_MIN = 1_024;
/** Compressed for one answer, so the cheapest level: a page of 100 shrinks to about 1/30 in half a millisecond. */
const BROTLI_QUALITY = 1;
const GZIP_LEVEL = 1;

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
};

/** Compressed once and cached, so better levels. The caller waits for it, so large files get a lower level. */
const STATIC_BROTLI_QUALITY = 9;
const LARGE_BYTES = 1_000_000;
const LARGE_BROTLI_QUALITY = 5;
const STATIC_GZIP_LEVEL = 9;

/** A file in the encodings that clients accept, each made in a separate thread at its first request, then cached. */
export function compressedFile(body: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const kept: Partial<Record<Encoding, Promise<Buffer>>> = {};
  const make: Record<Encoding, () => Promise<Buffer>> = {
    br: () =>
      promisify(brotliCompress)(body, {
        params: {
          [zlib.BROTLI_PARAM_QUALITY]:
            body.length < LARGE_BYTES ? STATIC_BROTLI_QUALITY : LARGE_BROTLI_QUALITY,
          [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      }),
    gzip: () => promisify(gzip)(body, { level: STATIC_GZIP_LEVEL }),
  };
  return (encoding) => {
    kept[encoding] ??= make[encoding]();
    return kept[encoding];
  };
}

/** The header may hold a hundred times what clients send. */
const HEADER_MAX = 1_000;

/** The best encoding that the client accepts (RFC 9110, 12.5.3); undefined: none of ours. */
export function acceptedEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  const refused = new Set<string>();
  const accepted = new Set<string>();
  for (const entry of (acceptEncoding ?? '').slice(0, HEADER_MAX).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
    (isRefused ? refused : accepted).add(coding);
  }
  const isAccepted = (coding: Encoding) =>
    !refused.has(coding) && (accepted.has(coding) || (accepted.has('*') && !refused.has('*')));
  if (isAccepted('br')) return 'br';
  return isAccepted('gzip') ? 'gzip' : undefined;
}

/**
 * Sends a JSON text, compressed on a separate thread if it is long enough and the client accepts it.
 *
 * Only for answers without secrets: from the length of a compressed answer, an eavesdropper who can choose a part of it
 * learns whether that part occurs elsewhere in it (BREACH).
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: JsonText,
): Promise<FastifyReply> {
  const { text } = answer;
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (!encoding || text.length < BYTES_MIN) return reply.send(text);
  answer.compressed ??= {};
  answer.compressed[encoding] ??= compress[encoding](Buffer.from(text));
  return reply.header('content-encoding', encoding).send(await answer.compressed[encoding]);
}
