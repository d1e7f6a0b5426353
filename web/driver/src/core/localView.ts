import type { DeliveryAction } from './action.ts';
import { decideFailure, visitIn, visitOf } from './failure.ts';
import type { Entry } from './outbox.ts';
import type { Run, Stop, Work } from './work.ts';

/** A run as last read from the server, with this phone's actions applied. */
export interface LocalRun extends Run {
  /** Finished or given up on this phone. The server may not know it yet. */
  isOver: boolean;
}

export interface LocalWork extends Omit<Work, 'corridas'> {
  corridas: LocalRun[];
}

/**
 * Applies this phone's actions to the work last read from the server, so that the driver can continue without network.
 * Actions that the server already knows change nothing. Refused actions are applied too: the goods are where the
 * driver says they are, and the refusal is resolved on a screen of its own.
 */
export function localView(work: Work, entries: readonly Entry[]): LocalWork {
  const own = entries.filter(({ driverId }) => driverId === work.condutor.id);
  let { disponivel } = work.condutor;
  let runs = work.corridas.map(
    (run): LocalRun => ({
      ...run,
      paradas: run.paradas.toSorted((a, b) => a.ordem - b.ordem),
      isOver: false,
    }),
  );
  for (const { action, happenedAt } of own) {
    if (action.kind === 'duty') disponivel = action.available;
    if (!('deliveryId' in action)) continue;
    runs = runs.map((run) => (run.id_mch === action.deliveryId ? afterAction(run, action, happenedAt) : run));
    runs = resumeNext(runs);
  }
  return { ...work, condutor: { ...work.condutor, disponivel }, corridas: runs };
}

function afterAction(run: LocalRun, action: DeliveryAction, at: string): LocalRun {
  switch (action.kind) {
    case 'arrive-pickup':
      return { ...run, chegou_em: run.chegou_em ?? at };
    case 'start':
      return { ...run, status: 'E', chegou_em: run.chegou_em ?? at, iniciada_em: run.iniciada_em ?? at };
    case 'finish':
    case 'give-up':
      return { ...run, isOver: true };
    case 'proof':
      return run;
    case 'arrive-stop':
      return withStop(run, action.stopId, (stop) =>
        visitOf(stop) === visitIn(action, stop) ? { ...stop, chegou_em: stop.chegou_em ?? at } : stop,
      );
    case 'conclude':
      return ended(
        withStop(run, action.stopId, (stop) => ({
          ...stop,
          situacao: 'concluida',
          chegou_em: stop.chegou_em ?? at,
          concluida_em: stop.concluida_em ?? at,
        })),
      );
    case 'fail':
      return ended(afterFailure(run, action, at));
    // An action that a later version of the app stored before the service was downgraded.
    default:
      return run;
  }
}

function afterFailure(
  run: LocalRun,
  action: Extract<DeliveryAction, { kind: 'fail' }>,
  at: string,
): LocalRun {
  const { stopId, body } = action;
  const stop = run.paradas.find(({ id }) => id === stopId);
  if (stop?.situacao !== 'pendente') return run;
  const visit = visitIn(action, stop);
  // The server's work may already include this visit.
  if (visitOf(stop) !== visit) return run;
  const decision = decideFailure(run, stopId, body.motivo);
  if (decision === 'tentar_depois') {
    const others = run.paradas.filter(({ id }) => id !== stopId);
    const paradas = [...others, { ...stop, chegou_em: null, tentativas: visit }];
    return { ...run, paradas: paradas.map((each, ordem) => ({ ...each, ordem })) };
  }
  const failed = withStop(run, stopId, (each) => ({
    ...each,
    situacao: 'nao_entregue',
    tentativas: visit,
    concluida_em: at,
  }));
  return { ...failed, com_retorno: run.com_retorno || decision === 'retornar' };
}

/** A run without return ends with its last stop. */
const ended = (run: LocalRun): LocalRun =>
  run.com_retorno || run.paradas.some(({ situacao }) => situacao === 'pendente')
    ? run
    : { ...run, isOver: true };

const withStop = (run: LocalRun, id: string, change: (stop: Stop) => Stop): LocalRun => ({
  ...run,
  paradas: run.paradas.map((stop) => (stop.id === id && stop.situacao === 'pendente' ? change(stop) : stop)),
});

/** As the server does: if no run is under way, the first run on hold becomes the current one. */
function resumeNext(runs: LocalRun[]): LocalRun[] {
  const open = runs.filter(({ isOver }) => !isOver);
  const first = open.find(({ status }) => status === 'S');
  if (!first || open.some(({ status }) => status !== 'S')) return runs;
  return runs.map((run) => (run === first ? { ...run, status: 'A' } : run));
}

/** The run that the driver carries now. */
export const currentRun = ({ corridas }: LocalWork): LocalRun | null =>
  corridas.find(({ isOver, status }) => !isOver && status !== 'S') ?? null;

/** Whether the server's own state shows that an action was done, by this phone or by the central. */
export function isKnownTo(work: Work, action: DeliveryAction): boolean {
  const run = work.corridas.find(({ id_mch }) => id_mch === action.deliveryId);
  if (!run) return false;
  const stop = 'stopId' in action ? run.paradas.find(({ id }) => id === action.stopId) : undefined;
  switch (action.kind) {
    case 'arrive-pickup':
      return run.chegou_em !== null || run.status === 'E';
    case 'start':
      return run.status === 'E';
    case 'arrive-stop':
      return (
        stop !== undefined &&
        (stop.chegou_em !== null || stop.situacao !== 'pendente' || stop.tentativas >= action.visit)
      );
    case 'conclude':
      return stop?.situacao === 'concluida';
    case 'fail':
      return stop !== undefined && (stop.situacao === 'nao_entregue' || stop.tentativas >= action.visit);
    // The work says nothing about images, and the end of a stop does not mean that they arrived.
    case 'proof':
    case 'finish':
    case 'give-up':
      return false;
  }
}
