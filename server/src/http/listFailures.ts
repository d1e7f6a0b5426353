import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** What concerns lists. */
export const listFailures = {
  'cursor-not-valid': fail(
    400,
    'o cursor não é desta consulta; comece novamente da primeira página, sem cursor',
    'the cursor does not belong to this query; begin again with the first page, without a cursor',
  ),
  'view-name-taken': fail(
    409,
    'você já tem uma visão desta lista com este nome',
    'you already have a view of this list with this name',
  ),
  'too-many-views': fail(
    409,
    'você já salvou {max} visões; exclua uma que não use mais',
    'you have already saved {max} views; delete one that you no longer use',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
