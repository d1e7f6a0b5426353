import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failureBody } from './envelope.ts';
import type { RateLimits } from './rateLimits.ts';

const ANSWERS: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: "'cabeçalhos': grandes demais / headers too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: "'requisição': não chegou a tempo / did not arrive in time",
  },
};
const MALFORMED = {
  status: '400 Bad Request',
  message: "'requisição': HTTP malformado / malformed HTTP request",
};

/** What never became a request is answered in the envelope too, and its connection is trusted no further. */
export const answerBrokenRequest =
  (limits: RateLimits) =>
  (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse | null }): void => {
    // An answer that has begun cannot be taken back, nor another be put into its middle.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
      return void socket.destroy();
    const { status, message } = ANSWERS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(failureBody([{ code: 2, message }]));
    const { limit, remaining } = limits.admitStranger(socket.remoteAddress ?? '');
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-Request-Id': randomUUID(),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  };
