import type { CSSProperties } from 'react';
import { type Label, SITUATION_LABELS } from '../../../../server/src/api/json/labels.ts';
import { type StatusLetter, statusLabel } from '../../../shared/statuses.ts';
import { useWords } from '../../../shared/words.ts';
import type { Situation } from '../data/scheduled.ts';

/** A state as colour, letter and words, never as colour alone. `tone` names a colour of tokens.css, `--state-…`. */
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

/** Whether an entry of a register is in use. `feminine` is its gender in Portuguese, such as that of a company. */
export function ActiveBadge({ active, feminine = false }: { active: boolean; feminine?: boolean }) {
  const t = useWords();
  return active ? (
    <Badge letter="A" label={t(feminine ? 'Ativa' : 'Ativo', 'Active')} tone="e" />
  ) : (
    <Badge letter="I" label={t(feminine ? 'Inativa' : 'Inativo', 'Not in use')} tone="f" />
  );
}

/** The status of a delivery. `bare` shows the letter only; the words are its title and for screen readers. */
export function StatusBadge({ status, bare = false }: { status: StatusLetter; bare?: boolean }) {
  const t = useWords();
  const { pt, en } = statusLabel[status];
  return <Badge letter={status} label={t(pt, en)} tone={status.toLowerCase()} bare={bare} />;
}

/** The state of a delivery in lists: its status, and whether it is late. */
export function DeliveryState({
  of: { status, atrasada },
}: {
  of: { status: StatusLetter; atrasada: boolean };
}) {
  const t = useWords();
  return (
    <>
      <StatusBadge status={status} />
      {atrasada && <span className="late second">! {t('atrasada', 'late')}</span>}
    </>
  );
}

export const situationLabel: Record<Situation, Label & { letter: string; tone: string }> = {
  A: { ...SITUATION_LABELS.A, letter: 'A', tone: 'p' },
  D: { ...SITUATION_LABELS.D, letter: 'D', tone: 'e' },
  agrupado: { ...SITUATION_LABELS.agrupado, letter: 'G', tone: 's' },
  C: { ...SITUATION_LABELS.C, letter: 'C', tone: 'c' },
  X: { ...SITUATION_LABELS.X, letter: 'X', tone: 'n' },
};

export const SITUATIONS = Object.keys(situationLabel) as Situation[];

/** The situation of a scheduled delivery. `bare` is as in `StatusBadge`. */
export function SituationBadge({ situation, bare = false }: { situation: Situation; bare?: boolean }) {
  const t = useWords();
  const { pt, en, letter, tone } = situationLabel[situation];
  return <Badge letter={letter} label={t(pt, en)} tone={tone} bare={bare} />;
}
