import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** What concerns webhooks and their messages. */
export const webhookFailures = {
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
} as const satisfies Partial<Record<RefusalKind, Failure>>;
