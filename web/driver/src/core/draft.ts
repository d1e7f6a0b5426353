import type { FailureReason, ProofImage } from './action.ts';
import { visitOf } from './failure.ts';
import { currentRun, type LocalRun, type LocalWork } from './localView.ts';
import type { Stop } from './work.ts';

/** The values of each form about a stop. A signature is drawn last and is not stored. */
export interface Filled {
  conclude: { code: string; name: string; photo: ProofImage | null; amount: string; form: string | null };
  fail: { reason: FailureReason | null; note: string; photo: ProofImage | null };
}

export type SheetName = keyof Filled;

/** A form that was open and unconfirmed when the app was hidden. */
export interface Draft {
  sheet: SheetName;
  driverId: string;
  stopId: string;
  visit: number;
  filled: Partial<Filled[SheetName]>;
}

/** The run and stop of a draft, or null if that visit of the stop is no longer open. */
export function visitOfDraft(
  draft: Draft | null,
  view: LocalWork | null,
): { run: LocalRun; stop: Stop } | null {
  const run = view && currentRun(view);
  if (!draft || !run || run.status !== 'E') return null;
  const stop = run.paradas.find(({ id, situacao }) => id === draft.stopId && situacao === 'pendente');
  return stop && visitOf(stop) === draft.visit ? { run, stop } : null;
}
