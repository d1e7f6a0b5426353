import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { type Share, Shares } from '../../platform/kernel/shares.ts';
import { networkOf } from './networks.ts';

const MEBIBYTE = 1024 * 1024;
const PROCESS = { key: 'process', max: 64 * MEBIBYTE };
const STRANGERS = { key: 'strangers', max: 16 * MEBIBYTE };
const CENTRAL_BYTES_MAX = 32 * MEBIBYTE;
const LOGIN_BYTES_MAX = 8 * MEBIBYTE;
const NETWORK_BYTES_MAX = MEBIBYTE;
/** A shorter body counts as this many bytes, because its request needs memory besides the body. */
const BODY_BYTES_MIN = 1024;
/** The bytes reserved at first for a body that does not announce its length. */
const UNANNOUNCED_BYTES = 4 * 1024;

/** A phone on a bad network needs up to this time for a photo. */
const WHOLE_MS = 60_000;
const SILENCE_MS = 20_000;
const CHECK_MS = 1_000;
const BUSY_SECONDS = 2;

/** The bytes that one request holds, until it is answered or its connection has ended. */
export interface HeldBody {
  readonly raw: IncomingMessage;
  readonly shares: readonly Share[];
  bytes: number;
  /** Null once the body has arrived. */
  arriving: { since: number; lastAt: number; refuse(refusal: Refusal): void } | null;
}

export interface ArrivingBodies {
  /** How many bytes requests hold. */
  bytes(): number;
  /** Called when a request was answered. */
  giveBack(request: FastifyRequest): void;
}

/**
 * Reads bodies as bytes; they are parsed after authentication (body.ts). A body is refused once it is larger than its
 * endpoint takes (413), before it is read if it announces that. All bodies of a login, a central and the process have
 * a budget (503), so that half-sent ones fill no memory, and a body that does not arrive in time is given up (408).
 */
export function arrivingBodies(app: FastifyInstance, clock: Clock): ArrivingBodies {
  const used = new Shares();
  const held = new Set<HeldBody>();

  /** Makes room for this many bytes in total. */
  const reserve = (body: HeldBody, bytes: number): boolean => {
    const more = bytes - body.bytes;
    if (more <= 0) return true;
    if (!used.take(body.shares, more)) return false;
    body.bytes = bytes;
    return true;
  };
  const release = (body: HeldBody): void => {
    if (held.delete(body)) used.giveBack(body.shares, body.bytes);
  };

  app.addContentTypeParser('*', (request, payload, done) => {
    const limit = request.routeOptions.bodyLimit!;
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    if (announced > limit) return done(tooLarge(limit));
    // The end of a connection is announced once only, and may have come while the caller was being identified.
    if (request.raw.destroyed) return done(hungUp());
    const now = clock.milliseconds();
    const body: HeldBody = { raw: request.raw, shares: sharesOf(request), bytes: 0, arriving: null };
    if (!reserve(body, Math.max(announced || UNANNOUNCED_BYTES, BODY_BYTES_MIN))) return done(busy());
    held.add(body);
    request.heldBody = body;

    let bytes: Buffer | undefined;
    let length = 0;
    const end = (error: Error | null): void => {
      payload.off('data', onData).off('end', onEnd).off('error', end).off('close', onClose);
      body.arriving = null;
      if (error) release(body);
      done(error, error ? undefined : (bytes?.subarray(0, length) ?? Buffer.alloc(0)));
    };
    const makeRoom = (whole: number): Refusal | undefined => {
      if (whole > limit) return tooLarge(limit);
      if (bytes && whole <= bytes.length) return undefined;
      const room = announced || Math.min(limit, Math.max(UNANNOUNCED_BYTES, 2 * whole));
      if (!reserve(body, room)) return busy();
      // Copied even if it is the only piece, because a piece may keep a larger buffer of the socket in memory.
      const larger = Buffer.allocUnsafe(room);
      bytes?.copy(larger, 0, 0, length);
      bytes = larger;
      return undefined;
    };
    const onData = (piece: Buffer): void => {
      const refusal = makeRoom(length + piece.length);
      if (refusal) {
        end(refusal);
        return;
      }
      length += piece.copy(bytes!, length);
      if (body.arriving) body.arriving.lastAt = clock.milliseconds();
    };
    const onEnd = (): void => end(null);
    const onClose = (): void => end(hungUp());
    body.arriving = { since: now, lastAt: now, refuse: end };
    payload.on('data', onData).on('end', onEnd).on('error', end).on('close', onClose);
  });

  const checking = setInterval(() => {
    const now = clock.milliseconds();
    for (const body of held) {
      const { arriving, raw } = body;
      if (arriving && (now - arriving.since > WHOLE_MS || now - arriving.lastAt > SILENCE_MS))
        arriving.refuse(new Refusal('body-too-slow'));
      // A request that is given up after its body arrived is not announced by any event.
      else if (!arriving && raw.socket.destroyed) release(body);
    }
  }, CHECK_MS).unref();
  app.addHook('preClose', async () => clearInterval(checking));

  return {
    bytes: () => used.used(PROCESS.key),
    giveBack({ heldBody }) {
      if (heldBody) release(heldBody);
    },
  };
}

function sharesOf({ caller, callerIp }: FastifyRequest): Share[] {
  if (!caller) return [PROCESS, STRANGERS, { key: `network ${networkOf(callerIp)}`, max: NETWORK_BYTES_MAX }];
  const { centralId, userId } = caller;
  return [
    PROCESS,
    { key: `central ${centralId}`, max: CENTRAL_BYTES_MAX },
    { key: `login ${centralId} ${userId}`, max: LOGIN_BYTES_MAX },
  ];
}

const tooLarge = (limit: number): Refusal => new Refusal('body-too-large', { size: sizeInWords(limit) });
const busy = (): Refusal => new Refusal('bodies-busy', { seconds: BUSY_SECONDS });
/** The error that Node reports when the client has gone. Nobody receives the answer. */
const hungUp = (): Error => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

export const sizeInWords = (bytes: number): string =>
  bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`;

declare module 'fastify' {
  interface FastifyRequest {
    heldBody?: HeldBody;
  }
}
