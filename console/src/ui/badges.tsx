import type { CSSProperties } from 'react';
import './badge.css';
import { type StatusLetter, statusLabel } from '../statuses.ts';
import { useWords } from '../words.ts';

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

/** Whether an entry of a register is in use. */
export function ActiveBadge({ active }: { active: boolean }) {
  const t = useWords();
  return active ? (
    <Badge letter="A" label={t('Em uso', 'In use')} tone="e" />
  ) : (
    <Badge letter="I" label={t('Fora de uso', 'Not in use')} tone="f" />
  );
}

/** The status of a delivery, the same everywhere. `bare` shows the letter only, and says the rest. */
export function StatusBadge({ status, bare = false }: { status: StatusLetter; bare?: boolean }) {
  const t = useWords();
  const { pt, en } = statusLabel[status];
  return <Badge letter={status} label={t(pt, en)} tone={status.toLowerCase()} bare={bare} />;
}
