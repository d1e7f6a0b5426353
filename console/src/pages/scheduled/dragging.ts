import { type DragEvent, useState } from 'react';

/** Dragging one scheduled delivery onto another; what is under the pointer is what they would be grouped into. */
export interface Dragging {
  dragged: string | null;
  over: string | null;
  /** For whatever shows a scheduled delivery and can be dragged and dropped on. */
  handles(id: string): {
    draggable: true;
    onDragStart: (event: DragEvent) => void;
    onDragEnd: () => void;
    onDragEnter: (event: DragEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

export function useDragging(onDropped: (dragged: string, onto: string) => void): Dragging {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return {
    dragged,
    over,
    handles: (id) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'link';
        event.dataTransfer.setData('text/plain', id);
        setDragged(id);
      },
      onDragEnd: end,
      onDragEnter: (event) => {
        if (dragged === null || dragged === id) return;
        event.preventDefault();
        setOver(id);
      },
      onDragOver: (event) => {
        if (dragged !== null && dragged !== id) event.preventDefault();
      },
      onDragLeave: (event) => {
        const entered = event.relatedTarget;
        if (entered instanceof Node && event.currentTarget.contains(entered)) return;
        setOver((now) => (now === id ? null : now));
      },
      onDrop: (event) => {
        event.preventDefault();
        if (dragged !== null && dragged !== id) onDropped(dragged, id);
        end();
      },
    }),
  };
}
