import { type StatusLetter, statusLabel } from '../statuses.ts';
import { useWords } from '../words.ts';
import { Badge } from './Badge.tsx';

/** The status of a delivery, the same everywhere. `bare` shows the letter only, and says the rest. */
export function StatusBadge({ status, bare = false }: { status: StatusLetter; bare?: boolean }) {
  const t = useWords();
  const { pt, en } = statusLabel[status];
  return <Badge letter={status} label={t(pt, en)} tone={status.toLowerCase()} bare={bare} />;
}
