import { useWords } from '../../../../shared/words.ts';
import type { Scheduled } from '../../data/scheduled.ts';
import { useIsManager, useMay } from '../../session.tsx';

/** Contract 4.3: a company's manager edits its scheduled deliveries; the central edits those of persons. */
export function useMayEdit({ empresa }: Pick<Scheduled, 'empresa'>): boolean {
  const isManager = useIsManager();
  const mayOrder = useMay('order');
  return mayOrder && (isManager || empresa === null);
}

export function EditingIsForManagers() {
  const t = useWords();
  return (
    <span className="soft">
      {t('A edição é somente do gerente da empresa.', 'Editing is for the company manager only.')}
    </span>
  );
}
