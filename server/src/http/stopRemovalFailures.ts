import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

// Integrators of similar platforms know these codes for a stop that cannot be removed from a delivery.
const lastStop = (pt: string, en: string): Failure => ({ status: 409, code: 33, pt, en });
const notRemovable = (pt: string, en: string): Failure => ({ status: 406, code: 135, pt, en });
const noSuchStop = (pt: string, en: string): Failure => ({ status: 404, code: 136, pt, en });

export const stopRemovalFailures = {
  'removed-stop-not-found': noSuchStop(
    'parada não encontrada nesta entrega',
    'stop not found in this delivery',
  ),
  'removed-stop-grouped': notRemovable(
    'a entrega foi agrupada na entrega {id}; exclua a parada da entrega {id}',
    'the delivery was grouped into delivery {id}; remove the stop from delivery {id}',
  ),
  'removed-stop-over': notRemovable(
    'a entrega já foi finalizada, cancelada ou não atendida; suas paradas não podem ser excluídas',
    'the delivery was already finished, cancelled or not attended; its stops cannot be removed',
  ),
  'removed-stop-concluded': notRemovable(
    'a parada já foi concluída e não pode ser excluída',
    'the stop was already concluded and cannot be removed',
  ),
  'removed-stop-last': lastStop(
    'a entrega precisa manter ao menos uma parada a visitar; para desistir dela, cancele a entrega',
    'the delivery must keep at least one stop to visit; to give it up, cancel the delivery',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
