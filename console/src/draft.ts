import { useEffect, useState } from 'react';

/**
 * What one has typed, kept for as long as the tab lives: a reload, a lost session or a lost connection cost
 * nothing. `clear` forgets it once it has been sent.
 */
export function useDraft<Value extends object>(
  name: string,
  initial: Value,
): [value: Value, change: (next: Value | ((before: Value) => Value)) => void, clear: () => void] {
  const key = keyOf(name);
  const [start] = useState(initial);
  const [value, setValue] = useState<Value>(() => stored(key, start));
  useEffect(() => {
    if (value === start) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  }, [key, value, start]);
  const clear = () => {
    setValue(start);
    // Whoever clears it may be gone before the effect.
    sessionStorage.removeItem(key);
  };
  return [value, setValue, clear];
}

const keyOf = (name: string): string => `malote.rascunho.${name}`;

/** Lays a draft out for a form that is opened next. */
export const leaveDraft = (name: string, value: object): void =>
  sessionStorage.setItem(keyOf(name), JSON.stringify(value));

function stored<Value extends object>(key: string, start: Value): Value {
  const text = sessionStorage.getItem(key);
  if (text === null) return start;
  try {
    return { ...start, ...(JSON.parse(text) as Partial<Value>) };
  } catch {
    return start;
  }
}
