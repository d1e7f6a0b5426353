import { useEffect } from 'react';

/**
 * Moves the focus to the current heading if the focused element is gone or disabled, such as the button of a step that
 * is done. The keyboard and screen readers continue from there.
 */
export function findFocus(): void {
  const at = document.activeElement;
  if (at && at !== document.body && !at.matches(':disabled')) return;
  const sheets = [...document.querySelectorAll<HTMLElement>('dialog[open] .sheet-head h2')];
  const [target, title] = ['.target h2', 'h1'].map((place) => document.querySelector<HTMLElement>(place));
  (sheets.at(-1) ?? target ?? title)?.focus({ preventScroll: true });
}

/** Calls `findFocus` whenever `shown` changes. */
export function useFocusOn(shown: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content may have removed the focused element
  useEffect(findFocus, [shown]);
}
