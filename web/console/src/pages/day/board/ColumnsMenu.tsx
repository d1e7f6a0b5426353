import { useEffect, useRef } from 'react';
import { useWords } from '../../../../../shared/words.ts';
import { boardColumns } from './boardColumns.tsx';
import type { ColumnKey } from './boardRows.ts';

/** Chooses the columns of the board. Escape or a click elsewhere closes the list. */
export function ColumnsMenu({
  chosen,
  onChoose,
}: {
  chosen: readonly ColumnKey[];
  onChoose: (columns: readonly ColumnKey[]) => void;
}) {
  const t = useWords();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = (event: Event) => {
      const isInside = event.target instanceof Node && menu.current?.contains(event.target);
      if (menu.current && !isInside) menu.current.open = false;
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      ref={menu}
      className="columns-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.preventDefault();
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary>{t('Colunas', 'Columns')}</summary>
      <div className="columns-list">
        {boardColumns.map(({ key, pt, en }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={chosen.includes(key)}
              // The last column stays.
              disabled={chosen.length === 1 && chosen.includes(key)}
              onChange={() =>
                onChoose(
                  boardColumns
                    .map((column) => column.key)
                    .filter((each) => chosen.includes(each) !== (each === key)),
                )
              }
            />
            {t(pt, en)}
          </label>
        ))}
      </div>
    </details>
  );
}
