/**
 * A histogram of durations: a count for each range of seconds. Two histograms are added by adding their counts, so a
 * median over a year costs no more than the sums of its days. Ranges are stored by their index, so they may be changed
 * only together with a rebuild of all totals.
 */
export const RANGE_STARTS: readonly number[] = [
  0, 15, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1_200, 1_500, 1_800, 2_400, 3_000, 3_600, 4_500,
  5_400, 7_200, 10_800, 14_400,
];
/** The assumed end of the last range. */
const LONGEST_SECONDS = 28_800;

export const emptySpread = (): number[] => Array<number>(RANGE_STARTS.length).fill(0);

/** The index of the range that contains a duration. */
export function rangeOf(seconds: number): number {
  const next = RANGE_STARTS.findIndex((start) => start > seconds);
  return next === -1 ? RANGE_STARTS.length - 1 : next - 1;
}

/**
 * The percentile to the second, as if durations were distributed evenly within their range; null if there are none.
 */
export function percentile(spread: readonly number[], share: number): number | null {
  const count = spread.reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  let left = count * share;
  for (const [index, each] of spread.entries()) {
    if (each > 0 && left <= each) {
      const from = RANGE_STARTS[index]!;
      const to = RANGE_STARTS[index + 1] ?? LONGEST_SECONDS;
      return Math.round(from + ((to - from) * left) / each);
    }
    left -= each;
  }
  return LONGEST_SECONDS;
}
