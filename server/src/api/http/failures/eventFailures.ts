import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Webhooks and live updates. */
export const eventFailures = {
  'webhook-not-found': fail(404, 'webhook não encontrado', 'webhook not found'),
  'message-not-found': fail(404, 'envio não encontrado', 'webhook message not found'),
  'too-many-webhooks': fail(
    400,
    'são permitidos no máximo {max} webhooks; exclua um que não seja mais usado',
    'at most {max} webhooks are allowed; delete one that is no longer used',
  ),
  'webhook-asleep': fail(
    406,
    'o webhook está inativo ou pausado; reative-o antes de testar',
    'the webhook is inactive or paused; reactivate it before testing',
  ),
  'message-outdated': fail(
    406,
    'uma posição antiga não é reenviada; consulte a posição atual do entregador',
    'an old position is not sent again; read the current position of the driver',
  ),
  'replay-too-large': fail(
    400,
    'o período tem mais de {max} envios; reduza o período',
    'the period has more than {max} webhook messages; choose a shorter period',
  ),
  'too-many-listeners': fail(
    429,
    'há conexões ao vivo demais; feche as que não estão em uso e tente novamente',
    'too many live connections; close those that are not in use and try again',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
