import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useWords } from '../../../../shared/words.ts';

/** Alt with the up or down arrow moves the stop that has the focus. */
export function moveByKeys(event: KeyboardEvent, onMove: (by: -1 | 1) => void): void {
  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
  if (!event.altKey || by === null || event.defaultPrevented) return;
  event.preventDefault();
  onMove(by);
}

/**
 * Announces a change of the order of stops to screen readers, and keeps the focus on the stop that was moved, because
 * browsers take it from elements that are moved, disabled or removed. `list` contains an element with `data-stop` for
 * each stop, in which the buttons that move it have `data-move`, and a button with `data-add-stop`.
 */
export function useStopMoves(list: RefObject<HTMLElement | null>) {
  const t = useWords();
  const [said, setSaid] = useState({ text: '', count: 0 });
  const say = (text: string) => setSaid(({ count }) => ({ text, count: count + 1 }));
  const focusNext = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    focusNext.current?.();
    focusNext.current = null;
  });
  const stopAt = (index: number) => list.current?.querySelectorAll<HTMLElement>('[data-stop]')[index];

  const moved = (from: number, to: number, count: number): void => {
    const stop = stopAt(from);
    const before = document.activeElement;
    focusNext.current = () => {
      if (!stop) return;
      const held = before instanceof HTMLElement && stop.contains(before) ? before : headOf(stop);
      const isDisabled = held.matches(':disabled');
      (isDisabled ? stop.querySelector<HTMLElement>('[data-move]:enabled') : held)?.focus();
    };
    say(
      t(
        `Parada ${from + 1} passou para a posição ${to + 1} de ${count}.`,
        `Stop ${from + 1} moved to position ${to + 1} of ${count}.`,
      ),
    );
  };
  const removed = (index: number): void => {
    focusNext.current = () => {
      const next = stopAt(index);
      (next ? headOf(next) : list.current?.querySelector<HTMLElement>('[data-add-stop]'))?.focus();
    };
    say(t(`Parada ${index + 1} removida.`, `Stop ${index + 1} removed.`));
  };
  // The key is the count, so that screen readers read out a repeated text again.
  const announcement = (
    <p role="status" className="unseen">
      <span key={said.count}>{said.text}</span>
    </p>
  );
  return { moved, removed, announcement };
}

/** The part of a stop that gets the focus: the button that unfolds it, or else the whole stop. */
const headOf = (stop: HTMLElement): HTMLElement =>
  stop.querySelector<HTMLElement>('button[aria-expanded]') ?? stop;
