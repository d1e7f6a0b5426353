import { counted } from '../../../../../shared/formats.ts';
import { useWords } from '../../../../../shared/words.ts';
import type { OpenDelivery } from '../../../data/deliveries.ts';
import { useMay } from '../../../session.tsx';
import { isPlanned, isTaken, type ManyAction } from './manyResults.ts';

export type BarAction = ManyAction | 'distribute' | 'group' | 'print';

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
  waiting,
  onDistribute,
}: {
  marked: readonly OpenDelivery[];
  onAct: (action: BarAction) => void;
  onClear: () => void;
  /** That of the selected row. */
  shop: string | null;
  onMarkShop: () => void;
  /** How many of those shown have no driver. */
  waiting: number;
  onDistribute: () => void;
}) {
  const t = useWords();
  const mayDispatch = useMay('dispatch');
  const mayOrder = useMay('order');
  const can = (action: ManyAction) => marked.some(({ status }) => isTaken(action, status));
  const wholeShop = t(`Toda a ${shop}`, `All of ${shop}`);
  const ofShop = shop !== null && (
    <button
      type="button"
      className="plain of-shop"
      title={wholeShop}
      onClick={onMarkShop}
      aria-keyshortcuts="e"
    >
      {marked.length === 0 ? wholeShop : t('+ loja', '+ shop')}
    </button>
  );
  if (marked.length === 0)
    return (
      <>
        {mayDispatch && waiting > 0 && (
          <button type="button" aria-keyshortcuts="d" onClick={onDistribute}>
            {t(`Distribuir ${waiting} sem entregador`, `Distribute ${waiting} without a driver`)}
          </button>
        )}
        {ofShop || (
          <span className="soft of-shop">
            {t('Shift-clique ou x marca várias', 'Shift-click or x marks several')}
          </span>
        )}
      </>
    );
  return (
    <>
      <strong aria-live="polite">
        {t(counted(marked.length, 'marcada', 'marcadas'), `${marked.length} marked`)}
      </strong>
      {mayDispatch && (
        <>
          <button
            type="button"
            className="primary"
            aria-keyshortcuts="d"
            disabled={!marked.some(isPlanned)}
            onClick={() => onAct('distribute')}
          >
            {t('Distribuir', 'Distribute')}
          </button>
          <button type="button" disabled={!can('offer')} onClick={() => onAct('offer')}>
            {t('Oferecer a…', 'Offer to…')}
          </button>
          <button type="button" disabled={!can('hold')} onClick={() => onAct('hold')}>
            {t('Segurar', 'Hold back')}
          </button>
          <button type="button" disabled={!can('release')} onClick={() => onAct('release')}>
            {t('Liberar', 'Release')}
          </button>
          <button type="button" onClick={() => onAct('postpone')}>
            {t('Adiar', 'Postpone')}
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
