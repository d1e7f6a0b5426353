import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Plans of the central's open deliveries. */
export const planFailures = {
  'plan-not-found': fail(
    404,
    'plano não encontrado; um plano é esquecido depois de um dia',
    'plan not found; a plan is forgotten after a day',
  ),
  'plan-not-ready': fail(
    409,
    'o plano ainda não está pronto, ou falhou',
    'the plan is not ready yet, or has failed',
  ),
  'plan-not-applied': fail(
    409,
    'nada deste plano está aplicado, e não há o que desfazer',
    'nothing of this plan is applied, so there is nothing to undo',
  ),
  'plan-undo-over': fail(
    409,
    'passaram mais de {seconds} segundos desde que o plano foi aplicado',
    'more than {seconds} seconds have passed since the plan was applied',
  ),
  'too-many-plans': fail(
    409,
    'a central já está calculando {max} planos; espere que um deles fique pronto',
    'the central is already computing {max} plans; wait until one of them is ready',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
