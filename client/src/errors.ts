export interface Problem {
  /** 2 for invalid input, 0 for everything else. */
  code: number;
  message: string;
}

interface Context {
  /** The operation's method and path. */
  operation: string;
  /** Repeat a write with this key, and it is done at most once. Absent for reads. */
  idempotencyKey?: string | undefined;
}

/** The base class of this client's errors. An aborted call rejects with the reason of its signal instead. */
export class MaloteError extends Error {
  override name = 'MaloteError';
  readonly operation: string;
  readonly idempotencyKey: string | undefined;
  constructor(message: string, { operation, idempotencyKey }: Context, options?: ErrorOptions) {
    super(message, options);
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The last attempt received no answer. It is unknown whether a write was done: repeat it with its key. */
export class ConnectionError extends MaloteError {
  override name = 'ConnectionError';
}

interface AnswerContext extends Context {
  status: number;
  problems: readonly Problem[];
  requestId: string | null;
  retryAfterSeconds?: number | undefined;
}

/** The server refused the request. The message is the server's. */
export class RefusedError extends MaloteError {
  override name = 'RefusedError';
  readonly status: number;
  readonly problems: readonly Problem[];
  /** Identifies the request in the server's log. Give it to support. */
  readonly requestId: string | null;
  constructor(context: AnswerContext) {
    const { status, problems } = context;
    super(problems.map(({ message }) => message).join('; ') || `HTTP ${status}`, context);
    this.status = status;
    this.problems = problems;
    this.requestId = context.requestId;
  }
}

/** 400, code 2: fields are missing or invalid. */
export class InvalidInputError extends RefusedError {
  override name = 'InvalidInputError';
  /** By the field's name, e.g. `paradas[0].lat_parada`. */
  get fields(): Record<string, string> {
    const found = this.problems.map(({ message }) => /^'([^']*)': (.*)$/s.exec(message));
    return Object.fromEntries(found.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
  }
}

/** 401: the api-key, the user or the password is wrong. */
export class UnauthorizedError extends RefusedError {
  override name = 'UnauthorizedError';
}

/** 403: this user lacks the permission. */
export class ForbiddenError extends RefusedError {
  override name = 'ForbiddenError';
}

/** 404: absent in this central, or not visible to this user. */
export class NotFoundError extends RefusedError {
  override name = 'NotFoundError';
}

/** 406: not possible in the current state. */
export class WrongStateError extends RefusedError {
  override name = 'WrongStateError';
}

/** 409: in progress, already present, or too few items. */
export class ConflictError extends RefusedError {
  override name = 'ConflictError';
}

/** 422: the data is inconsistent, or the estimate is impossible. */
export class UnprocessableError extends RefusedError {
  override name = 'UnprocessableError';
}

/** 429 or 503, after the retries that the client's options allow. */
export class UnavailableError extends RefusedError {
  override name = 'UnavailableError';
  readonly retryAfterSeconds: number | undefined;
  constructor(context: AnswerContext) {
    super(context);
    this.retryAfterSeconds = context.retryAfterSeconds;
  }
}

const classOfStatus: Readonly<Record<number, typeof RefusedError>> = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  406: WrongStateError,
  409: ConflictError,
  422: UnprocessableError,
  429: UnavailableError,
  503: UnavailableError,
};

export function refusedError(context: AnswerContext): RefusedError {
  if (context.status === 400 && context.problems.some(({ code }) => code === 2))
    return new InvalidInputError(context);
  const Kind = classOfStatus[context.status] ?? RefusedError;
  return new Kind(context);
}
