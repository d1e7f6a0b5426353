import { useEffect, useState } from 'react';

/**
 * What one has typed, kept for as long as the tab lives: a reload, a lost session or a lost connection cost
 * nothing. `clear` forgets it once it has been sent.
 */
export function useDraft<Value extends object>(
  name: string,
  initial: Value,
): [value: Value, change: (next: Value | ((before: Value) => Value)) => void, clear: () => void] {
  const key = `malote.rascunho.${name}`;
  const [value, setValue] = useState<Value>(() => ({ ...initial, ...stored<Value>(key) }));
  useEffect(() => {
    sessionStorage.setItem(key, JSON.stringify(value));
  }, [key, value]);
  const clear = () => {
    setValue(initial);
    sessionStorage.removeItem(key);
  };
  return [value, setValue, clear];
}

function stored<Value>(key: string): Partial<Value> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Value>;
  } catch {
    return {};
  }
}
