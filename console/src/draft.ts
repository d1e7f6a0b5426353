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

/**
 * A draft of changes to something that is there already: it holds for that state of it only. Once somebody,
 * oneself included, has saved another, one begins anew from that.
 */
export function useEntryDraft<Value extends object>(name: string, initial: Value) {
  const [start] = useState(() => ({ name: `${name}.${fingerprint(JSON.stringify(initial))}`, initial }));
  return useDraft<Value>(start.name, start.initial);
}

function fingerprint(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0;
  return (hash >>> 0).toString(36);
}
