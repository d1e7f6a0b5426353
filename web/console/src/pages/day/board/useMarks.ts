import { useMemo, useRef, useState } from 'react';
import { idsBetween } from './boardRows.ts';

export interface Marks {
  /** The marked ones of those shown. */
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** Marks all from the last one marked to this one. */
  extendTo: (id: string) => void;
  /** Marks all, or none of them if all were. */
  toggleAll: (ids: readonly string[]) => void;
  set: (ids: readonly string[]) => void;
}

/**
 * The rows chosen for an action on many. What a filter hides or what is over is not marked, so that an action never
 * reaches what is not on the screen. `shown`: the ids in the order of the rows.
 */
export function useMarks(shown: readonly string[]): Marks {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const from = useRef<string | null>(null);
  const ids = useMemo(() => new Set(shown.filter((id) => marked.has(id))), [shown, marked]);
  const change = (work: (next: Set<string>) => void) => {
    const next = new Set(ids);
    work(next);
    setMarked(next);
  };
  return {
    ids,
    toggle(id) {
      from.current = id;
      change((next) => void (next.delete(id) || next.add(id)));
    },
    extendTo(id) {
      const range = idsBetween(shown, from.current, id);
      from.current ??= id;
      change((next) => range.forEach((each) => void next.add(each)));
    },
    toggleAll(all) {
      const areMarked = all.every((id) => ids.has(id));
      change((next) => all.forEach((id) => void (areMarked ? next.delete(id) : next.add(id))));
    },
    set(all) {
      from.current = null;
      setMarked(new Set(all));
    },
  };
}
