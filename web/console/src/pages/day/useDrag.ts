import { useEffect, useRef, useState } from 'react';

/** A delivery that is being dragged to a driver. */
export interface Drag {
  deliveryId: string;
  x: number;
  y: number;
  /** The driver it would be dropped on. */
  over: string | null;
}

/** A shorter movement is a click. */
const MOVED_PX = 6;

/**
 * Lets deliveries be dragged onto a driver with a mouse or a pen: an element with `data-delivery`, or a row of the
 * list, onto an element with `data-driver`. A finger scrolls instead. On the keyboard, key `a` does the same.
 */
export function useDrag(
  isEnabled: boolean,
  onDrop: (deliveryId: string, driverId: string) => void,
): Drag | null {
  const [drag, setDrag] = useState<Drag | null>(null);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  useEffect(() => {
    if (!isEnabled) return;
    let held: { deliveryId: string; x: number; y: number } | null = null;
    let current: Drag | null = null;
    const set = (next: Drag | null) => {
      current = next;
      setDrag(next);
      document.body.classList.toggle('dragging', next !== null);
    };
    const end = () => {
      held = null;
      if (current) set(null);
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch' || !(event.target instanceof Element)) return;
      if (event.target.closest('button, input, select, dialog')) return;
      const source = event.target.closest<HTMLElement>('[data-delivery], .day-list tr[data-key]');
      const deliveryId = source?.dataset.delivery ?? source?.dataset.key;
      if (deliveryId) held = { deliveryId, x: event.clientX, y: event.clientY };
    };
    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      if (!held) return;
      if (!current && Math.hypot(x - held.x, y - held.y) < MOVED_PX) return;
      const over =
        document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-driver]')?.dataset.driver ?? null;
      set({ deliveryId: held.deliveryId, x, y, over });
    };
    const up = () => {
      if (!current) return end();
      const { deliveryId, over } = current;
      // The click that follows would select or open the element under the pointer.
      const swallow = (event: Event) => {
        event.preventDefault();
        event.stopPropagation();
      };
      document.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => document.removeEventListener('click', swallow, { capture: true }));
      end();
      if (over) drop.current(deliveryId, over);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !current) return;
      event.preventDefault();
      end();
    };
    // Otherwise the browser itself would drag links and select text.
    const keep = (event: Event) => {
      if (held) event.preventDefault();
    };
    const listeners = [
      ['pointerdown', down],
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', end],
      ['keydown', key],
      ['dragstart', keep],
      ['selectstart', keep],
    ] as const;
    for (const [name, listener] of listeners)
      document.addEventListener(name, listener as EventListener, true);
    return () => {
      end();
      for (const [name, listener] of listeners)
        document.removeEventListener(name, listener as EventListener, true);
    };
  }, [isEnabled]);
  return drag;
}
