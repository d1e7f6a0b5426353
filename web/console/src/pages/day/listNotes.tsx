import { useWords } from '../../../../shared/words.ts';
import type { Summary } from '../../data/deliveries.ts';
import { Link } from '../../router.tsx';
import { IfMay } from '../../session.tsx';
import { Empty } from '../../ui/Loaded.tsx';

/** The maximum number of deliveries that the server lists. */
const LISTED_MAX = 500;

/** Says that the list is limited, while the numbers above count all deliveries. */
export function NotAll({ listed, summary }: { listed: number; summary: Summary | undefined }) {
  const t = useWords();
  const all = summary ? Object.values(summary.entregas).reduce((sum, count) => sum + count, 0) : listed;
  // The two are read one after the other, so a small difference below the limit means nothing.
  if (listed < LISTED_MAX || all <= listed) return null;
  return (
    <p className="soft">{t(`As ${listed} mais antigas de ${all}.`, `The ${listed} oldest of ${all}.`)}</p>
  );
}

/** Says why the list is empty, and how it fills. */
export function NothingOpen({ isFiltered }: { isFiltered: boolean }) {
  const t = useWords();
  if (isFiltered)
    return (
      <Empty title={t('Nenhuma entrega com este filtro', 'No deliveries with this filter')}>
        <Link to="/">{t('Mostrar todas', 'Show all')}</Link>
      </Empty>
    );
  return (
    <Empty title={t('Nenhuma entrega em curso', 'No open deliveries')}>
      {t(
        'As entregas abertas por você e pelas integrações aparecem aqui. ',
        'Deliveries opened by you and by integrations appear here. ',
      )}
      <IfMay permission="order">
        <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
      </IfMay>
    </Empty>
  );
}
