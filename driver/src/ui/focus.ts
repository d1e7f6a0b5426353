import { useEffect } from 'react';

/**
 * Where the keyboard and a screen reader go on when what had the focus is gone, as a button that did its step: the
 * heading of what is shown now.
 */
export function findFocus(): void {
  const at = document.activeElement;
  if (at && at !== document.body && !at.matches(':disabled')) return;
  const sheets = [...document.querySelectorAll<HTMLElement>('dialog[open] .sheet-head h2')];
  const [target, title] = ['.target h2', 'h1'].map((place) => document.querySelector<HTMLElement>(place));
  (sheets.at(-1) ?? target ?? title)?.focus({ preventScroll: true });
}

/** Looks for the focus whenever `shown` names something else. */
export function useFocusOn(shown: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown may have taken the focus away
  useEffect(findFocus, [shown]);
}
