import { counted } from '../../../../../shared/formats.ts';
import { useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { useMay } from '../../../session.tsx';
import { isTaken, type ManyAction } from './manyResults.ts';

export type BarAction = ManyAction | 'group' | 'print';

/** Deliveries in progress of one company with one pickup may be grouped; the server decides. */
const mayGroup = (marked: readonly OpenDelivery[]): boolean =>
  marked.length > 1 &&
  marked.every(({ status, empresa_id }) => status === 'E' && empresa_id === marked[0]!.empresa_id);

/** How many are marked, and what can be done to them. It takes the place of the hint, so that no row moves. */
export function ManyBar({
  marked,
  onAct,
  onClear,
  shop,
  onMarkShop,
}: {
  marked: readonly OpenDelivery[];
  onAct: (action: BarAction) => void;
  onClear: () => void;
  /** That of the selected row. */
  shop: string | null;
  onMarkShop: () => void;
}) {
  const t = useWords();
  const mayDispatch = useMay('dispatch');
  const mayOrder = useMay('order');
  const can = (action: ManyAction) => marked.some(({ status }) => isTaken(action, status));
  const ofShop = shop !== null && (
    <button type="button" className="plain of-shop" onClick={onMarkShop} aria-keyshortcuts="e">
      {t(`Toda a ${shop}`, `All of ${shop}`)}
    </button>
  );
  if (marked.length === 0)
    return (
      ofShop || (
        <span className="soft">
          {t('Clique com Shift ou x para marcar várias', 'Shift-click or x to mark several')}
        </span>
      )
    );
  return (
    <>
      <strong aria-live="polite">
        {t(counted(marked.length, 'marcada', 'marcadas'), `${marked.length} marked`)}
      </strong>
      {mayDispatch && (
        <>
          <button type="button" disabled={!can('offer')} onClick={() => onAct('offer')}>
            {t('Oferecer a…', 'Offer to…')}
          </button>
          <button type="button" disabled={!can('hold')} onClick={() => onAct('hold')}>
            {t('Segurar', 'Hold back')}
          </button>
          <button type="button" disabled={!can('release')} onClick={() => onAct('release')}>
            {t('Liberar', 'Release')}
          </button>
        </>
      )}
      {mayOrder && (
        <>
          <button type="button" disabled={!mayGroup(marked)} onClick={() => onAct('group')}>
            {t('Agrupar', 'Group')}
          </button>
          <button type="button" className="danger" onClick={() => onAct('cancel')}>
            {t('Cancelar', 'Cancel')}
          </button>
        </>
      )}
      <button type="button" onClick={() => onAct('print')}>
        {t('Imprimir', 'Print')}
      </button>
      {ofShop}
      <button type="button" className="plain" onClick={onClear}>
        {t('Desmarcar', 'Unmark')}
      </button>
    </>
  );
}
