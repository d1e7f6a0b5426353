import type { FailureReason } from './action.ts';
import type { FailureDecision, Run } from './work.ts';

/**
 * What the server will decide about a failed stop, so that the driver goes on without network: the rule of the reason;
 * where the stop is tried again, only while another one is left to visit and the limit allows it.
 */
export function decideFailure(
  { falha, paradas }: Pick<Run, 'falha' | 'paradas'>,
  stopId: string,
  reason: FailureReason,
): FailureDecision {
  const decision = falha[reason];
  if (decision !== 'tentar_depois') return decision;
  const attempts = (paradas.find(({ id }) => id === stopId)?.tentativas ?? 0) + 1;
  const hasOthers = paradas.some(({ id, situacao }) => id !== stopId && situacao === 'pendente');
  return hasOthers && attempts < falha.tentativas_max ? 'tentar_depois' : falha.apos_tentativas;
}

/** Which visit of a stop the next one is: attempts that failed count. */
export const visitOf = ({ tentativas }: { tentativas: number }): number => tentativas + 1;

/** The visit that an action is about. What an earlier version of the app stored names none: then it is the next one. */
export const visitIn = (action: { visit?: number }, stop: { tentativas: number }): number =>
  action.visit ?? visitOf(stop);
