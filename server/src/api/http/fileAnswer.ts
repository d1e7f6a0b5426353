import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { HeavyRequest } from './heavyWork.ts';

/** After this time without reading anything of a file, a client is dropped. */
const UNREAD_MS = 30_000;
/** Base64 writes three bytes as four letters, so pieces are divided here. */
const GROUP_BYTES = 3;

export const FileSchema = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    nome: Type.String({ description: 'nome do arquivo' }),
    tipo: Type.String({ description: 'tipo de mídia' }),
    conteudo: Type.String({ description: 'base64' }),
  }),
});

export const fileAnswerExample = (nome: string, tipo: string, conteudo: string) => ({
  success: true,
  data: { nome, tipo, conteudo },
});

/** An answer of this schema whose content is made and sent piece by piece. */
export class FileAnswer {
  readonly name: string;
  readonly mediaType: string;
  /** Ended early when the client has gone. An empty piece only lets others have their turn. */
  readonly pieces: AsyncIterable<Buffer>;
  constructor(name: string, mediaType: string, pieces: AsyncIterable<Buffer>) {
    this.name = name;
    this.mediaType = mediaType;
    this.pieces = pieces;
  }
}

/**
 * Sends a file in the envelope. The next piece is made when the client has taken the ones before, so a file occupies
 * little memory however slowly it is read, and an error of the first piece can still be answered.
 */
export async function sendFile(
  reply: FastifyReply,
  request: HeavyRequest,
  { name, mediaType, pieces }: FileAnswer,
): Promise<FastifyReply> {
  const envelope = JSON.stringify({
    success: true,
    data: { nome: name, tipo: mediaType, conteudo: '' },
  });
  const opening = envelope.slice(0, -'"}}'.length);
  const made = inBase64(pieces[Symbol.asyncIterator](), request);
  const first = await made.next();
  const text = async function* () {
    try {
      yield opening + (first.value ?? '');
      yield* made;
      yield '"}}';
    } finally {
      await made.return(undefined);
    }
  };
  reply.raw.setTimeout(UNREAD_MS, () => reply.raw.destroy());
  reply.type('application/json; charset=utf-8');
  return reply.send(Readable.from(text(), { objectMode: false }));
}

async function* inBase64(
  pieces: AsyncIterator<Buffer>,
  request: HeavyRequest,
): AsyncGenerator<string, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for (;;) {
      const piece = await request.turn(() => pieces.next());
      if (piece.done) break;
      if (piece.value.length === 0) continue;
      const bytes = rest.length === 0 ? piece.value : Buffer.concat([rest, piece.value]);
      const whole = bytes.length - (bytes.length % GROUP_BYTES);
      rest = bytes.subarray(whole);
      if (whole > 0) yield bytes.toString('base64', 0, whole);
    }
    if (rest.length > 0) yield rest.toString('base64');
  } finally {
    await pieces.return?.();
  }
  return undefined;
}
