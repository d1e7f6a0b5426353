import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'done' | 'failed';
}

const SHOWN_MS = 6_000;
const readers = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const tell of readers) tell();
}

/** Says in passing what was done. What failed stays until it has been read. */
export function toast(text: string, tone: Toast['tone'] = 'done'): void {
  const id = ++lastId;
  set([...toasts, { id, text, tone }]);
  if (tone === 'done') setTimeout(() => dismiss(id), SHOWN_MS);
}

export const dismiss = (id: number): void => set(toasts.filter((one) => one.id !== id));

export const useToasts = (): readonly Toast[] =>
  useSyncExternalStore(
    (tell) => {
      readers.add(tell);
      return () => readers.delete(tell);
    },
    () => toasts,
  );
