import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Lists and reports. */
export const insightFailures = {
  'cursor-not-valid': fail(
    400,
    'o cursor não é desta consulta; comece novamente da primeira página, sem cursor',
    'the cursor does not belong to this query; begin again with the first page, without a cursor',
  ),
  'report-period': fail(
    422,
    'o período deve terminar no dia em que começa ou depois, e ter até {max} dias',
    'the period must end on the day on which it begins or later, and have at most {max} days',
  ),
  'report-filters': fail(
    422,
    'este relatório não existe com esses filtros juntos; retire um deles',
    'this report does not exist with these filters together; remove one of them',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
