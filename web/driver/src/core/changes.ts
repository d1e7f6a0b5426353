import type { LocalWork } from './localView.ts';
import type { Stop, Work } from './work.ts';

/** A change by the central that the driver is notified of. */
export type Change =
  | { kind: 'offer'; deliveryId: string }
  | { kind: 'run-added' | 'run-gone' | 'run-changed'; deliveryId: string }
  | { kind: 'stop-added' | 'stop-gone' | 'stop-changed' | 'stop-reopened'; deliveryId: string; stop: Stop };

/**
 * Compares the server's work with what this phone showed, which includes the driver's own actions, so that these are
 * not reported as changes. Only a reopened stop is found by comparison with the server's previous work (`before`),
 * because a failure that only the phone knows would otherwise look reopened.
 */
export function changesBetween(seen: LocalWork, now: Work, before: Work | null = null): Change[] {
  const offers = now.ofertas
    .filter(({ id_mch }) => !seen.ofertas.some((offer) => offer.id_mch === id_mch))
    .map(({ id_mch }): Change => ({ kind: 'offer', deliveryId: id_mch }));
  const gone = seen.corridas
    .filter(({ id_mch, isOver }) => !isOver && !now.corridas.some((run) => run.id_mch === id_mch))
    .map(({ id_mch }): Change => ({ kind: 'run-gone', deliveryId: id_mch }));
  return [...offers, ...gone, ...now.corridas.flatMap((run) => changesOfRun(seen, run, before))];
}

function changesOfRun(seen: LocalWork, run: Work['corridas'][number], past: Work | null): Change[] {
  const deliveryId = run.id_mch;
  const before = seen.corridas.find(({ id_mch }) => id_mch === deliveryId);
  if (!before) {
    // A run that this phone showed as an offer was accepted by the driver. Any other was assigned by the central.
    const wasOffered = seen.ofertas.some(({ id_mch }) => id_mch === deliveryId);
    return wasOffered ? [] : [{ kind: 'run-added', deliveryId }];
  }
  const known = new Map(before.paradas.map((stop) => [stop.id, stop]));
  const changes: Change[] = [];
  for (const stop of run.paradas) {
    const old = known.get(stop.id);
    known.delete(stop.id);
    if (!old) changes.push({ kind: 'stop-added', deliveryId, stop });
    else if (stop.situacao === 'pendente' && hadFailed(past, deliveryId, stop.id))
      changes.push({ kind: 'stop-reopened', deliveryId, stop });
    else if (stop.situacao === 'pendente' && factsOf(stop) !== factsOf(old))
      changes.push({ kind: 'stop-changed', deliveryId, stop });
  }
  for (const stop of known.values()) changes.push({ kind: 'stop-gone', deliveryId, stop });
  const facts = (each: typeof run) => JSON.stringify([each.observacao, each.coleta, each.com_retorno]);
  // Reopening the only failed stop also cancels the return. The reopened stop alone is reported.
  const isReopened = changes.some(({ kind }) => kind === 'stop-reopened');
  const isChanged = facts(run) !== facts(before) || isReordered(run.paradas, before.paradas);
  if (!isReopened && isChanged) changes.push({ kind: 'run-changed', deliveryId });
  return changes;
}

const hadFailed = (past: Work | null, deliveryId: string, stopId: string): boolean =>
  past?.corridas
    .find(({ id_mch }) => id_mch === deliveryId)
    ?.paradas.some(({ id, situacao }) => id === stopId && situacao === 'nao_entregue') ?? false;

/** Whether the pending stops that are in both have another order. */
function isReordered(now: readonly Stop[], before: readonly Stop[]): boolean {
  const known = new Set(before.map(({ id }) => id));
  const open = now.filter(({ id, situacao }) => situacao === 'pendente' && known.has(id)).map(({ id }) => id);
  return before.filter(({ id }) => open.includes(id)).some(({ id }, index) => id !== open[index]);
}

const factsOf = (stop: Stop): string =>
  JSON.stringify([
    ...[stop.endereco, stop.complemento, stop.referencia, stop.lat, stop.lng],
    ...[stop.destinatario, stop.telefone, stop.observacao, stop.valor_a_receber, stop.forma_pagamento],
  ]);
