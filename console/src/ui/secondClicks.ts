const pressable = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('button, a, summary, label, input, select') : null;

/** Two taps of a finger within this time and distance are one double tap. */
const DOUBLE_TAP_MS = 500;
const DOUBLE_TAP_PX = 32;

/**
 * The second click of a double click is meant for what the first one hit. Where the page has put something else under
 * the pointer meanwhile, such as the next step of a delivery or the button of a dialog, that is not pressed.
 */
export function ignoreStraySecondClicks(): void {
  let first: Element | null = null;
  let isTouch = false;
  let lastTap: MouseEvent | null = null;
  /**
   * Taps are compared here: not every phone's browser counts them, and those that do count quick taps on neighbouring
   * buttons too. Of a mouse the browser counts the clicks that come quickly at one place; those of the keyboard are 0.
   */
  const isSecond = (event: MouseEvent): boolean => {
    if (!isTouch || event.detail === 0) return event.detail > 1;
    const before = lastTap;
    lastTap = event;
    return (
      before !== null &&
      event.timeStamp - before.timeStamp < DOUBLE_TAP_MS &&
      Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) <= DOUBLE_TAP_PX
    );
  };
  const hear = (event: MouseEvent) => {
    const on = pressable(event.target);
    if (!isSecond(event)) first = on;
    else if (on && first && on !== first && !isSameControl(on, first)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const notePointer = ({ pointerType }: PointerEvent) => {
    isTouch = pointerType === 'touch';
  };
  document.addEventListener('pointerdown', notePointer, true);
  document.addEventListener('click', hear, true);
}

/** A label and its control. */
const isSameControl = (on: Element, other: Element): boolean =>
  (on instanceof HTMLLabelElement && on.control === other) ||
  (other instanceof HTMLLabelElement && other.control === on);
