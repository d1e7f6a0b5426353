export { type AnswerInfo, answerInfo } from './answerInfo.ts';
export type * from './answerParts.ts';
export type * from './answers.ts';
export { type BulkAnswer, IncompleteBulkError } from './bulk.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidInputError,
  InvalidRequestError,
  isRefusalOf,
  LimitError,
  MaloteError,
  NotFoundError,
  PermissionError,
  type Problem,
  RefusedError,
  StateError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableError,
  WrongStateError,
} from './errors.ts';
export type { ListenOptions, LiveEvent } from './eventStream.ts';
export type * from './events.ts';
export type { Family, FamilyKinds } from './families.ts';
export type { BulkOptions } from './lists.ts';
export { Malote } from './malote.ts';
export type { Login, MaloteOptions } from './options.ts';
export type { ChangeOptions, Changes, ListOptions } from './pages.ts';
export type { ErrorKind, Refusals } from './refusals.ts';
export type { CallOptions, Id } from './request.ts';
export type * from './requests.ts';
export { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from './webhooks.ts';
