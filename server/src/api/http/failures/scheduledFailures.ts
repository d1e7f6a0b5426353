import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Scheduled deliveries. */
export const scheduledFailures = {
  'scheduled-not-found': fail(404, 'entrega programada não encontrada', 'scheduled delivery not found'),
  'company-manager-only': fail(
    403,
    'só um gerente da empresa pode editar a entrega programada de uma empresa; a central edita as de pessoas, sem empresa',
    'only a manager of the company may edit the scheduled delivery of a company; the central edits those of persons, without company',
  ),
  'still-awaiting-dispatch': fail(
    406,
    'a entrega programada ainda aguarda disparo e não pode ser cancelada por esta interface',
    'the scheduled delivery still awaits dispatch and cannot be cancelled through this interface',
  ),
  'scheduled-cancelled': fail(
    406,
    'a entrega programada está cancelada',
    'the scheduled delivery is cancelled',
  ),
  'scheduled-dispatched': fail(
    406,
    'a entrega programada já foi disparada',
    'the scheduled delivery was already dispatched',
  ),
  'scheduled-grouped': fail(
    406,
    'a entrega programada foi agrupada na programada {id}',
    'the scheduled delivery was grouped into scheduled delivery {id}',
  ),
  'scheduled-failed': fail(
    406,
    'o disparo da entrega programada falhou definitivamente',
    'the dispatch of the scheduled delivery failed for good',
  ),
  'dispatch-not-failed': fail(
    406,
    'o disparo desta entrega programada não falhou, ou já foi refeito',
    'the dispatch of this scheduled delivery did not fail, or was made again already',
  ),
  'grouper-needs-stop': fail(
    406,
    'a entrega programada foi agrupada na programada {id}, que ficaria sem paradas; cancele a programada {id}',
    'the scheduled delivery was grouped into scheduled delivery {id}, which would be left without stops; cancel {id}',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
