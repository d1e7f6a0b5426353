import type { ReactNode } from 'react';
import { useWords } from '../../../../../shared/words.ts';

export const SIDES = ['attention', 'drivers', 'map'] as const;
export type Side = (typeof SIDES)[number];

/** One of three panels beside the board. What needs attention stays in the page, for its keys. */
export function BoardSide({
  side,
  onSide,
  attention,
  drivers,
  map,
}: {
  side: Side;
  onSide: (side: Side) => void;
  attention: ReactNode;
  /** Null where the login dispatches nothing. */
  drivers: ReactNode | null;
  map: ReactNode;
}) {
  const t = useWords();
  const names: Record<Side, string> = {
    attention: t('Precisa de você', 'Needs you'),
    drivers: t('Entregadores', 'Drivers'),
    map: t('Mapa', 'Map'),
  };
  return (
    <div className="board-side">
      <fieldset className="board-tabs" aria-label={t('Ao lado do quadro', 'Beside the board')}>
        {SIDES.filter((each) => each !== 'drivers' || drivers !== null).map((each) => (
          <button key={each} type="button" aria-pressed={each === side} onClick={() => onSide(each)}>
            {names[each]}
          </button>
        ))}
      </fieldset>
      <section
        className="day-attention"
        data-steady
        hidden={side !== 'attention'}
        aria-label={names.attention}
      >
        {attention}
      </section>
      {side === 'drivers' && drivers}
      {side === 'map' && map}
    </div>
  );
}
