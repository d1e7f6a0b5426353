import { type Family, type FamilyKinds, familyOfKind } from './families.ts';
import type { ErrorKind, Refusals } from './refusals.ts';

export interface Problem {
  /** 2 for invalid input, 0 for everything else. */
  code: number;
  message: string;
}

interface Context {
  /** The operation's method and path. */
  operation: string;
  operationId: keyof Refusals;
  /** Repeat a write with this key, and it is done at most once. Absent for reads. */
  idempotencyKey?: string | undefined;
}

/** The base class of this client's errors. An aborted call rejects with the reason of its signal instead. */
export class MaloteError extends Error {
  override name = 'MaloteError';
  /** The method and path of the request. */
  readonly operation: string;
  /** The client's method that was called. */
  readonly operationId: keyof Refusals;
  readonly idempotencyKey: string | undefined;
  constructor(message: string, { operation, operationId, idempotencyKey }: Context, options?: ErrorOptions) {
    super(message, options);
    this.operation = operation;
    this.operationId = operationId;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The last attempt received no answer. It is unknown whether a write was done: repeat it with its key. */
export class ConnectionError extends MaloteError {
  override name = 'ConnectionError';
}

interface AnswerContext extends Context {
  status: number;
  kind: ErrorKind | null;
  problems: readonly Problem[];
  requestId: string | null;
  retryAfterSeconds?: number | undefined;
}

/** The server refused the request. The message is the server's. */
export class RefusedError extends MaloteError {
  override name = 'RefusedError';
  readonly status: number;
  /**
   * The stable name of the refusal, for programs. Null where something in between answered, such as a proxy. A newer
   * service may name one that this client does not know.
   */
  readonly kind: ErrorKind | null;
  readonly problems: readonly Problem[];
  /** Identifies the request in the server's log. Give it to support. */
  readonly requestId: string | null;
  constructor(context: AnswerContext) {
    const { status, problems } = context;
    super(problems.map(({ message }) => message).join('; ') || `HTTP ${status}`, context);
    this.status = status;
    this.kind = context.kind;
    this.problems = problems;
    this.requestId = context.requestId;
  }
}

/** The caller is not known: the api-key, the user or the password is wrong. */
export class AuthenticationError extends RefusedError {
  override name = 'AuthenticationError';
  declare readonly kind: FamilyKinds['authentication'] | null;
}

/** This user lacks the permission. */
export class PermissionError extends RefusedError {
  override name = 'PermissionError';
  declare readonly kind: FamilyKinds['permission'] | null;
}

/** 404: absent in this central, or not visible to this user. */
export class NotFoundError extends RefusedError {
  override name = 'NotFoundError';
  declare readonly kind: FamilyKinds['not-found'] | null;
}

/** Not possible in the current state, or in conflict with something in progress. */
export class StateError extends RefusedError {
  override name = 'StateError';
  declare readonly kind: FamilyKinds['state'] | null;
}

/** The request itself is wrong: its fields, or data that disagrees. */
export class InvalidRequestError extends RefusedError {
  override name = 'InvalidRequestError';
  declare readonly kind: FamilyKinds['invalid-input'] | null;
}

/** More than a limit allows: too many requests in a time, or too many items at once. */
export class LimitError extends RefusedError {
  override name = 'LimitError';
  declare readonly kind: FamilyKinds['limit'] | null;
  /** Present where waiting helps. */
  readonly retryAfterSeconds: number | undefined;
  constructor(context: AnswerContext) {
    super(context);
    this.retryAfterSeconds = context.retryAfterSeconds;
  }
}

/** The service cannot answer now, after the retries that the client's options allow. Of 429 too. */
export class UnavailableError extends RefusedError {
  override name = 'UnavailableError';
  declare readonly kind: FamilyKinds['unavailable' | 'limit'] | null;
  readonly retryAfterSeconds: number | undefined;
  constructor(context: AnswerContext) {
    super(context);
    this.retryAfterSeconds = context.retryAfterSeconds;
  }
  /** 429 was an error of this class before it had one of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const isInstance = Function.prototype[Symbol.hasInstance].call(UnavailableError, value);
    return isInstance || (value instanceof LimitError && value.status === 429);
  }
}

/** 401 */
export class UnauthorizedError extends AuthenticationError {
  override name = 'UnauthorizedError';
}

/** 403 */
export class ForbiddenError extends PermissionError {
  override name = 'ForbiddenError';
}

/** 406: not possible in the current state. */
export class WrongStateError extends StateError {
  override name = 'WrongStateError';
}

/** 409: in progress, already present, or too few items. */
export class ConflictError extends StateError {
  override name = 'ConflictError';
}

/** 422: the data is inconsistent, or the estimate is impossible. */
export class UnprocessableError extends InvalidRequestError {
  override name = 'UnprocessableError';
}

/** 400, code 2: fields are missing or invalid. */
export class InvalidInputError extends InvalidRequestError {
  override name = 'InvalidInputError';
  /** By the field's name, e.g. `paradas[0].lat_parada`. */
  get fields(): Record<string, string> {
    const found = this.problems.map(({ message }) => /^'([^']*)': (.*)$/s.exec(message));
    return Object.fromEntries(found.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
  }
}

const classOfFamily: Readonly<Record<Family, typeof RefusedError>> = {
  authentication: AuthenticationError,
  permission: PermissionError,
  'not-found': NotFoundError,
  state: StateError,
  'invalid-input': InvalidRequestError,
  limit: LimitError,
  unavailable: UnavailableError,
};

/** Within a family, and where the kind is not known. */
const classOfStatus: Readonly<Record<number, typeof RefusedError>> = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  406: WrongStateError,
  409: ConflictError,
  422: UnprocessableError,
  429: LimitError,
  503: UnavailableError,
};

export function refusedError(context: AnswerContext): RefusedError {
  if (context.status === 400 && context.problems.some(({ code }) => code === 2))
    return new InvalidInputError(context);
  const family: Family | undefined = context.kind === null ? undefined : familyOfKind[context.kind];
  const Kind = classOfStatus[context.status] ?? (family && classOfFamily[family]) ?? RefusedError;
  return new Kind(context);
}

/**
 * Whether the service refused the given operation. The error's `kind` is then typed as one of the refusals that the
 * operation can give.
 */
export const isRefusalOf = <Name extends keyof Refusals>(
  error: unknown,
  operationId: Name,
): error is RefusedError & { readonly kind: Refusals[Name] | null } =>
  error instanceof RefusedError && error.operationId === operationId;
