import { metresBetween, type Point } from './geometry.ts';
import type { LocalRun } from './localView.ts';
import type { Place, Stop } from './work.ts';

/** The next step, which the big button names and performs. */
export type Step =
  | { kind: 'go-pickup' | 'arrive-pickup' | 'start'; place: Place; stop: null }
  | { kind: 'go-stop' | 'arrive-stop' | 'conclude'; place: Place; stop: Stop }
  | { kind: 'go-return' | 'finish'; place: Place; stop: null }
  | { kind: 'wait' | 'over'; place: null; stop: null };

/** A driver who is nearer than this needs no navigation and is offered the arrival. */
const ARRIVED_METRES = 150;

/** Names a journey. Once the driver has begun it, the next step is the arrival. */
export const journeyTo = (run: LocalRun, target: string): string => `${run.id_mch} ${target}`;

/** After a failed attempt, the way to the stop is a new journey. */
const stopTarget = ({ id, tentativas }: Stop): string => (tentativas > 0 ? `${id} ${tentativas}` : id);

export function nextStep(run: LocalRun, journeys: ReadonlySet<string>, here: Point | null): Step {
  if (run.isOver) return { kind: 'over', place: null, stop: null };
  if (run.status === 'S') return { kind: 'wait', place: null, stop: null };
  const isOnTheWay = (target: string, place: Place): boolean =>
    journeys.has(journeyTo(run, target)) || (here !== null && metresBetween(here, place) <= ARRIVED_METRES);
  const { coleta } = run;
  if (run.status === 'A') {
    if (run.chegou_em) return { kind: 'start', place: coleta, stop: null };
    return { kind: isOnTheWay('pickup', coleta) ? 'arrive-pickup' : 'go-pickup', place: coleta, stop: null };
  }
  const stop = run.paradas.find(({ situacao }) => situacao === 'pendente');
  if (stop) {
    if (stop.chegou_em) return { kind: 'conclude', place: stop, stop };
    return { kind: isOnTheWay(stopTarget(stop), stop) ? 'arrive-stop' : 'go-stop', place: stop, stop };
  }
  // A run without return ends with its last stop. If the server still lists it, finishing it changes nothing.
  if (!run.com_retorno) return { kind: 'finish', place: coleta, stop: null };
  return { kind: isOnTheWay('return', coleta) ? 'finish' : 'go-return', place: coleta, stop: null };
}

/** The target of a journey, as `journeyTo` names it. */
export function targetOf(step: Step): string | null {
  switch (step.kind) {
    case 'go-pickup':
    case 'arrive-pickup':
    case 'start':
      return 'pickup';
    case 'go-stop':
    case 'arrive-stop':
    case 'conclude':
      return stopTarget(step.stop);
    case 'go-return':
    case 'finish':
      return 'return';
    case 'wait':
    case 'over':
      return null;
  }
}
