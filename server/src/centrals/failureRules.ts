import type { FailureDecision, FailureReason } from '../kernel/states.ts';
import type { Settings } from './central.ts';

/** What a central wants done when a stop fails, by the reason. */
export interface FailureRules extends Record<FailureReason, FailureDecision> {
  /** So many attempts of one stop in a run, where it is tried again. */
  attemptsMax: number;
  /** What follows the last of them. */
  afterwards: Exclude<FailureDecision, 'retry'>;
}

/** The central's, with what one of its companies wants otherwise. */
export const failureRulesOf = (settings: Settings, own: Partial<FailureRules> | null): FailureRules => ({
  absent: settings.failureAbsent,
  wrong_address: settings.failureWrongAddress,
  refused: settings.failureRefused,
  other: settings.failureOther,
  attemptsMax: settings.failureAttemptsMax,
  afterwards: settings.failureAfterwards,
  ...own,
});

interface FailedVisit {
  reason: FailureReason;
  /** Attempts of the same stop before this one, without those that were undone. */
  attemptsBefore: number;
  /** Other stops of the run that are still to be visited. */
  othersOpen: number;
}

/** With nothing else left to visit there is no later in the run, so the stop is not tried again. */
export function decideFailure(
  rules: FailureRules,
  { reason, attemptsBefore, othersOpen }: FailedVisit,
): FailureDecision {
  const decision = rules[reason];
  if (decision !== 'retry') return decision;
  return othersOpen > 0 && attemptsBefore + 1 < rules.attemptsMax ? 'retry' : rules.afterwards;
}
