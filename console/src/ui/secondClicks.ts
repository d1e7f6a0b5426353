const pressable = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('button, a, summary, label, input, select') : null;

/**
 * The second click of a double click is meant for what the first one hit. Where the page has put something else under
 * the pointer meanwhile, such as the next step of a delivery or the button of a dialog, that is not pressed.
 */
export function ignoreStraySecondClicks(): void {
  let first: Element | null = null;
  const hear = (event: MouseEvent) => {
    const on = pressable(event.target);
    // The browser counts the clicks of a pointer that come quickly at one place; those of the keyboard are 0.
    if (event.detail <= 1) first = on;
    else if (on && first && on !== first && !isSameControl(on, first)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  document.addEventListener('click', hear, true);
}

/** A label and its control. */
const isSameControl = (on: Element, other: Element): boolean =>
  (on instanceof HTMLLabelElement && on.control === other) ||
  (other instanceof HTMLLabelElement && other.control === on);
