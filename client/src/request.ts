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
}

export interface CallOptions {
  /**
   * For a write that must survive the end of this process: store the key with your own record, and repeat the call
   * with the same key and contents. Without it, each call gets a new key.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
}
