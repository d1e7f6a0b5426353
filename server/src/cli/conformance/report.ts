import type { Result } from './check.ts';

interface Report {
  address: string;
  passed: number;
  failed: number;
  skipped: number;
  results: readonly Result[];
  /** What the run created, and what of it could not be cancelled. */
  created: { deliveries: readonly string[]; scheduled: readonly string[] };
  left: readonly string[];
}

const countOf = (results: readonly Result[], outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;

export const reportOf = (
  address: string,
  results: readonly Result[],
  { created, left }: Pick<Report, 'created' | 'left'>,
): Report => ({
  address,
  passed: countOf(results, 'passed'),
  failed: countOf(results, 'failed'),
  skipped: countOf(results, 'skipped'),
  results,
  created,
  left,
});

/** By section of the contract: what deviates with its reason, and what could not be checked. */
export function writeReport({ address, passed, failed, skipped, results, created, left }: Report): string {
  const lines = [`Contract of the integration interface, checked at ${address}`, ''];
  for (const [section, some] of [...Map.groupBy(results, (result) => result.section)].sort(bySection)) {
    const count = `${countOf(some, 'passed')} of ${some.length}`;
    lines.push(`${countOf(some, 'failed') > 0 ? '✗' : '✓'} section ${section}: ${count}`);
    for (const { outcome, title, reason } of some)
      if (outcome === 'failed') lines.push(`    ✗ ${title}`, `        ${reason}`);
  }
  const reasons = Map.groupBy(
    results.filter(({ outcome }) => outcome === 'skipped'),
    ({ reason }) => reason,
  );
  if (reasons.size > 0) lines.push('', 'Not checked:');
  for (const [reason, some] of reasons) lines.push(`    ${some.length}: ${reason}`);
  lines.push(
    '',
    `Created: ${listed('entregas', created.deliveries)}; ${listed('programadas', created.scheduled)}`,
  );
  if (left.length > 0) lines.push(`Left behind, cancel these yourself: ${left.join(', ')}`);
  lines.push('', `${passed} passed, ${failed} deviate, ${skipped} not checked`);
  return lines.join('\n');
}

const listed = (name: string, ids: readonly string[]): string => `${ids.length} ${name} (${rangeOf(ids)})`;
const rangeOf = (ids: readonly string[]): string => (ids.length ? `${ids[0]} to ${ids.at(-1)}` : 'none');

const bySection = ([left]: [string, unknown], [right]: [string, unknown]): number => {
  const [a = [], b = []] = [left, right].map((section) => section.split('.').map(Number));
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
};
