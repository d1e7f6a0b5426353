/** Answers hold ids as text, addresses take numbers: either will do. */
export type Id = number | string;

/** One operation, ready to be sent. */
export interface Request {
  method: string;
  /** After the base of the integration interface. */
  path: string;
  body?: unknown;
  query?: object;
  /** The answer has more than `data`: the caller gets all of it. */
  isWhole?: boolean;
  /** Changes nothing, so it may be repeated without a key. */
  isRead?: boolean;
}

export interface CallOptions {
  /**
   * For a write that outlives this process: keep the key with your own record of it, and repeat the call with the
   * same key and the same contents as often as you like. Without one, each call is given a key of its own.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
}
