/** Moves the focus to the next of what needs a person, and from the last to the first. */
export function focusNextNeed(): void {
  const entries = [...document.querySelectorAll<HTMLElement>('.day-needs .need')];
  const at = entries.findIndex((entry) => entry.closest('li')?.contains(document.activeElement));
  entries[(at + 1) % entries.length]?.focus();
}

/** Presses the first button of what has the focus or, without one, of the selected delivery. */
export function pressFirstAction(selected: string | null): void {
  const focused = document.activeElement?.closest('.needs li');
  const entry =
    focused ?? (selected && document.querySelector(`.needs [data-delivery="${CSS.escape(selected)}"]`));
  if (entry) entry.querySelector<HTMLElement>('button, a.button')?.click();
}
