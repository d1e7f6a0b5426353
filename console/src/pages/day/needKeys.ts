/** Moves the focus to the next of what needs a person, and from the last to the first. */
export function focusNextNeed(): void {
  const needs = [...document.querySelectorAll<HTMLElement>('.day-needs .need')];
  const at = needs.findIndex((need) => need.closest('li')?.contains(document.activeElement));
  needs[(at + 1) % needs.length]?.focus();
}

/** Presses the first button of what has the focus or, without one, of the selected delivery. */
export function pressFirstAction(selected: string | null): void {
  const focused = document.activeElement?.closest('.needs li');
  const need =
    focused ?? (selected && document.querySelector(`.needs [data-delivery="${CSS.escape(selected)}"]`));
  if (need) need.querySelector<HTMLElement>('button, a.button')?.click();
}
