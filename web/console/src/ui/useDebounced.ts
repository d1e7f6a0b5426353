import { useEffect, useState } from 'react';

/** The value once it has stayed the same for a while. */
export function useDebounced<Value>(value: Value, pauseMs: number): Value {
  const text = JSON.stringify(value);
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return JSON.parse(debounced) as Value;
}
