import { useWords } from '../words.ts';
import { Badge } from './Badge.tsx';

/** Whether an entry of a register is in use. */
export function ActiveBadge({ active }: { active: boolean }) {
  const t = useWords();
  return active ? (
    <Badge letter="A" label={t('Em uso', 'In use')} tone="e" />
  ) : (
    <Badge letter="I" label={t('Fora de uso', 'Not in use')} tone="f" />
  );
}
