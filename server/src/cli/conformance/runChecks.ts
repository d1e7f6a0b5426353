import type { Check, Result } from './check.ts';
import { accessChecks } from './checks/access.ts';
import { bodyChecks } from './checks/bodies.ts';
import { envelopeChecks } from './checks/envelope.ts';
import { estimateChecks } from './checks/estimates.ts';
import { fieldChecks } from './checks/fields.ts';
import { groupingChecks } from './checks/grouping.ts';
import { idChecks } from './checks/ids.ts';
import { listChecks } from './checks/lists.ts';
import { stateChecks } from './checks/states.ts';
import { walletChecks } from './checks/wallet.ts';
import { Deviation, Unchecked } from './deviation.ts';
import type { World } from './world.ts';

export const checks: readonly Check[] = [
  ...envelopeChecks,
  ...accessChecks,
  ...idChecks,
  ...bodyChecks,
  ...listChecks,
  ...fieldChecks,
  ...estimateChecks,
  ...walletChecks,
  ...stateChecks,
  ...groupingChecks,
];

/** One after the other, so that the checks do not disturb each other and limits are not reached. */
export async function runChecks(
  world: World,
  chosen: readonly Check[],
  onResult: (result: Result) => void = () => undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of chosen) {
    const result = await runCheck(world, check);
    results.push(result);
    onResult(result);
  }
  return results;
}

async function runCheck(world: World, { section, title, run }: Check): Promise<Result> {
  try {
    await run(world);
    return { section, title, outcome: 'passed' };
  } catch (error) {
    if (error instanceof Unchecked) return { section, title, outcome: 'skipped', reason: error.message };
    if (error instanceof Deviation) return { section, title, outcome: 'failed', reason: error.message };
    // An answer without the fields that a check reads is a deviation too.
    if (error instanceof TypeError)
      return { section, title, outcome: 'failed', reason: `the answer has another shape: ${error.message}` };
    throw error;
  }
}
