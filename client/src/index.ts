export type * from './answerParts.ts';
export type * from './answers.ts';
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidInputError,
  MaloteError,
  NotFoundError,
  type Problem,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableError,
  WrongStateError,
} from './errors.ts';
export type * from './events.ts';
export { Malote, type MaloteOptions } from './malote.ts';
export type { CallOptions, Id } from './request.ts';
export type * from './requests.ts';
export { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from './webhooks.ts';
