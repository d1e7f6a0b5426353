import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { watchCalls } from '../../support/coveredCalls.ts';
import { type LockedRow, type LockStep, recordLocks } from '../../support/recordLocks.ts';
import { runFiles } from '../../support/runFiles.ts';

/** The order of ARCHITECTURE.md. What is grouped is locked under its carrier, and has no place of its own. */
const ORDER = [
  'plans',
  'scheduled',
  'deliveries',
  'claims',
  'drivers',
  'deliveries, on hold',
  'wallets',
  'driver_accounts',
  'company_accounts',
];

/** Tests that drive the commands, one at a time for the most part. */
const FILES = [
  'test/contract/cancelScheduled.test.ts',
  'test/contract/creditLimits.test.ts',
  'test/contract/editScheduled.test.ts',
  'test/contract/groupScheduledIntoDelivery.test.ts',
  'test/contract/removeStop.test.ts',
  'test/dispatcher/distribution.test.ts',
  'test/dispatcher/merge.test.ts',
  'test/lifecycle/cancelManyScheduled.test.ts',
  'test/lifecycle/createMany.test.ts',
  'test/lifecycle/journey.test.ts',
  'test/lifecycle/personalDataMeanwhile.test.ts',
  'test/lifecycle/statusAndCancelMany.test.ts',
  'test/long/faults/rareLocks.test.ts',
  'test/operations/applyPlan.test.ts',
  'test/operations/cancelledEarnings.test.ts',
  'test/operations/closings.test.ts',
  'test/operations/correctedStops.test.ts',
  'test/operations/driverCalendar.test.ts',
  'test/operations/editStops.test.ts',
  'test/operations/failedDispatches.test.ts',
  'test/operations/help.test.ts',
  'test/operations/lateProof.test.ts',
  'test/operations/manySteps.test.ts',
  'test/operations/offers.test.ts',
  'test/operations/orderAgain.test.ts',
  'test/operations/pixTopUps.test.ts',
  'test/operations/reassign.test.ts',
  'test/operations/resolveFailures.test.ts',
];

/** They lock what has no place in the order. */
const APART = new Set([
  'lockCentral',
  'lockCompanyAddresses',
  'lockDataFolder',
  'lockDriverLogins',
  'lockEntry',
  'lockKey',
  'lockOrMake',
  'lockOutdated',
  'lockProgress',
  'lockState',
  'lockStoredSecrets',
  'lockWebhook',
]);

const calls = watchCalls(/^lock[A-Z]/);
const recorded = recordLocks();
await runFiles(FILES, await mkdtemp(join(tmpdir(), 'malote-begun-')));
await recorded.stop();

const placeOf = ({ kind }: LockedRow): number => ORDER.indexOf(kind);
const describeStep = ({ held, locked, text }: LockStep): string =>
  `${held.kind} -> ${locked.kind}: ${text.replace(/\s+/g, ' ').trim().slice(0, 160)}`;
const distinct = (steps: readonly LockStep[]): string[] => [...new Set(steps.map(describeStep))];
const listed = recorded.steps.filter(({ held, locked }) => placeOf(held) >= 0 && placeOf(locked) >= 0);

// A suite with the path of this file, as every file has one.
describe('test/long/faults/lockOrder.test.ts', () => {
  test('every command takes its locks in the order of ARCHITECTURE.md', () => {
    assert.deepEqual(distinct(listed.filter(({ held, locked }) => placeOf(held) > placeOf(locked))), []);
    const seen = new Set(listed.flatMap(({ held, locked }) => [held.kind, locked.kind]));
    const missing = ORDER.filter((kind) => !seen.has(kind));
    assert.deepEqual(missing, [], 'no command took these locks together with others');
  });

  test('every command locks several rows of one kind by id', () => {
    const ofOneKind = recorded.steps.filter(({ held, locked }) => held.kind === locked.kind);
    assert.notEqual(ofOneKind.length, 0);
    assert.deepEqual(distinct(ofOneKind.filter(({ held, locked }) => held.place > locked.place)), []);
  });

  test('every place in the code that locks rows was reached', () => {
    const required = calls().filter(({ name }) => !APART.has(name));
    assert.deepEqual(
      required.filter(({ wasMade }) => !wasMade).map(({ place, name }) => `${place} ${name}`),
      [],
    );
  });
});
