import type { Refusals } from './refusals.ts';

/** Answers have ids as strings, paths take numbers. Both are accepted. */
export type Id = number | string;

/** One operation, ready to be sent. */
export interface Request {
  operationId: keyof Refusals;
  method: string;
  /** Relative to the base path of the integration interface. */
  path: string;
  body?: unknown;
  query?: object;
  /** Returns the whole answer, because it has more than `data`. */
  isWhole?: boolean;
  /** The operation changes nothing, so it may be repeated without a key. */
  isRead?: boolean;
  /** Returns the answer itself, whose body is read as it comes. */
  isLive?: boolean;
  /** The last event that was received before. */
  lastEventId?: string | undefined;
}

export interface CallOptions {
  /**
   * For a write that must survive the end of this process: store the key with your own record, and repeat the call
   * with the same key and contents. Without it, each call gets a new key. With null the write is sent without a key,
   * and only once.
   */
  idempotencyKey?: string | null;
  /** Ends the call at once when it is aborted: in an attempt, in a pause, or between the pages of a list. */
  signal?: AbortSignal;
  /** The time limit of one attempt of this call. */
  timeoutMs?: number;
  /** The time limit of this call with all its attempts and pauses. */
  totalTimeoutMs?: number;
}
