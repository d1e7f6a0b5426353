import type { Refusals } from './refusals.ts';

/** What came with an answer, beside its data. */
export interface AnswerInfo {
  operationId: keyof Refusals;
  status: number;
  /** Identifies the request in the service's log. */
  requestId: string | null;
  /** The key under which the write was done. Absent for reads. */
  idempotencyKey: string | undefined;
  /** The service had done this write before, under the same key, and repeated its answer. */
  isReplayed: boolean;
  /** How many attempts the call took. */
  attempts: number;
  /** Fields and parameters that the service does not know and ignored. */
  ignoredFields: readonly string[];
  /** The limit of this kind of request in 60 seconds, and what is left of it. */
  rateLimit: { limit: number; remaining: number } | null;
  /** Where a list by cursor goes on; null at its end. Undefined for other answers. */
  nextCursor: string | null | undefined;
  /** Of changes: there are more already. */
  hasMore: boolean;
}

const infos = new WeakMap<object, AnswerInfo>();

/** What came with an answer of this client. Undefined for anything else. */
export const answerInfo = (answer: object): AnswerInfo | undefined => infos.get(answer);

export function rememberInfo(answer: unknown, info: AnswerInfo): void {
  if (typeof answer === 'object' && answer !== null) infos.set(answer, info);
}

export function readInfo(
  { status, headers }: Response,
  call: Pick<AnswerInfo, 'operationId' | 'idempotencyKey' | 'attempts' | 'nextCursor' | 'hasMore'>,
): AnswerInfo {
  const limit = headers.get('x-ratelimit-limit');
  const remaining = headers.get('x-ratelimit-remaining');
  return {
    ...call,
    status,
    requestId: headers.get('x-request-id'),
    isReplayed: headers.get('idempotency-replayed') === 'true',
    ignoredFields: (headers.get('x-ignored-fields') ?? '').split(/,\s*/).filter(Boolean),
    rateLimit:
      limit === null || remaining === null ? null : { limit: Number(limit), remaining: Number(remaining) },
  };
}
