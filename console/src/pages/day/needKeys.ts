/** Moves the focus to the next of what needs a person, and from the last to the first. */
export function focusNextNeed(): void {
  const items = [...document.querySelectorAll<HTMLElement>('.day-needs .need')];
  const at = items.findIndex((item) => item.closest('li')?.contains(document.activeElement));
  items[(at + 1) % items.length]?.focus();
}

/** Presses the first button of what has the focus or, without one, of the selected delivery. */
export function pressFirstAction(selected: string | null): void {
  const focused = document.activeElement?.closest('.needs li');
  const item =
    focused ?? (selected && document.querySelector(`.needs [data-delivery="${CSS.escape(selected)}"]`));
  if (item) item.querySelector<HTMLElement>('button, a.button')?.click();
}
