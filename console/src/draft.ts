import { useEffect, useState } from 'react';

/**
 * What a user has typed, kept as long as the tab lives: a reload, an ended session or a lost connection loses
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
    // The component that clears it may be unmounted before the effect.
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
 * A draft of changes to an existing entry. It belongs to one state of the entry: once anybody has saved another
 * state, the form begins from that.
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
