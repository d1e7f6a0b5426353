import type { FailureDecision, FailureReason } from '../platform/kernel/states.ts';
import type { Settings } from './central.ts';

/** What follows a failed stop, by reason. */
export interface FailureRules extends Record<FailureReason, FailureDecision> {
  /** The maximum number of attempts of a stop in a run, if it is tried again. */
  attemptsMax: number;
  /** What follows the last attempt. */
  afterwards: Exclude<FailureDecision, 'retry'>;
}

/** The central's rules, with the deviations of one of its companies. */
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
  /** Earlier attempts of the same stop, except those that were undone. */
  attemptsBefore: number;
  /** Other stops of the run that are still to be visited. */
  othersOpen: number;
}

/** The stop is not tried again if no other stop is left, because there would be no time in between. */
export function decideFailure(
  rules: FailureRules,
  { reason, attemptsBefore, othersOpen }: FailedVisit,
): FailureDecision {
  const decision = rules[reason];
  if (decision !== 'retry') return decision;
  return othersOpen > 0 && attemptsBefore + 1 < rules.attemptsMax ? 'retry' : rules.afterwards;
}
