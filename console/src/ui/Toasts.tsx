import { useIsMutating } from '@tanstack/react-query';
import { dismiss, useToasts } from '../toasts.ts';
import { useWords } from '../words.ts';
import { Icon } from './Icon.tsx';
import './toasts.css';

/** What was done a moment ago, read out by screen readers as it comes. */
export function Toasts() {
  const t = useWords();
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <p key={id} className={tone}>
          <span aria-hidden="true">{tone === 'done' ? <Icon shape="yes" /> : '!'}</span>
          <span>{text}</span>
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

/** A line along the top for as long as something one asked for is being done. */
export function Working() {
  const t = useWords();
  return useIsMutating() > 0 ? (
    <progress className="working" aria-label={t('Em andamento', 'Working')} />
  ) : null;
}
