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
export type * from './operations.ts';
export type {
  ObterEntregaResposta as Entrega,
  ObterProgramadaResposta as Programada,
  ObterWebhookResposta as Webhook,
} from './operations.ts';
export type { CallOptions, Id } from './request.ts';
export { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from './webhooks.ts';
