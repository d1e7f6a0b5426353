import { useWords } from '../../../../shared/words.ts';
import type { Drag } from './useDrag.ts';

/** The label at the pointer while a delivery, or `count` of them, are dragged to a driver. */
export function Dragged({ drag: { deliveryId, x, y, over }, count = 1 }: { drag: Drag; count?: number }) {
  const t = useWords();
  return (
    <div className="dragged" style={{ left: x + 12, top: y + 12 }} aria-hidden="true">
      <strong>{count > 1 ? t(`${count} entregas`, `${count} deliveries`) : deliveryId}</strong>{' '}
      {over ? t('soltar aqui', 'drop here') : t('solte em um entregador', 'drop on a driver')}
    </div>
  );
}
