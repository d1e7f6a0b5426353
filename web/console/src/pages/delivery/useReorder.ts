import { type PointerEvent, type RefObject, useEffect, useState } from 'react';

/** A row that is being dragged to another place in its list. */
interface Reordering {
  from: number;
  to: number;
  startY: number;
  /** The distance of the pointer from its start. */
  movedY: number;
  /** The vertical middles of the rows before any of them moved. */
  middles: readonly number[];
  height: number;
}

/**
 * Lets rows of a list be dragged by their handles, with mouse, pen or finger. The position of a row is that of its
 * first child, because the row may be unfolded below. The order changes only when the row is dropped, so that the
 * handle, which has captured the pointer, stays in place in the document. Escape cancels the move.
 */
export function useReorder(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void) {
  const [held, setHeld] = useState<Reordering | null>(null);
  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Otherwise it would close the dialog around the list.
      event.preventDefault();
      setHeld(null);
    };
    document.addEventListener('keydown', cancel, true);
    return () => document.removeEventListener('keydown', cancel, true);
  }, [isHeld]);
  const handle = (from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const rows = [...(list.current?.children ?? [])];
      setHeld({
        from,
        to: from,
        startY: event.clientY,
        movedY: 0,
        middles: rows.map((row) => {
          const { top, height } = (row.firstElementChild ?? row).getBoundingClientRect();
          return top + height / 2;
        }),
        height: rows[from]?.getBoundingClientRect().height ?? 0,
      });
    },
    onPointerMove({ clientY }: PointerEvent<HTMLElement>) {
      if (!held) return;
      setHeld({ ...held, to: placeAt(held, clientY), movedY: clientY - held.startY });
    },
    onPointerUp({ clientY }: PointerEvent<HTMLElement>) {
      setHeld(null);
      if (!held) return;
      // Not `held.to`, because the last movement may not have been rendered yet.
      const to = placeAt(held, clientY);
      if (to !== held.from) onDrop(held.from, to);
    },
    onPointerCancel: () => setHeld(null),
  });
  /** The properties of a row: it follows the pointer, or makes room for the row that does. */
  const rowOf = (index: number) => {
    const by = held ? shiftOf(held, index) : 0;
    return {
      className: held?.from === index ? 'held' : undefined,
      style: by === 0 ? undefined : { transform: `translateY(${by}px)` },
    };
  };
  return { handle, rowOf };
}

/** The number of other rows above the pointer. */
const placeAt = ({ from, middles }: Reordering, y: number): number =>
  middles.filter((middle, index) => index !== from && middle < y).length;

function shiftOf({ from, to, movedY, height }: Reordering, index: number): number {
  if (index === from) return movedY;
  if (index > from && index <= to) return -height;
  return index < from && index >= to ? height : 0;
}

export type Reorder = ReturnType<typeof useReorder>;
