import type { Scheduled } from '../../data/scheduled.ts';

const HOUR_MS = 3_600_000;

export interface Placed {
  entry: Scheduled;
  /** From the lane's left edge, in pixels. */
  left: number;
  /** Those at nearly the same time stand below one another. */
  row: number;
}

export interface Lane {
  key: string;
  name: string;
  rows: number;
  placed: Placed[];
}

export interface Board {
  lanes: Lane[];
  ticks: { at: number; left: number }[];
}

const TICKS_MAX = 12;
const HOURS_MIN = 2;

/** One lane for each company, along an axis of whole hours that holds every dispatch. */
export function placeOnLanes(
  entries: readonly Scheduled[],
  width: number,
  chipWidth: number,
  nobody: string,
): Board {
  const times = entries.map(({ disparo_em }) => Date.parse(disparo_em));
  const start = Math.floor(Math.min(...times) / HOUR_MS) * HOUR_MS;
  const hours = Math.max(HOURS_MIN, Math.ceil((Math.max(...times) - start + 1) / HOUR_MS));
  const span = Math.max(1, width - chipWidth);
  const leftOf = (at: number) => ((at - start) / (hours * HOUR_MS)) * span;

  const lanes = Map.groupBy(entries, ({ empresa }) => empresa?.id ?? '');
  const step = Math.ceil(hours / TICKS_MAX);
  return {
    lanes: [...lanes]
      .map(([key, some]) => toLane(key, some[0]?.empresa?.nome ?? nobody, some, leftOf, chipWidth))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    ticks: Array.from({ length: Math.floor(hours / step) + 1 }, (_, index) => {
      const at = start + index * step * HOUR_MS;
      return { at, left: leftOf(at) };
    }),
  };
}

function toLane(
  key: string,
  name: string,
  entries: readonly Scheduled[],
  leftOf: (at: number) => number,
  chipWidth: number,
): Lane {
  const ends: number[] = [];
  const placed = entries
    .toSorted((one, other) => Date.parse(one.disparo_em) - Date.parse(other.disparo_em))
    .map((entry) => {
      const left = leftOf(Date.parse(entry.disparo_em));
      const free = ends.findIndex((end) => end <= left);
      const row = free === -1 ? ends.length : free;
      ends[row] = left + chipWidth + 4;
      return { entry, left, row };
    });
  return { key, name, rows: ends.length, placed };
}
