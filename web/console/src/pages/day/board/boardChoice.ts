import { useState, useSyncExternalStore } from 'react';
import { COLUMN_KEYS, type ColumnKey } from './boardRows.ts';

/** What a person has chosen for this browser. */
interface Choice {
  /** Null: the board is shown where there are many deliveries. */
  isBoard: boolean | null;
  columns: readonly ColumnKey[];
  hasSide: boolean;
}

const KEY = 'malote.quadro';
const INITIAL: Choice = { isBoard: null, columns: COLUMN_KEYS, hasSide: true };

function stored(): Choice {
  try {
    const { isBoard, columns, hasSide } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Choice>;
    const known = COLUMN_KEYS.filter((key) => columns?.includes(key));
    return {
      isBoard: typeof isBoard === 'boolean' ? isBoard : null,
      columns: known.length > 0 ? known : COLUMN_KEYS,
      hasSide: hasSide !== false,
    };
  } catch {
    return INITIAL;
  }
}

export function useBoardChoice(): [choice: Choice, change: (changes: Partial<Choice>) => void] {
  const [choice, setChoice] = useState(stored);
  const change = (changes: Partial<Choice>) => {
    const next = { ...choice, ...changes };
    setChoice(next);
    localStorage.setItem(KEY, JSON.stringify(next));
  };
  return [choice, change];
}

/** With more open deliveries than this when the page is opened, it begins with the board. */
const MANY = 40;

/**
 * Whether the page begins with the board, decided by the first answer, so that the page does not change its form while
 * somebody works. A narrow screen has no board.
 */
export function useBeginsAsBoard(count: number | undefined): boolean {
  const [decided, setDecided] = useState<boolean | null>(null);
  if (decided === null && count !== undefined) setDecided(count > MANY);
  return decided ?? false;
}

const wide = matchMedia('(min-width: 721px)');

export const useIsWide = (): boolean =>
  useSyncExternalStore(
    (notify) => {
      wide.addEventListener('change', notify);
      return () => wide.removeEventListener('change', notify);
    },
    () => wide.matches,
  );
