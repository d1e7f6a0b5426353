import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Contract 7.2: grouping. */
export const groupingFailures = {
  'grouping-in-progress': fail(
    409,
    'já existe um agrupamento em andamento para esta solicitação',
    'a grouping is already in progress for this request',
  ),
  'merge-in-progress': fail(
    400,
    'a entrega programada está em uso pelo agrupamento automático e será liberada em instantes',
    'the scheduled delivery is being used by the automatic merge and will be released shortly',
  ),
  'grouped-automatically': fail(
    400,
    'a entrega programada já foi agrupada automaticamente e não pode ser alterada',
    'the scheduled delivery was already grouped automatically and cannot be changed',
  ),
  'not-awaiting-dispatch': fail(
    406,
    'a entrega programada {id} não está aguardando disparo',
    'scheduled delivery {id} is not awaiting dispatch',
  ),
  'too-few-orders': fail(
    409,
    'são necessários ao menos 2 pedidos para agrupar',
    'at least 2 orders are needed to group',
  ),
  'different-companies': fail(
    422,
    'as entregas são de clientes ou de empresas diferentes',
    'the deliveries belong to different customers or different companies',
  ),
  'different-pickups': fail(
    422,
    'os endereços de coleta são diferentes',
    'the pickup addresses are different',
  ),
  'too-close-to-dispatch': fail(
    422,
    'falta menos de 60 segundos para o disparo do pedido {id}',
    'order {id} has less than 60 seconds to dispatch',
  ),
  'not-saved': fail(
    400,
    'a solicitação agrupada não pôde ser salva porque mudou durante o agrupamento; tente novamente',
    'the grouped request could not be saved because it changed during the grouping; try again',
  ),
  'not-in-progress': fail(406, 'a entrega {id} não está em andamento', 'delivery {id} is not in progress'),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
