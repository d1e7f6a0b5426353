import { useState } from 'react';
import { useDraft } from './draft.ts';

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
