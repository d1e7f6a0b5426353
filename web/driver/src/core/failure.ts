import type { FailureReason } from './action.ts';
import type { FailureDecision, Run } from './work.ts';

/**
 * Predicts the server's decision about a failed stop, so that the driver can continue without network. The rule of the
 * reason applies, but a stop is tried again only while another one is pending and the limit of attempts allows it.
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

/** The number of the next visit of a stop, which counts the failed attempts. */
export const visitOf = ({ tentativas }: { tentativas: number }): number => tentativas + 1;

/** The visit that an action belongs to. Without one, as stored by an earlier version of the app, it is the next. */
export const visitIn = (action: { visit?: number }, stop: { tentativas: number }): number =>
  action.visit ?? visitOf(stop);
