import type { CSSProperties } from 'react';
import './badge.css';

/** Colour and letter and words together: never colour alone. `tone` names a colour of style.css, `--state-…`. */
export function Badge({
  letter,
  label,
  tone,
  bare = false,
}: {
  letter: string;
  label: string;
  tone: string;
  bare?: boolean;
}) {
  return (
    <span
      className="badge"
      style={{ '--tone': `var(--state-${tone})` } as CSSProperties}
      title={bare ? label : undefined}
    >
      <span className="badge-letter" aria-hidden="true">
        {letter}
      </span>
      <span className={bare ? 'unseen' : undefined}>{label}</span>
    </span>
  );
}
