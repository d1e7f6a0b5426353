import type { Situation } from '../../data/scheduled.ts';
import { Badge } from '../../ui/badges.tsx';
import { useWords } from '../../words.ts';

export const situationLabel: Record<Situation, { pt: string; en: string; letter: string; tone: string }> = {
  A: { pt: 'Aguardando', en: 'Awaiting', letter: 'A', tone: 'p' },
  D: { pt: 'Distribuída', en: 'Dispatched', letter: 'D', tone: 'e' },
  agrupado: { pt: 'Agrupada', en: 'Grouped', letter: 'G', tone: 's' },
  C: { pt: 'Cancelada', en: 'Cancelled', letter: 'C', tone: 'c' },
  X: { pt: 'Erro', en: 'Failed', letter: 'X', tone: 'n' },
};

export const SITUATIONS = Object.keys(situationLabel) as Situation[];

/** What has become of a scheduled delivery, the same everywhere. `bare` shows the letter only, and says the rest. */
export function SituationBadge({ situation, bare = false }: { situation: Situation; bare?: boolean }) {
  const t = useWords();
  const { pt, en, letter, tone } = situationLabel[situation];
  return <Badge letter={letter} label={t(pt, en)} tone={tone} bare={bare} />;
}
