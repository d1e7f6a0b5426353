import { type PointerEvent, type RefObject, useEffect, useState } from 'react';

/** A row of a list on its way to another place in it. */
interface Reordering {
  from: number;
  to: number;
  startY: number;
  /** How far the pointer is from where it began. */
  movedY: number;
  /** Of the rows before any of them moved. */
  middles: readonly number[];
  height: number;
}

/**
 * Rows of a list that are dragged by their handles, with mouse, pen or finger. A row is where its first child is, since
 * it may be unfolded below. The order changes when the row is dropped, and not before: the handle that holds the
 * pointer stays where it is in the document. Escape leaves all as it was.
 */
export function useReorder(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void) {
  const [held, setHeld] = useState<Reordering | null>(null);
  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Else it would close the dialog around the list.
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
      // Not held.to: the last movement may not have been drawn yet.
      const to = placeAt(held, clientY);
      if (to !== held.from) onDrop(held.from, to);
    },
    onPointerCancel: () => setHeld(null),
  });
  /** Of the row at this place: it follows the pointer, or makes room for the row that does. */
  const rowOf = (index: number) => {
    const by = held ? shiftOf(held, index) : 0;
    return {
      className: held?.from === index ? 'held' : undefined,
      style: by === 0 ? undefined : { transform: `translateY(${by}px)` },
    };
  };
  return { handle, rowOf };
}

/** How many of the other rows lie above the pointer. */
const placeAt = ({ from, middles }: Reordering, y: number): number =>
  middles.filter((middle, index) => index !== from && middle < y).length;

function shiftOf({ from, to, movedY, height }: Reordering, index: number): number {
  if (index === from) return movedY;
  if (index > from && index <= to) return -height;
  return index < from && index >= to ? height : 0;
}

export type Reorder = ReturnType<typeof useReorder>;
