import { useIsMutating } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useWords } from '../../../shared/words.ts';
import { Icon } from './Icon.tsx';

export interface Toast {
  id: number;
  text: string;
  tone: 'done' | 'failed';
  /** What takes back what was done. */
  undo?: () => void;
}

const SHOWN_MS = 6_000;
/** Long enough to read a result and to change one's mind. */
const UNDO_MS = 30_000;
const readers = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const notify of readers) notify();
}

/** Shows a message for a few seconds. One about a failure stays until it is dismissed. */
export function toast(text: string, tone: Toast['tone'] = 'done', undo?: () => void): void {
  const id = ++lastId;
  set([...toasts, { id, text, tone, ...(undo && { undo }) }]);
  if (tone === 'done') setTimeout(() => dismiss(id), undo ? UNDO_MS : SHOWN_MS);
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

const useToasts = (): readonly Toast[] =>
  useSyncExternalStore(
    (notify) => {
      readers.add(notify);
      return () => readers.delete(notify);
    },
    () => toasts,
  );

/** The current messages, which screen readers read out as they come. */
export function Toasts() {
  const t = useWords();
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, undo }) => (
        <p key={id} className={tone}>
          <span aria-hidden="true">{tone === 'done' ? <Icon shape="yes" /> : '!'}</span>
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              className="plain"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              {t('Desfazer', 'Undo')}
            </button>
          )}
          <button
            type="button"
            className="icon"
            onClick={() => dismiss(id)}
            aria-label={t('Dispensar', 'Dismiss')}
          >
            ×
          </button>
        </p>
      ))}
    </div>
  );
}

/** A line along the top, which takes up no space of the page. */
export const ProgressLine = ({ label }: { label: string }) => (
  <progress className="working" aria-label={label} />
);

/** Shown while an action of the user is running. */
export function Working() {
  const t = useWords();
  return useIsMutating() > 0 ? <ProgressLine label={t('Em andamento', 'Working')} /> : null;
}
