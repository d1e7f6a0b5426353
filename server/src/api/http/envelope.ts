import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalKind } from '../../platform/kernel/refusal.ts';

/** The stable name of a failure, for programs. Messages are for people and may change. */
export type ErrorKind = RefusalKind | 'invalid-input';

/** Every failure names its kind in this header, on every interface. */
export const KIND_HEADER = 'x-error-kind';

/** Contract 7.1: every answer has `success`; a failure lists its errors. */
export interface ErrorEntry {
  code: number;
  message: string;
  /** Only on interfaces whose `kindInErrors` is set: the contract allows `code` and `message` alone. */
  kind?: ErrorKind;
}

export const failureBody = (errors: readonly ErrorEntry[]) => ({ success: false as const, errors });

export type Encoding = 'br' | 'gzip';

/** An answer that is written already, such as by PostgreSQL. It is compressed, so it must contain no secrets. */
export class JsonText {
  readonly text: string | Buffer;
  /** The text in each encoding that was asked for, since an answer may be sent to several clients. */
  compressed: Partial<Record<Encoding, Promise<Buffer>>> | undefined;
  constructor(text: string | Buffer) {
    this.text = text;
  }
}

const LIST_OPENING = Buffer.from('{"success":true,"data":[');
const LIST_COMMA = Buffer.from(',');
const LIST_CLOSING = Buffer.from(']}');

/** The answer whose data is the list of these JSON texts, up to the end of the list. */
export const listOpening = (items: readonly Buffer[]): Buffer[] => [
  LIST_OPENING,
  ...items.flatMap((item, index) => (index === 0 ? [item] : [LIST_COMMA, item])),
];

/** The answer whose data is the list of these JSON texts. */
export const listOfJson = (items: readonly Buffer[]): JsonText =>
  new JsonText(Buffer.concat([...listOpening(items), LIST_CLOSING]));

/** An answer with a version (ETag): a client that names the same one in If-None-Match gets 304 and no body. */
export class TaggedAnswer<Answer extends object> {
  readonly tag: string;
  readonly answer: Answer;
  /** The time of the answer by the service's clock, which is also sent without a body. */
  readonly at: Temporal.Instant;
  constructor(tag: string, answer: Answer, at: Temporal.Instant) {
    this.tag = tag;
    this.answer = answer;
    this.at = at;
  }
}

/** Whether If-None-Match names the tag, by weak comparison (RFC 9110, 13.1.2). */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  (ifNoneMatch ?? '')
    .slice(0, LENGTH_MAX)
    .split(',')
    .some((each) => each.trim().replace(/^W\//, '') === `"${tag}"`);

export type Language = 'pt' | 'en';

/** The header may hold a hundred times what browsers send. */
const LENGTH_MAX = 1_000;

/** Portuguese unless the reader prefers English (RFC 9110, 12.5.4). */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  if (!acceptLanguage) return 'pt';
  let best: { language: Language; weight: number } = { language: 'pt', weight: 0 };
  for (const range of acceptLanguage.slice(0, LENGTH_MAX).split(',')) {
    const [tag = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const language = tag.split('-')[0];
    if (language !== 'pt' && language !== 'en') continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q ? Number(q.slice(2)) : 1;
    if (weight > best.weight) best = { language, weight };
  }
  return best.language;
}

/** Security headers of every answer. A page that loads files sets its own content-security-policy. */
export function addStandardHeaders(request: FastifyRequest, reply: FastifyReply, closing: boolean): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('x-frame-options', 'DENY');
  if (!reply.hasHeader('content-security-policy'))
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  // An open connection would keep a closing server waiting for its next request.
  if (closing) reply.header('connection', 'close');
}
