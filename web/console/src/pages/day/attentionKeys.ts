/** Moves the focus to the next entry of the attention list, and from the last to the first. */
export function focusNextEntry(): void {
  const entries = [...document.querySelectorAll<HTMLElement>('.day-attention .attention-entry')];
  const at = entries.findIndex((entry) => entry.closest('li')?.contains(document.activeElement));
  entries[(at + 1) % entries.length]?.focus();
}

/** Presses the first button of the focused entry or, without one, of the selected delivery. */
export function pressFirstAction(selected: string | null): void {
  const focused = document.activeElement?.closest('.attention-list li');
  const entry =
    focused ??
    (selected && document.querySelector(`.attention-list [data-delivery="${CSS.escape(selected)}"]`));
  if (entry) entry.querySelector<HTMLElement>('button, a.button')?.click();
}
